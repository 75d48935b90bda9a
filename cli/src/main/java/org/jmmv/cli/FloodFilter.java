package org.jmmv.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.function.LongSupplier;

/**
 * Limits the rate of warnings and errors, so that files and clients can't fill the disk through the
 * log. Warnings are about files and clients: a burst of 1,000, then one every ten seconds. Errors
 * are the agent's own, and warnings can't use up what is left for them: a burst of 100, then one
 * every ten seconds. Debug messages are not limited; they are logged only if a debug option is on.
 */
final class FloodFilter extends Filter<ILoggingEvent> {
  private static final int WARNINGS_AT_ONCE = 1000;
  private static final int ERRORS_AT_ONCE = 100;

  private final Allowance warnings;
  private final Allowance errors;
  private int leftOut;

  /** A burst of lines, and then one every ten seconds. */
  private static final class Allowance {
    private static final long NANOS_PER_LINE = 10_000_000_000L;

    private final LongSupplier nanoTime;
    private final long maxCredit;
    private long last;
    private long credit; // in nanoseconds; one line costs NANOS_PER_LINE

    Allowance(int burst, LongSupplier nanoTime) {
      this.nanoTime = nanoTime;
      maxCredit = burst * NANOS_PER_LINE;
      credit = maxCredit;
      last = nanoTime.getAsLong();
    }

    /** Returns whether one more line may be logged now, and counts it if so. */
    boolean take() {
      long now = nanoTime.getAsLong();
      credit = Math.min(maxCredit, credit + (now - last));
      last = now;
      if (credit < NANOS_PER_LINE) {
        return false;
      }
      credit -= NANOS_PER_LINE;
      return true;
    }
  }

  /**
   * Creates a filter that has not seen any event.
   *
   * @param nanoTime a clock like {@link System#nanoTime}
   */
  FloodFilter(LongSupplier nanoTime) {
    warnings = new Allowance(WARNINGS_AT_ONCE, nanoTime);
    errors = new Allowance(ERRORS_AT_ONCE, nanoTime);
  }

  @Override
  public synchronized FilterReply decide(ILoggingEvent event) {
    if (!event.getLevel().isGreaterOrEqual(Level.WARN)) {
      return FilterReply.NEUTRAL;
    }
    Allowance allowance = event.getLevel() == Level.WARN ? warnings : errors;
    if (!allowance.take()) {
      leftOut++;
      return FilterReply.DENY;
    }
    return FilterReply.NEUTRAL;
  }

  /** Returns the number of lines suppressed since the last call. */
  synchronized int takeLeftOut() {
    int count = leftOut;
    leftOut = 0;
    return count;
  }
}
