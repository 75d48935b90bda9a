package org.jmmv.reader;

/**
 * A metric of a file, as its entry in the METRICS section describes it. Two are equal only if they
 * come from the same reading of the file.
 *
 * @param name as the application gave it: letters, digits, '_' and '.'
 * @param index of the entry in its METRICS section, from 0 on
 * @param offset where the entry begins, in bytes from the start of the file
 * @param item 0 to 1023, unique in a METRICS section
 * @param type a {@link org.jmmv.pcp.ValueType}, {@link #ELAPSED}, or any other number
 * @param semantics a {@link org.jmmv.pcp.Semantics}, or any other number; 0 is served as a counter
 * @param units bits of a {@code pmUnits}, see {@link org.jmmv.pcp.Units}
 * @param serial serial of the instance domain, unchecked; see {@link #isSingular}
 * @param shortHelp one line of help, or null if there is none
 * @param longHelp help text, or null if there is none
 * @param values where the metric's values are
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
   * Type of an elapsed time: the value is microseconds accumulated; a negative extra is minus the
   * start of a section in progress, in microseconds since the epoch.
   */
  public static final int ELAPSED = 9;

  /** Whether the metric has one value and no instance domain. */
  public boolean isSingular() {
    return serial == 0 || serial == -1;
  }

  /** Number of values that the file has for the metric. */
  public int valueCount() {
    return values.count();
  }

  /**
   * The instance number of the metric's {@code i}th value, in the order of the VALUES section. If
   * an instance comes up again, its first value counts. Undefined for a singular metric.
   */
  public int instance(int i) {
    return values.instance(i);
  }

  /** The index in the VALUES section of the metric's {@code i}th value. */
  public int value(int i) {
    return values.index(i);
  }

  MmvMetric withValues(MmvValueTable table) {
    return new MmvMetric(
        name, index, offset, item, type, semantics, units, serial, shortHelp, longHelp, table);
  }
}
