package org.jmmv.collector;

import io.netty.channel.DefaultSelectStrategyFactory;
import io.netty.channel.SelectStrategy;
import io.netty.channel.SelectStrategyFactory;
import io.netty.util.IntSupplier;
import java.util.function.LongSupplier;

/**
 * How the event loop waits for clients. If the last round of the loop began less than 100 µs ago,
 * it looks for requests again and again for 100 µs before it sleeps: a client such as pminfo sends
 * one request after the other, and to be woken up takes the loop longer than to answer. With one
 * processor that would only keep the client from running.
 */
final class AttentiveSelect implements SelectStrategy {
  private static final long SLEEPLESS_NANOS = 100_000;

  /** Creates the object of an event loop, if this process may use several processors. */
  static final SelectStrategyFactory FACTORY =
      Runtime.getRuntime().availableProcessors() > 1
          ? () -> new AttentiveSelect(System::nanoTime)
          : DefaultSelectStrategyFactory.INSTANCE;

  private final LongSupplier nanoTime;
  private long last; // when the last round began

  /**
   * Creates an object.
   *
   * @param nanoTime a clock, usually {@link System#nanoTime}
   */
  AttentiveSelect(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    last = nanoTime.getAsLong() - SLEEPLESS_NANOS;
  }

  @Override
  public int calculateStrategy(IntSupplier selectNow, boolean hasTasks) throws Exception {
    long start = nanoTime.getAsLong();
    boolean isBusy = start - last < SLEEPLESS_NANOS;
    last = start;
    if (hasTasks) {
      return selectNow.get();
    }
    while (isBusy && nanoTime.getAsLong() - start < SLEEPLESS_NANOS) {
      int ready = selectNow.get();
      if (ready > 0) {
        return ready;
      }
    }
    return SELECT;
  }
}
