package org.jmmv.reader;

/**
 * Time for work that others wait for: a share of all time in the long run, and never more than a
 * maximum at once. All times are in nanoseconds of one clock.
 */
final class TimeCredit {
  private final int share;
  private long left;
  private long credited; // when time was last added

  /**
   * Creates a credit.
   *
   * @param share the work may take one part in so many of all time
   * @param left what is left now
   * @param time the time now
   */
  TimeCredit(int share, long left, long time) {
    this.share = share;
    set(left, time);
  }

  /** Replaces what is left. */
  void set(long nanos, long time) {
    left = nanos;
    credited = time;
  }

  /** Adds the share of the time since the last call, and returns what is left, if anything. */
  long left(long most, long time) {
    left = Math.min(most, left + (time - credited) / share);
    credited = time;
    return left;
  }

  /** Takes the time that the work has taken, which may be more than was left. */
  void spend(long nanos) {
    left -= nanos;
  }
}
