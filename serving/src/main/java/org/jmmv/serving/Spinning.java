package org.jmmv.serving;

import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Decides whether a thread that waits for requests polls for them or sleeps. A client such as
 * pminfo sends one request after the other, and to wake the thread up takes longer than to answer.
 * Therefore the thread polls for 100 µs before it sleeps, if its last waits were as short as that.
 * With one processor, polling would only keep the client from running.
 */
public final class Spinning {
  /** Polling for longer would take more time from others than a wake-up costs. */
  private static final long NANOS = 100_000;

  /**
   * The longest round of an event loop, a wait and what is served after it, that counts as short.
   */
  private static final long ROUND_NANOS = 2 * NANOS;

  private static final boolean IS_USEFUL = Runtime.getRuntime().availableProcessors() > 1;

  private final int minShortWaits;
  private final LongSupplier nanoTime;
  private int shortWaits; // in a row, up to minShortWaits
  private long start; // of the current or the last wait
  private boolean wasInVain; // an event loop has polled in the last wait, and slept nevertheless

  /**
   * Creates an object for one thread.
   *
   * @param minShortWaits the number of short waits in a row after which the thread polls
   */
  public Spinning(int minShortWaits) {
    this(IS_USEFUL ? minShortWaits : Integer.MAX_VALUE, System::nanoTime);
  }

  /**
   * Creates an object.
   *
   * @param nanoTime a clock, usually {@link System#nanoTime}
   */
  Spinning(int minShortWaits, LongSupplier nanoTime) {
    this.minShortWaits = minShortWaits;
    this.nanoTime = nanoTime;
    start = nanoTime.getAsLong() - ROUND_NANOS;
  }

  /** Starts a wait. */
  public void begin() {
    start = nanoTime.getAsLong();
  }

  /** Returns whether to poll rather than to sleep, now. */
  public boolean isDue() {
    return shortWaits == minShortWaits && nanoTime.getAsLong() - start < NANOS;
  }

  /** Ends a wait. */
  public void end() {
    count(nanoTime.getAsLong() - start < NANOS);
  }

  private void count(boolean isShort) {
    shortWaits = isShort ? Math.min(shortWaits + 1, minShortWaits) : 0;
  }

  /**
   * Returns the strategy of an event loop. Netty does not say when the loop is woken up, so that
   * whole rounds are measured, from one wait to the next.
   */
  SelectStrategy ofLoop() {
    return this::poll;
  }

  private int poll(IntSupplier selectNow, boolean hasTasks) throws Exception {
    count(!wasInVain && nanoTime.getAsLong() - start < ROUND_NANOS);
    wasInVain = false;
    begin();
    if (hasTasks) {
      return selectNow.get();
    }
    while (isDue()) {
      int ready = selectNow.get();
      wasInVain = ready == 0;
      if (!wasInVain) {
        return ready;
      }
    }
    return SelectStrategy.SELECT;
  }
}
