package org.jmmv.writer;

/**
 * Where what is in a file, see mmv(5), and in which order this library writes it. All sizes and
 * offsets are in bytes.
 *
 * <pre>
 *      0  header            magic, version, generations 1 and 2, count of the TOC, flags, PID, cluster
 *     40  TOC               for each section: type, count, offset
 *    136  METRICS           {@link #MAX_METRICS}
 *         INDOMS
 *         LABELS
 *         VALUES
 *         INSTANCES, twice
 *         STRINGS           grows at the end of the file
 * </pre>
 */
final class MmvLayout {
  // the header
  static final int VERSION = 4;
  static final int GENERATION1 = 8;
  static final int GENERATION2 = 16;
  static final int TOC_COUNT = 24;
  static final int FLAGS = 28;
  static final int PID = 32;
  static final int CLUSTER = 36;

  // flags in the header
  static final int NO_PREFIX = 1;
  static final int PROCESS = 2;
  static final int SENTINEL = 4;

  /** The version that has labels. */
  static final int VERSION_OF_LABELS = 3;

  // the TOC
  static final int TOC = 40;
  static final int TOC_ENTRY = 16;
  static final int MAX_TOC = 6;

  // types of sections
  static final int INDOMS = 1;
  static final int INSTANCES = 2;
  static final int METRICS = 3;
  static final int VALUES = 4;
  static final int STRINGS = 5;
  static final int LABELS = 6;

  // sizes of records; those of metrics and instances in version 1, and from version 2 on
  static final int IN_DOM = 32;
  static final int VALUE = 32;
  static final int LABEL = 256;
  static final int METRIC_1 = 104;
  static final int METRIC_2 = 48;
  static final int INSTANCE_1 = 80;
  static final int INSTANCE_2 = 24;

  /** The size of a string, with the NUL at its end. */
  static final int STRING = 256;

  /** The maximum size of the name of a metric or an instance in version 1, with the NUL. */
  static final int SHORT_NAME = 64;

  /** The maximum size of a label's JSON, with the NUL. */
  static final int JSON = 244;

  /** The maximum number of metrics: pmdammv ignores more. */
  static final int MAX_METRICS = 1_023;

  /** The largest item. */
  static final int MAX_ITEM = 1_023;

  /** The largest serial of an instance domain: the cluster takes the bits above it. */
  static final int MAX_SERIAL = 2_047;

  private MmvLayout() {}
}
