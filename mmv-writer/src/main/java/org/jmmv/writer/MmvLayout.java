package org.jmmv.writer;

/**
 * Offsets and sizes in an MMV file, in bytes (mmv(5)), and the order in which this library writes
 * the sections.
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

  // in an entry of the TOC
  static final int COUNT = 4;
  static final int OFFSET = 8;

  // in an instance domain
  static final int IN_DOM_COUNT = 4;
  static final int IN_DOM_INSTANCES = 8;
  static final int IN_DOM_SHORT_HELP = 16;
  static final int IN_DOM_LONG_HELP = 24;

  // in an instance
  static final int INSTANCE_NUMBER = 12;
  static final int INSTANCE_NAME = 16;

  // in a metric, from the end of its name on
  static final int METRIC_TYPE = 4;
  static final int METRIC_SEMANTICS = 8;
  static final int METRIC_UNITS = 12;
  static final int METRIC_SERIAL = 16;
  static final int METRIC_SHORT_HELP = 24;
  static final int METRIC_LONG_HELP = 32;

  // in a value
  static final int VALUE_EXTRA = 8;
  static final int VALUE_METRIC = 16;
  static final int VALUE_INSTANCE = 24;

  /** The number that means that there is no value now, in a file with the flag SENTINEL. */
  static final long NO_VALUE = -1;

  // in a label
  static final int LABEL_IDENTITY = 4;
  static final int LABEL_INSTANCE = 8;
  static final int LABEL_JSON = 12;

  // types of labels, by their objects
  static final int OF_IN_DOM = 4;
  static final int OF_CLUSTER = 8;
  static final int OF_ITEM = 16;
  static final int OF_INSTANCE = 32;

  /** The number of the instance in a label of another object. */
  static final int NO_INSTANCE = -1;

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
