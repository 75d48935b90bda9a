package org.jmmv.pcp;

/**
 * The types of values, {@code PM_TYPE_*} of {@code <pcp/pmapi.h>}. Not an enum: what comes from
 * files and from the wire can be any number.
 */
public final class ValueType {

  public static final int NOSUPPORT = -1;
  public static final int I32 = 0;
  public static final int U32 = 1;
  public static final int I64 = 2;
  public static final int U64 = 3;
  public static final int FLOAT = 4;
  public static final int DOUBLE = 5;

  /** Bytes; in a value block a NUL follows. */
  public static final int STRING = 6;

  public static final int AGGREGATE = 7;
  public static final int AGGREGATE_STATIC = 8;
  public static final int EVENT = 9;
  public static final int HIGHRES_EVENT = 10;

  private ValueType() {}

  /** Bytes of a value of this type, or -1 if they vary or the type is unknown. */
  public static int size(int type) {
    return switch (type) {
      case I32, U32, FLOAT -> 4;
      case I64, U64, DOUBLE -> 8;
      default -> -1;
    };
  }
}
