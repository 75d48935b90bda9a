package org.jmmv.reader.watch;

import java.util.function.LongSupplier;

/**
 * A share of all time in the long run, of which a maximum can be saved up. All times are in
 * nanoseconds of one clock.
 */
final class TimeShare {
  private final int part;
  private final LongSupplier max;
  private long left;
  private long credited; // when time was last added

  /**
   * Creates a share of which the maximum is left.
   *
   * @param part the share is one part of this number of parts
   * @param time the time now
   */
  TimeShare(int part, LongSupplier max, long time) {
    this.part = part;
    this.max = max;
    refill(time);
  }

  /** Lets the maximum be left again. */
  void refill(long time) {
    left = max.getAsLong();
    credited = time;
  }

  /** Returns what is left, with the share of the time since the last call. */
  long left(long time) {
    left = Math.min(max.getAsLong(), left + (time - credited) / part);
    credited = time;
    return left;
  }

  /** Spends time, which can be more than is left. */
  void spend(long nanos) {
    left -= nanos;
  }

  /** Spends time that ends now, and of which no share is added. */
  void spendUntil(long time, long nanos) {
    left -= nanos;
    credited = time;
  }

  /** Spends as much of a time as is left. */
  void spendUpTo(long nanos) {
    left -= Math.clamp(left, 0, Math.max(0, nanos));
  }
}
