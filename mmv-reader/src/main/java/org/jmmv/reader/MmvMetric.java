package org.jmmv.reader;

import org.jmmv.pcp.Semantics;

/**
 * A metric of a file, as its entry in the METRICS section describes it. Metrics are equal only if
 * they come from the same reading of the file, because the tables of values are compared by
 * identity.
 *
 * @param name the name in the file: letters, digits, '_' and '.'; without the prefix that clients
 *     see
 * @param index the index of the entry in its METRICS section, from 0 on
 * @param offset the offset of the entry in bytes from the start of the file
 * @param item 0 to 1023, unique in its METRICS section
 * @param type a {@link org.jmmv.pcp.ValueType}, {@link #ELAPSED}, or any other number
 * @param semantics a {@link org.jmmv.pcp.Semantics}, or any other number; 0 is served as a counter
 * @param units a {@code pmUnits} as a 32-bit word, see {@link org.jmmv.pcp.Units}
 * @param serial the serial of the instance domain, which the file has unless {@link #isSingular}
 * @param shortHelp one line of help, or null if there is none
 * @param longHelp the help text, or null if there is none
 * @param values the locations of the metric's values
 */
public record MmvMetric(
    String name,
    int index,
    long offset,
    int item,
    int type,
    int semantics,
    int units,
    int serial,
    String shortHelp,
    String longHelp,
    MmvValueTable values) {
  /**
   * The type of elapsed times (MMV_TYPE_ELAPSED of mmv(5)). The value is the accumulated time in
   * microseconds. While the timer runs, the extra is the negative of its start time in microseconds
   * since the epoch.
   */
  public static final int ELAPSED = 9;

  /** Returns whether it is served as a counter: as any timer, and by default. */
  public boolean isCounter() {
    return type == ELAPSED || semantics == Semantics.COUNTER || semantics == 0;
  }

  /** Returns whether the metric has one value and no instance domain: its serial is 0 or -1. */
  public boolean isSingular() {
    return serial == 0 || serial == -1;
  }

  /** Returns the number of values that the file has for the metric. */
  public int valueCount() {
    return values.count();
  }

  /**
   * Returns the instance number of a value. Several values may have the same instance number; the
   * first one counts. The result is undefined for a singular metric.
   *
   * @param i 0 to {@link #valueCount} - 1, in the order of the VALUES section
   */
  public int instance(int i) {
    return values.instance(i);
  }

  /**
   * Returns the index of a value in the VALUES section, for {@link MmvFile#value}.
   *
   * @param i 0 to {@link #valueCount} - 1, in the order of the VALUES section
   */
  public int value(int i) {
    return values.index(i);
  }

  MmvMetric withValues(MmvValueTable table) {
    return new MmvMetric(
        name, index, offset, item, type, semantics, units, serial, shortHelp, longHelp, table);
  }
}
