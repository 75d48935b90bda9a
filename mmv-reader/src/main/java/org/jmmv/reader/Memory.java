package org.jmmv.reader;

/**
 * Estimates of the heap that the contents of a file need while the file is served, in bytes. They
 * contain what {@code org.jmmv.core} makes of each record: names, indexes, tables of instances,
 * locations of values. They are measured, and rounded up: with smaller ones, files that are within
 * the limit of memory would not fit into the heap.
 */
final class Memory {
  /** A file without contents. */
  static final long OF_FILE = 1_500;

  /** An entry of the INDOMS section, without its instances and strings. */
  static final long OF_INDOM = 350;

  /** An instance, without its name. */
  static final long OF_INSTANCE = 40;

  /** A value. */
  static final long OF_VALUE = 20;

  /** A string, without its chars. */
  private static final long OF_STRING = 56;

  /** A metric, without its name, its values and its help. */
  private static final long OF_METRIC = 960;

  /** A label record, without its text. */
  private static final long OF_LABEL = 350;

  private Memory() {}

  /** Returns the memory of a string, one byte per char. */
  static long of(String text) {
    return OF_STRING + text.length();
  }

  /**
   * Returns the memory of a metric, without its values and its help.
   *
   * @param file the name of the file, which is the prefix of the metric's full name
   */
  static long ofMetric(String name, String file) {
    return OF_METRIC + 3L * name.length() + 2L * file.length();
  }

  /**
   * Returns the memory of a label record.
   *
   * @param json its text, in which a label has at least six bytes
   */
  static long ofLabel(String json) {
    return OF_LABEL + 11L * json.length();
  }
}
