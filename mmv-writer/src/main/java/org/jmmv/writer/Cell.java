package org.jmmv.writer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Where a value is: 8 bytes for a number, and 8 for what mmv(5) calls extra.
 *
 * @param memory in native byte order
 * @param offset in this memory, in bytes; a multiple of 8
 */
record Cell(ByteBuffer memory, int offset) {
  static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  long get() {
    return (long) LONGS.getOpaque(memory, offset);
  }

  void set(long bits) {
    LONGS.setRelease(memory, offset, bits);
  }

  /** Sets a number of a type with 32 bits, and the other four bytes to zero. */
  void setHalf(int bits) {
    set(whole(bits));
  }

  /** Returns the 8 bytes of a number of 32 bits. */
  static long whole(int bits) {
    return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
        ? bits & 0xffff_ffffL
        : (long) bits << Integer.SIZE;
  }

  /** Returns the number of 32 bits in 8 bytes. */
  static int half(long bits) {
    return (int)
        (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? bits : bits >>> Integer.SIZE);
  }

  long add(long summand) {
    return (long) LONGS.getAndAdd(memory, offset, summand);
  }

  boolean replace(long expected, long bits) {
    return LONGS.compareAndSet(memory, offset, expected, bits);
  }

  void setExtra(long bits) {
    LONGS.setRelease(memory, offset + MmvLayout.VALUE_EXTRA, bits);
  }
}
