package org.jmmv.cli;

import java.util.ArrayList;
import java.util.List;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.MmvMetric;

/** The names of mmv(5) for the numbers in a file. */
final class MmvNames {
  /** The types from 0 on. */
  private static final List<String> TYPES =
      List.of("I32", "U32", "I64", "U64", "FLOAT", "DOUBLE", "STRING");

  /** The flags of a header, from the lowest bit on. */
  private static final List<String> FLAGS = List.of("NOPREFIX", "PROCESS", "SENTINEL");

  private MmvNames() {}

  /** Returns the name of a metric's type, or its number if it has none. */
  static String type(int type) {
    return switch (type) {
      case ValueType.NOSUPPORT -> "NOSUPPORT";
      case MmvMetric.ELAPSED -> "ELAPSED";
      default -> type >= 0 && type < TYPES.size() ? TYPES.get(type) : Integer.toString(type);
    };
  }

  /** Returns the name of a metric's semantics, or its number if it has none. */
  static String semantics(int semantics) {
    return Semantics.isKnown(semantics)
        ? Semantics.toString(semantics)
        : Integer.toString(semantics);
  }

  /** Returns the names of the flags in a header; the other bits as one hexadecimal number. */
  static List<String> flags(int flags) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < FLAGS.size(); i++) {
      if ((flags >>> i & 1) != 0) {
        names.add(FLAGS.get(i));
      }
    }
    int others = flags >>> FLAGS.size() << FLAGS.size();
    if (others != 0) {
      names.add("0x" + Integer.toHexString(others));
    }
    return names;
  }

  /** Returns what a label record with these flags labels. */
  static String labelled(int flags) {
    return switch (flags & ~(LabelType.COMPOUND | LabelType.OPTIONAL)) {
      case LabelType.CONTEXT -> "context";
      case LabelType.DOMAIN -> "domain";
      case LabelType.CLUSTER -> "cluster";
      case LabelType.ITEM -> "item";
      case LabelType.INDOM -> "indom";
      case LabelType.INSTANCES -> "instance";
      default -> "flags 0x" + Integer.toHexString(flags);
    };
  }
}
