package org.jmmv.reader;

import java.nio.ByteOrder;

/**
 * Layout of an MMV file (mmv(5), {@code mmv_dev.h}). All numbers are in the host's byte order. All
 * offsets are in bytes from the start of the file. Known writers align records to 8 bytes, but the
 * reader does not require that. Version 3 has the layout of version 2.
 *
 * <pre>
 *   Header, 40 bytes
 *    0         4         8              16             24            28      32    36        40
 *   +---------+---------+--------------+--------------+-------------+-------+-----+---------+
 *   | "MMV\0" | version | generation 1 | generation 2 | TOC entries | flags | pid | cluster |
 *   +---------+---------+--------------+--------------+-------------+-------+-----+---------+
 *
 *   Entry of the table of contents (TOC), 16 bytes; the table follows the header
 *    0              4       8                    16
 *   +--------------+-------+---------------------+
 *   | section type | count | offset of section   |
 *   +--------------+-------+---------------------+
 *
 *   INDOMS entry (instance domain), 32 bytes
 *    0        4       8                          16                     24                    32
 *   +--------+-------+--------------------------+----------------------+---------------------+
 *   | serial | count | offset of 1st instance   | offset of short help | offset of long help |
 *   +--------+-------+--------------------------+----------------------+---------------------+
 *
 *   INSTANCES entry, version 1: 80 bytes
 *    0                 8        12       16                                  80
 *   +-----------------+--------+--------+-----------------------------------+
 *   | offset of indom | unused | number | name, ends with a NUL or the field|
 *   +-----------------+--------+--------+-----------------------------------+
 *
 *   INSTANCES entry, version 2: 24 bytes
 *    0                 8        12       16               24
 *   +-----------------+--------+--------+----------------+
 *   | offset of indom | unused | number | offset of name |
 *   +-----------------+--------+--------+----------------+
 *
 *   METRICS entry, version 1: 104 bytes
 *    0                                      64
 *   +--------------------------------------+---------
 *   | name, ends with a NUL or the field   | rest ...
 *   +--------------------------------------+---------
 *
 *   METRICS entry, version 2: 48 bytes
 *    0                8
 *   +----------------+---------
 *   | offset of name | rest ...
 *   +----------------+---------
 *
 *   The rest of a METRICS entry, 40 bytes
 *    0      4      8           12      16             20       24            32           40
 *   +------+------+-----------+-------+--------------+--------+-------------+------------+
 *   | item | type | semantics | units | indom serial | unused | offset of   | offset of  |
 *   |      |      |           |       |              |        | short help  | long help  |
 *   +------+------+-----------+-------+--------------+--------+-------------+------------+
 *
 *   VALUES entry, 32 bytes
 *    0       8       16                 24                   32
 *   +-------+-------+------------------+--------------------+
 *   | value | extra | offset of metric | offset of instance |
 *   +-------+-------+------------------+--------------------+
 *
 *   String, 1 to 256 bytes; libpcp_mmv writes an entry of 256 bytes of the STRINGS section for each,
 *   but an offset may refer to any bytes
 *    0
 *   +-----------------------------------+
 *   | at most 255 bytes of text, a NUL  |
 *   +-----------------------------------+
 *
 *   LABELS entry, 256 bytes
 *    0       4          8          12                                   256
 *   +-------+----------+----------+------------------------------------+
 *   | flags | identity | instance | JSON, ends with a NUL or the field |
 *   +-------+----------+----------+------------------------------------+
 * </pre>
 */
final class MmvLayout {
  /** The bytes "MMV\0", read as an integer in the host's byte order. */
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

  /** The size of a name in version 1, where it is part of the entry, in bytes. */
  static final int NAME_SIZE = 64;

  /** The maximum size of a string with its NUL, in bytes. */
  static final int STRING_SIZE = 256;

  static final int INDOM_SERIAL = 0;
  static final int INDOM_COUNT = INDOM_SERIAL + 4;
  static final int INDOM_INSTANCES = INDOM_COUNT + 4;
  static final int INDOM_SHORT_HELP = INDOM_INSTANCES + 8;
  static final int INDOM_LONG_HELP = INDOM_SHORT_HELP + 8;
  static final int INDOM_SIZE = INDOM_LONG_HELP + 8;

  static final int INSTANCE_INDOM = 0;
  static final int INSTANCE_NUMBER = INSTANCE_INDOM + 8 + 4; // after 4 unused bytes
  static final int INSTANCE_NAME = INSTANCE_NUMBER + 4; // version 1: text; else a string's offset
  static final int INSTANCE_SIZE_V1 = INSTANCE_NAME + NAME_SIZE;
  static final int INSTANCE_SIZE_V2 = INSTANCE_NAME + 8;

  static final int METRIC_NAME = 0; // version 1: text; else a string's offset
  static final int METRIC_REST_V1 = METRIC_NAME + NAME_SIZE;
  static final int METRIC_REST_V2 = METRIC_NAME + 8;

  // relative to the rest of a METRICS entry
  static final int METRIC_ITEM = 0;
  static final int METRIC_TYPE = METRIC_ITEM + 4;
  static final int METRIC_SEMANTICS = METRIC_TYPE + 4;
  static final int METRIC_UNITS = METRIC_SEMANTICS + 4;
  static final int METRIC_INDOM = METRIC_UNITS + 4;
  static final int METRIC_SHORT_HELP = METRIC_INDOM + 4 + 4; // after 4 unused bytes
  static final int METRIC_LONG_HELP = METRIC_SHORT_HELP + 8;
  static final int METRIC_REST_SIZE = METRIC_LONG_HELP + 8;

  static final int VALUE_VALUE = 0;
  static final int VALUE_EXTRA = VALUE_VALUE + 8;
  static final int VALUE_METRIC = VALUE_EXTRA + 8;
  static final int VALUE_INSTANCE = VALUE_METRIC + 8;
  static final int VALUE_SIZE = VALUE_INSTANCE + 8;
  static final int VALUE_LONGS = VALUE_SIZE / Long.BYTES;

  static final int LABEL_FLAGS = 0;
  static final int LABEL_IDENTITY = LABEL_FLAGS + 4;
  static final int LABEL_INSTANCE = LABEL_IDENTITY + 4;
  static final int LABEL_JSON = LABEL_INSTANCE + 4;
  static final int LABEL_JSON_SIZE = 244;
  static final int LABEL_SIZE = LABEL_JSON + LABEL_JSON_SIZE;

  /**
   * The maximum number of entries of the table of contents. Files of known writers have two to
   * seven; more are needed only for several sections of the same type.
   */
  static final int MAX_TOC_ENTRIES = 256;

  /**
   * The maximum number of entries of a METRICS section. Like pmdammv(1), the reader ignores a
   * larger section.
   */
  static final int MAX_METRICS = 1023;

  /**
   * The number of METRICS entries of a file after which further sections are ignored. Known writers
   * write a single section.
   */
  static final int MAX_METRICS_OF_FILE = 4 * MAX_METRICS;

  /**
   * The maximum number of INDOMS entries of a file. A file has 1,024 items, so more instance
   * domains can't have metrics.
   */
  static final int MAX_INDOMS = 4096;

  /**
   * The maximum number of entries of a LABELS section. Like pmdammv(1), the reader ignores a larger
   * section.
   */
  static final int MAX_LABELS = 255;

  private MmvLayout() {}

  /** Returns the size of an INSTANCES entry in bytes. */
  static int instanceSize(int version) {
    return version == 1 ? INSTANCE_SIZE_V1 : INSTANCE_SIZE_V2;
  }

  /** Returns the offset of the rest of a METRICS entry from the start of the entry, in bytes. */
  static int metricRest(int version) {
    return version == 1 ? METRIC_REST_V1 : METRIC_REST_V2;
  }

  /** Returns the size of an entry of a section in bytes, 0 if the section type is unknown. */
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

  /** Returns the name of a section, as in the picture above; "type 7" for an unknown type. */
  static String sectionName(int type) {
    return switch (type) {
      case SECTION_INDOMS -> "INDOMS";
      case SECTION_INSTANCES -> "INSTANCES";
      case SECTION_METRICS -> "METRICS";
      case SECTION_VALUES -> "VALUES";
      case SECTION_STRINGS -> "STRINGS";
      case SECTION_LABELS -> "LABELS";
      default -> "type " + type;
    };
  }

  /** Returns the size of a METRICS entry in bytes. */
  static int metricSize(int version) {
    return metricRest(version) + METRIC_REST_SIZE;
  }
}
