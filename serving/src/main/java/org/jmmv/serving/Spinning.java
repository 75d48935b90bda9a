package org.jmmv.serving;

import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Decides whether a thread that waits for requests polls for them or sleeps. A client such as
 * pminfo sends one request after the other, and to wake the thread up takes longer than to answer.
 * Therefore the thread polls for 100 µs before it sleeps, if its last waits were shorter than that.
 * With one processor, polling would only keep the client from running.
 */
public final class Spinning {
  private static final long NANOS = 100_000;

  private static final boolean IS_USEFUL = Runtime.getRuntime().availableProcessors() > 1;

  private final int minShortWaits;
  private final LongSupplier nanoTime;
  private int shortWaits; // in a row, up to minShortWaits
  private long start; // of the current or the last wait

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
    start = nanoTime.getAsLong() - NANOS;
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
    boolean isShort = nanoTime.getAsLong() - start < NANOS;
    shortWaits = isShort ? Math.min(shortWaits + 1, minShortWaits) : 0;
  }

  /**
   * Returns the strategy of an event loop. Netty does not say when the loop is woken up, so that a
   * wait lasts until the next one begins.
   */
  SelectStrategy ofLoop() {
    return this::poll;
  }

  private int poll(IntSupplier selectNow, boolean hasTasks) throws Exception {
    end();
    begin();
    if (hasTasks) {
      return selectNow.get();
    }
    while (isDue()) {
      int ready = selectNow.get();
      if (ready > 0) {
        return ready;
      }
    }
    return SelectStrategy.SELECT;
  }
}
