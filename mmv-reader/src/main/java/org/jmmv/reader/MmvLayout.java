package org.jmmv.reader;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Where things are in an MMV file (mmv(5), {@code mmv_dev.h}). All numbers are in the host's byte
 * order, all offsets are bytes from the start of the file.
 *
 * <pre>
 *   header, 40 bytes
 *    0         4         8                  16                 24        28      32    36
 *   +---------+---------+------------------+------------------+---------+-------+-----+---------+
 *   | "MMV\0" | version | generation 1     | generation 2     | entries | flags | pid | cluster |
 *   +---------+---------+------------------+------------------+---------+-------+-----+---------+
 *   table of contents (TOC), right behind the header: entries of 16 bytes
 *   +------+-------+------------------+
 *   | type | count | section's offset |
 *   +------+-------+------------------+
 * </pre>
 */
final class MmvLayout {
  static final ValueLayout.OfInt INT = JAVA_INT_UNALIGNED;
  static final ValueLayout.OfLong LONG = JAVA_LONG_UNALIGNED;

  /** "MMV\0" as an integer in the host's byte order. */
  static final int MAGIC =
      ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 0x00564d4d : 0x4d4d5600;

  static final int HEADER_MAGIC = 0;
  static final int HEADER_VERSION = HEADER_MAGIC + 4;
  static final int HEADER_GENERATION1 = HEADER_VERSION + 4;
  static final int HEADER_GENERATION2 = HEADER_GENERATION1 + 8;
  static final int HEADER_TOC_ENTRIES = HEADER_GENERATION2 + 8;
  static final int HEADER_FLAGS = HEADER_TOC_ENTRIES + 4;
  static final int HEADER_PID = HEADER_FLAGS + 4;
  static final int HEADER_CLUSTER = HEADER_PID + 4;
  static final int HEADER_SIZE = HEADER_CLUSTER + 4;

  static final int TOC_TYPE = 0;
  static final int TOC_COUNT = TOC_TYPE + 4;
  static final int TOC_OFFSET = TOC_COUNT + 4;
  static final int TOC_SIZE = TOC_OFFSET + 8;

  static final int SECTION_INDOMS = 1;
  static final int SECTION_INSTANCES = 2;
  static final int SECTION_METRICS = 3;
  static final int SECTION_VALUES = 4;
  static final int SECTION_STRINGS = 5;
  static final int SECTION_LABELS = 6;

  /** Text that stands in an entry itself: version 1 names. */
  static final int NAME_SIZE = 64;

  /** An entry of the STRINGS section: text with a NUL behind it. */
  static final int STRING_SIZE = 256;

  static final int INDOM_SERIAL = 0;
  static final int INDOM_COUNT = INDOM_SERIAL + 4;
  static final int INDOM_INSTANCES = INDOM_COUNT + 4;
  static final int INDOM_SHORT_HELP = INDOM_INSTANCES + 8;
  static final int INDOM_LONG_HELP = INDOM_SHORT_HELP + 8;
  static final int INDOM_SIZE = INDOM_LONG_HELP + 8;

  static final int INSTANCE_INDOM = 0;
  static final int INSTANCE_NUMBER = INSTANCE_INDOM + 8 + 4; // behind 4 unused bytes
  static final int INSTANCE_NAME = INSTANCE_NUMBER + 4; // version 1: text; else a string's offset
  static final int INSTANCE_SIZE_V1 = INSTANCE_NAME + NAME_SIZE;
  static final int INSTANCE_SIZE_V2 = INSTANCE_NAME + 8;

  static final int METRIC_NAME = 0; // version 1: text; else a string's offset
  static final int METRIC_REST_V1 = METRIC_NAME + NAME_SIZE;
  static final int METRIC_REST_V2 = METRIC_NAME + 8;
  // the rest of a metric's entry, from METRIC_REST on
  static final int METRIC_ITEM = 0;
  static final int METRIC_TYPE = METRIC_ITEM + 4;
  static final int METRIC_SEMANTICS = METRIC_TYPE + 4;
  static final int METRIC_UNITS = METRIC_SEMANTICS + 4;
  static final int METRIC_INDOM = METRIC_UNITS + 4;
  static final int METRIC_SHORT_HELP = METRIC_INDOM + 4 + 4; // behind 4 unused bytes
  static final int METRIC_LONG_HELP = METRIC_SHORT_HELP + 8;
  static final int METRIC_REST_SIZE = METRIC_LONG_HELP + 8;

  static final int VALUE_VALUE = 0;
  static final int VALUE_EXTRA = VALUE_VALUE + 8;
  static final int VALUE_METRIC = VALUE_EXTRA + 8;
  static final int VALUE_INSTANCE = VALUE_METRIC + 8;
  static final int VALUE_SIZE = VALUE_INSTANCE + 8;

  static final int LABEL_FLAGS = 0;
  static final int LABEL_IDENTITY = LABEL_FLAGS + 4;
  static final int LABEL_INSTANCE = LABEL_IDENTITY + 4;
  static final int LABEL_JSON = LABEL_INSTANCE + 4;
  static final int LABEL_JSON_SIZE = 244;
  static final int LABEL_SIZE = LABEL_JSON + LABEL_JSON_SIZE;

  /** Sections with more entries are ignored, as by pmdammv(1). */
  static final int MAX_METRICS = 1023;

  /** Sections with more entries are ignored, as by pmdammv(1). */
  static final int MAX_LABELS = 255;

  private MmvLayout() {}

  static int instanceSize(int version) {
    return version == 1 ? INSTANCE_SIZE_V1 : INSTANCE_SIZE_V2;
  }

  static int metricRest(int version) {
    return version == 1 ? METRIC_REST_V1 : METRIC_REST_V2;
  }

  /** The bytes of an entry of a section, 0 if the type is unknown. */
  static int entrySize(int type, int version) {
    return switch (type) {
      case SECTION_INDOMS -> INDOM_SIZE;
      case SECTION_INSTANCES -> instanceSize(version);
      case SECTION_METRICS -> metricSize(version);
      case SECTION_VALUES -> VALUE_SIZE;
      case SECTION_STRINGS -> STRING_SIZE;
      case SECTION_LABELS -> LABEL_SIZE;
      default -> 0;
    };
  }

  static int metricSize(int version) {
    return metricRest(version) + METRIC_REST_SIZE;
  }
}
