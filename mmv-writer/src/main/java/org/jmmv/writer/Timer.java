package org.jmmv.writer;

import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The time that something has taken altogether, in microseconds. A section in progress counts as
 * far as it has come when the value is read.
 */
public final class Timer extends MetricValue {
  private final AtomicLong rests = new AtomicLong(); // the sum of nanoseconds below a microsecond
  private boolean isInProgress;
  private boolean isClosed;
  private long begin; // of the section in progress, by System.nanoTime

  Timer(Slot slot) {
    super(slot);
  }

  /**
   * Adds a time that has passed. What is less than a microsecond is added to the next time.
   *
   * @param amount 0 or more
   * @throws IllegalArgumentException if it is negative
   */
  public void add(long amount, TimeUnit unit) {
    if (amount < 0) {
      throw new IllegalArgumentException("a time can't be " + amount);
    }
    long micros = unit.toMicros(amount);
    long rest = unit == NANOSECONDS ? amount - MICROSECONDS.toNanos(micros) : 0;
    long before = rest == 0 ? 0 : rests.getAndAdd(rest);
    long carried = NANOSECONDS.toMicros(before + rest) - NANOSECONDS.toMicros(before);
    count(micros + carried);
  }

  /**
   * Begins a section. A timer has one at a time: for what several threads do at once, use {@link
   * #add}.
   *
   * @throws IllegalStateException if one is in progress
   */
  public synchronized void begin() {
    if (isInProgress) {
      throw new IllegalStateException("a section is in progress");
    }
    count(0);
    isInProgress = true;
    begin = System.nanoTime();
    if (!isClosed) {
      cell.setExtra(-ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now())); // as mmv(5) has it
    }
  }

  /**
   * Ends the section.
   *
   * @throws IllegalStateException if none is in progress
   */
  public synchronized void end() {
    if (!isInProgress) {
      throw new IllegalStateException("no section is in progress");
    }
    isInProgress = false;
    addSection();
  }

  private void addSection() {
    long now = System.nanoTime(); // the system's clock may have been set
    cell.setExtra(0);
    add(now - begin, NANOSECONDS);
    begin = now;
  }

  /** A section that nobody ends would count as long as the file exists. */
  @Override
  synchronized void close() {
    isClosed = true;
    if (isInProgress) {
      addSection();
    }
  }

  /** Returns the time without that of a section in progress, in microseconds. */
  public long micros() {
    return cell.get();
  }
}
