package org.jmmv.web.history;

import org.jmmv.pcp.ValueSink;
import org.jmmv.pcp.ValueType;

/** Some numbers of a metric that have just been read. */
final class Batch implements ValueSink {
  /** As many as are looked up at once when a reading goes on, see {@code ValueCursor}. */
  private static final int SIZE = 1024;

  private final int[] instances = new int[SIZE];
  private final long[] values = new long[SIZE];
  private int count;

  @Override
  public int numbers(int type, int[] numbers, long[] bits, int more) {
    int taken = Math.min(more, SIZE - count);
    for (int i = 0; i < taken; i++) {
      instances[count] = numbers[i];
      values[count++] = widened(type, bits[i]);
    }
    return taken;
  }

  /** Returns a number with 64 bits; {@link #narrowed} is the inverse. */
  private static long widened(int type, long bits) {
    return switch (type) {
      case ValueType.I32 -> (int) bits;
      case ValueType.U32 -> Integer.toUnsignedLong((int) bits);
      case ValueType.FLOAT -> Double.doubleToRawLongBits(Float.intBitsToFloat((int) bits));
      default -> bits;
    };
  }

  /** Returns the bits of a number as {@link ValueType} takes them. */
  static long narrowed(int type, long number) {
    return type == ValueType.FLOAT
        ? Float.floatToRawIntBits((float) Double.longBitsToDouble(number))
        : number;
  }

  @Override
  public boolean text(int instance, byte[] bytes, int offset, int length) {
    return true; // a metric of another type, at the moment
  }

  /** Forgets the numbers. */
  @Override
  public void clear() {
    count = 0;
  }

  int count() {
    return count;
  }

  int instance(int index) {
    return instances[index];
  }

  long value(int index) {
    return values[index];
  }
}
