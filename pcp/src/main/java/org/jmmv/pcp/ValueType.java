package org.jmmv.pcp;

import java.util.List;
import java.util.Locale;

/**
 * The types of values, {@code PM_TYPE_*} of {@code <pcp/pmapi.h>}; see pmLookupDesc(3). They are
 * {@code int}s and not an enum because files and peers may send any number.
 */
public final class ValueType {

  /** The agent does not support the metric: there are no values. */
  public static final int NOSUPPORT = -1;

  /** A signed 32-bit integer, {@code PM_TYPE_32}. */
  public static final int I32 = 0;

  /** An unsigned 32-bit integer. */
  public static final int U32 = 1;

  /** A signed 64-bit integer, {@code PM_TYPE_64}. */
  public static final int I64 = 2;

  /** An unsigned 64-bit integer. */
  public static final int U64 = 3;

  /** A 32-bit IEEE 754 number. */
  public static final int FLOAT = 4;

  /** A 64-bit IEEE 754 number. */
  public static final int DOUBLE = 5;

  /** Bytes; in a value block they end with a NUL. */
  public static final int STRING = 6;

  /** Arbitrary binary data. */
  public static final int AGGREGATE = 7;

  /** Packed event records. */
  public static final int EVENT = 9;

  /** Packed event records with nanosecond timestamps. */
  public static final int HIGHRES_EVENT = 10;

  private static final List<String> NAMES =
      List.of(
          "32",
          "u32",
          "64",
          "u64",
          "float",
          "double",
          "string",
          "aggregate",
          "aggregate_static",
          "event",
          "highres_event");

  private ValueType() {}

  /** Returns the size of a number of this type in bytes, 4 or 8; -1 for all other types. */
  public static int size(int type) {
    return switch (type) {
      case I32, U32, FLOAT -> 4;
      case I64, U64, DOUBLE -> 8;
      default -> -1;
    };
  }

  /**
   * Returns the name that PCP's tools show: {@code 32}, {@code u64}, {@code float}, {@code
   * highres_event}; {@code unsupported} or {@code unknown} for other numbers.
   */
  public static String toString(int type) {
    return type == NOSUPPORT ? "unsupported" : isKnown(type) ? NAMES.get(type) : "unknown";
  }

  private static boolean isKnown(int type) {
    return type >= 0 && type < NAMES.size();
  }

  /** Returns the name that pmTypeStr(3) returns: {@code U64}, {@code NO_SUPPORT}, {@code ???}. */
  public static String pcpName(int type) {
    return type == NOSUPPORT
        ? "NO_SUPPORT"
        : isKnown(type) ? NAMES.get(type).toUpperCase(Locale.ROOT) : "???";
  }

  /**
   * Returns a number in decimal form, or {@code NaN}, {@code Infinity} or {@code -Infinity}.
   *
   * @param type one of {@link #I32} to {@link #DOUBLE}
   * @param bits the value as in {@link ValueSink#numbers}
   */
  public static String decimal(int type, long bits) {
    return switch (type) {
      case I32 -> Integer.toString((int) bits);
      case U32 -> Integer.toUnsignedString((int) bits);
      case I64 -> Long.toString(bits);
      case U64 -> Long.toUnsignedString(bits);
      case FLOAT -> Float.toString(Float.intBitsToFloat((int) bits));
      case DOUBLE -> Double.toString(Double.longBitsToDouble(bits));
      default -> throw new IllegalArgumentException("type " + type);
    };
  }

  /** Returns a number as the nearest double; the arguments are those of {@link #decimal}. */
  public static double number(int type, long bits) {
    return switch (type) {
      case I32 -> (int) bits;
      case U32 -> Integer.toUnsignedLong((int) bits);
      case U64 -> bits >= 0 ? bits : ((bits >>> 1) | (bits & 1)) * 2.0; // rounded once
      case FLOAT -> Float.intBitsToFloat((int) bits);
      case DOUBLE -> Double.longBitsToDouble(bits);
      default -> bits;
    };
  }

  /**
   * Returns how much larger a number is than an earlier one of the same type, also if both are too
   * large for a double; negative if it is smaller. NaN if either is NaN.
   */
  public static double increase(int type, long before, long now) {
    return switch (type) {
      case I64 -> difference(now < before, before, now);
      case U64 -> difference(Long.compareUnsigned(now, before) < 0, before, now);
      default -> number(type, now) - number(type, before);
    };
  }

  private static double difference(boolean isSmaller, long before, long now) {
    return isSmaller ? -number(U64, before - now) : number(U64, now - before);
  }
}
