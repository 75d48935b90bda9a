package org.jmmv.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.function.LongSupplier;

/**
 * Keeps files and clients from filling the disk through the log: lets 1,000 warnings and errors
 * pass at once, and then one in ten seconds. Other levels are not limited: only debug options ask
 * for them.
 */
final class FloodFilter extends Filter<ILoggingEvent> {
  private static final long NANOS_PER_LINE = 10_000_000_000L;
  private static final long MAX_CREDIT = 1000 * NANOS_PER_LINE;

  private final LongSupplier nanoTime;
  private long last;
  private long credit = MAX_CREDIT; // in nanoseconds
  private int leftOut;

  /**
   * A filter that has not seen any line.
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

  /** The number of lines that were left out since the last call. */
  synchronized int takeLeftOut() {
    int count = leftOut;
    leftOut = 0;
    return count;
  }
}
