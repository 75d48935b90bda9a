package org.jmmv.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;

/**
 * Limits the size of the log, so that files and clients can't fill the disk through it. Warnings
 * are about files and clients: a burst of 1,000, then one every ten seconds. Errors are the agent's
 * own, and warnings can't use up what is left for them, which is the same. Debug messages differ in
 * length, and a client can switch on a debug option: 10 MB at once, then 1 KB a second. What can't
 * be written at once is left out, too: the event loop logs, and a supervisor that does not read its
 * pipe would stop all service. The next line says how many lines were left out.
 */
final class FloodFilter extends Filter<ILoggingEvent> {
  /** More than this many in a row would fill the log with one mistake in many files. */
  private static final int AT_ONCE = 1000;

  /** In the long run: 8,640 lines a day, so that no file or client can fill the disk. */
  private static final long NANOS_PER_LINE = 10_000_000_000L;

  /** Of debug messages, this number of characters counts as much as a warning. */
  private static final int DEBUG_CHARS_PER_LINE = 10_000;

  private final IntPredicate mayWrite;
  private final Allowance warnings;
  private final Allowance errors;
  private final Allowance debugChars;
  private int leftOut;

  /** A number of units at once, lines or chars, and then one after each period. */
  private static final class Allowance {
    private final LongSupplier nanoTime;
    private final long nanosPerUnit;
    private final long maxCredit;
    private long last;
    private long credit; // in nanoseconds

    Allowance(int atOnce, long nanosPerUnit, LongSupplier nanoTime) {
      this.nanoTime = nanoTime;
      this.nanosPerUnit = nanosPerUnit;
      maxCredit = atOnce * nanosPerUnit;
      credit = maxCredit;
      last = nanoTime.getAsLong();
    }

    /** Returns whether this number of units may be logged now, and counts them if so. */
    boolean take(int units) {
      long now = nanoTime.getAsLong();
      credit = Math.min(maxCredit, credit + (now - last));
      last = now;
      long cost = units * nanosPerUnit;
      if (credit < cost) {
        return false;
      }
      credit -= cost;
      return true;
    }
  }

  /**
   * Creates a filter.
   *
   * @param mayWrite waits for this number of milliseconds until the log can be written, see {@link
   *     LogStream}
   */
  FloodFilter(LongSupplier nanoTime, IntPredicate mayWrite) {
    this.mayWrite = mayWrite;
    warnings = new Allowance(AT_ONCE, NANOS_PER_LINE, nanoTime);
    errors = new Allowance(AT_ONCE, NANOS_PER_LINE, nanoTime);
    debugChars =
        new Allowance(
            AT_ONCE * DEBUG_CHARS_PER_LINE, NANOS_PER_LINE / DEBUG_CHARS_PER_LINE, nanoTime);
  }

  @Override
  public synchronized FilterReply decide(ILoggingEvent event) {
    boolean passes =
        mayWrite.test(0)
            && switch (event.getLevel().toInt()) {
              case Level.ERROR_INT -> errors.take(1);
              case Level.WARN_INT -> warnings.take(1);
              case Level.INFO_INT -> true; // a few at the start
              default -> debugChars.take(event.getFormattedMessage().length());
            };
    if (!passes) {
      leftOut++;
      return FilterReply.DENY;
    }
    return FilterReply.NEUTRAL;
  }

  /** Returns the number of messages suppressed since the last call. */
  synchronized int takeLeftOut() {
    int count = leftOut;
    leftOut = 0;
    return count;
  }
}
