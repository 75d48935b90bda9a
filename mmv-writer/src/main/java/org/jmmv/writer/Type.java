package org.jmmv.writer;

/** The type of a metric's values, see mmv(5). */
public enum Type {
  /** 32 bits, signed. */
  I32(0),

  /** 32 bits, unsigned. */
  U32(1),

  /** 64 bits, signed. */
  I64(2),

  /** 64 bits, unsigned. */
  U64(3),

  /** 32 bits, IEEE 754. */
  FLOAT(4),

  /** 64 bits, IEEE 754. */
  DOUBLE(5),

  /** A text of at most 255 bytes of UTF-8. */
  STRING(6),

  /** A time in microseconds, which can include a section in progress. Served as {@link #I64}. */
  ELAPSED(9);

  final int code;

  Type(int code) {
    this.code = code;
  }

  boolean isInteger() {
    return code <= U64.code;
  }

  boolean isReal() {
    return this == FLOAT || this == DOUBLE;
  }

  /** Returns whether a value has 32 bits. */
  boolean hasHalf() {
    return this == I32 || this == U32 || this == FLOAT;
  }

  /** Returns the number in 32 bits. */
  long widened(int half) {
    return this == U32 ? Integer.toUnsignedLong(half) : half;
  }

  /** Returns the 8 bytes of a real number. */
  long bits(double value) {
    return this == FLOAT
        ? Cell.whole(Float.floatToRawIntBits((float) value))
        : Double.doubleToRawLongBits(value);
  }

  /** Returns the real number in 8 bytes. */
  double real(long bits) {
    return this == FLOAT ? Float.intBitsToFloat(Cell.half(bits)) : Double.longBitsToDouble(bits);
  }
}
