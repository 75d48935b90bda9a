package org.jmmv.cli;

import java.util.ArrayList;
import java.util.List;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.MmvMetric;
import org.jmmv.reader.MmvSchema;

/** The names of mmv(5) for the numbers in a file. */
final class MmvNames {
  private MmvNames() {}

  /** Returns the name of a metric's type, or its number if it has none. */
  static String type(int type) {
    return switch (type) {
      case ValueType.NOSUPPORT -> "NOSUPPORT";
      case ValueType.I32 -> "I32";
      case ValueType.U32 -> "U32";
      case ValueType.I64 -> "I64";
      case ValueType.U64 -> "U64";
      case ValueType.FLOAT -> "FLOAT";
      case ValueType.DOUBLE -> "DOUBLE";
      case ValueType.STRING -> "STRING";
      case MmvMetric.ELAPSED -> "ELAPSED";
      default -> Integer.toString(type);
    };
  }

  /** Returns the name of a metric's semantics, or its number if it has none. */
  static String semantics(int semantics) {
    return switch (semantics) {
      case Semantics.COUNTER, Semantics.INSTANT, Semantics.DISCRETE ->
          Semantics.toString(semantics);
      default -> Integer.toString(semantics);
    };
  }

  /** Returns the names of the flags in a header; the other bits as one hexadecimal number. */
  static List<String> flags(int flags) {
    List<String> names = new ArrayList<>();
    int rest = flags;
    rest = take(rest, MmvSchema.FLAG_NOPREFIX, "NOPREFIX", names);
    rest = take(rest, MmvSchema.FLAG_PROCESS, "PROCESS", names);
    rest = take(rest, MmvSchema.FLAG_SENTINEL, "SENTINEL", names);
    if (rest != 0) {
      names.add("0x" + Integer.toHexString(rest));
    }
    return names;
  }

  private static int take(int flags, int flag, String name, List<String> names) {
    if ((flags & flag) != 0) {
      names.add(name);
    }
    return flags & ~flag;
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
