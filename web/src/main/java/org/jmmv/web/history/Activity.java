package org.jmmv.web.history;

import java.util.BitSet;

/**
 * What a line has done in the last minute.
 *
 * @param changes in how many rounds the value was not that of the round before
 * @param rate how much a counter has increased in a second, in the last five; NaN if that is not
 *     known, if it has decreased, or if it is no counter
 * @param value the last one, as {@link Line#text} takes it
 * @param number the same, or the double that is nearest to it
 */
public record Activity(int changes, double rate, long value, double number) {
  /** The number of rounds in a minute. */
  static final int ROUNDS = 60;

  /** How many rounds are between the values of a rate: a counter may count every other second. */
  private static final int RATE_ROUNDS = 5;

  private static final double NANOS = 1e9;

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
    int before = has.nextSetBit(Math.max(0, last - RATE_ROUNDS));
    long nanos = history.clockOf(rounds[last]) - history.clockOf(rounds[before]);
    double increase = line.kind().increase(values[before], values[last]);
    return new Activity(
        changes,
        nanos > 0 ? increase * NANOS / nanos : Double.NaN,
        values[last],
        line.kind().number(values[last]));
  }
}
