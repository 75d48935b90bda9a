package org.jmmv.web.history;

import java.time.Duration;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;

/**
 * What a line has done in the last minute.
 *
 * @param changes in how many rounds the value was not that of the round before
 * @param rate how much a counter has increased in a second, in the last five or more; NaN if that
 *     is not known, if it has decreased, or if it is no counter
 * @param value the last one, as {@link Line#text} takes it
 * @param number the same, or the double that is nearest to it
 */
public record Activity(int changes, double rate, long value, double number) {
  /** The time that is looked at. */
  static final Duration TIME = Duration.ofMinutes(1);

  /** The time between the values of a rate, at least: a counter may count every other second. */
  private static final Duration OF_RATE = Duration.ofSeconds(5);

  /**
   * Returns the activity of a line.
   *
   * @param rounds the last rounds, one or more
   * @return null if the line has no value in the last one
   */
  static Activity of(Line line, int[] rounds, History history) {
    long[] values = new long[rounds.length];
    BitSet has = line.read(rounds, values);
    int last = rounds.length - 1;
    if (!has.get(last)) {
      return null;
    }
    int changes = 0;
    for (int i = 1; i <= last; i++) {
      changes += has.get(i) && has.get(i - 1) && values[i] != values[i - 1] ? 1 : 0;
    }
    int before = last;
    long nanos = 0;
    while (before > 0 && has.get(before - 1) && nanos < OF_RATE.toNanos()) {
      before--;
      nanos = history.clockOf(rounds[last]) - history.clockOf(rounds[before]);
    }
    double increase = line.kind().increase(values[before], values[last]);
    return new Activity(
        changes,
        nanos > 0 ? increase * TimeUnit.SECONDS.toNanos(1) / nanos : Double.NaN,
        values[last],
        line.kind().number(values[last]));
  }
}
