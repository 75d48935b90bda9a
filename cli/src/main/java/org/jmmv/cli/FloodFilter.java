package org.jmmv.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.function.LongSupplier;

/**
 * Limits the rate of warnings and errors, so that files and clients can't fill the disk through the
 * log: a burst of 1,000 lines, then one line every ten seconds. Debug messages are not limited;
 * they are logged only if a debug option is on.
 */
final class FloodFilter extends Filter<ILoggingEvent> {
  private static final long NANOS_PER_LINE = 10_000_000_000L;
  private static final long MAX_CREDIT = 1000 * NANOS_PER_LINE;

  private final LongSupplier nanoTime;
  private long last;
  private long credit = MAX_CREDIT; // in nanoseconds; one line costs NANOS_PER_LINE
  private int leftOut;

  /**
   * Creates a filter that has not seen any event.
   *
   * @param nanoTime a clock like {@link System#nanoTime}
   */
  FloodFilter(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    last = nanoTime.getAsLong();
  }

  @Override
  public synchronized FilterReply decide(ILoggingEvent event) {
    if (!event.getLevel().isGreaterOrEqual(Level.WARN)) {
      return FilterReply.NEUTRAL;
    }
    long now = nanoTime.getAsLong();
    credit = Math.min(MAX_CREDIT, credit + (now - last));
    last = now;
    if (credit < NANOS_PER_LINE) {
      leftOut++;
      return FilterReply.DENY;
    }
    credit -= NANOS_PER_LINE;
    return FilterReply.NEUTRAL;
  }

  /** Returns the number of lines suppressed since the last call. */
  synchronized int takeLeftOut() {
    int count = leftOut;
    leftOut = 0;
    return count;
  }
}
