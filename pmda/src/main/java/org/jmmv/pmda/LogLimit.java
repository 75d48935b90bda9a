package org.jmmv.pmda;

import java.util.function.LongSupplier;
import java.util.logging.Filter;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/**
 * Keeps files and clients from filling the disk through the log: 1,000 lines at once, and then one
 * in ten seconds. What debug options ask for is not limited.
 */
final class LogLimit implements Filter {
  private static final long NANOS_PER_LINE = 10_000_000_000L;
  private static final long MOST = 1000 * NANOS_PER_LINE;

  private final LongSupplier nanoTime;
  private long last;
  private long credit = MOST;
  private int leftOut;

  /** With a clock like {@link System#nanoTime}. */
  LogLimit(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    last = nanoTime.getAsLong();
  }

  @Override
  public synchronized boolean isLoggable(LogRecord entry) {
    if (entry.getLevel().intValue() < Level.WARNING.intValue()) {
      return true;
    }
    long now = nanoTime.getAsLong();
    credit = Math.min(MOST, credit + (now - last));
    last = now;
    if (credit < NANOS_PER_LINE) {
      leftOut++;
      return false;
    }
    credit -= NANOS_PER_LINE;
    return true;
  }

  /** How many lines were left out since this was asked the last time. */
  synchronized int takeLeftOut() {
    int count = leftOut;
    leftOut = 0;
    return count;
  }
}
