package org.jmmv.web.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * A growing array of bytes. It does without an object or a check per byte that a general buffer
 * needs: most of the time of a scrape is spent here.
 */
final class Bytes {
  private static final int MAX_DIGITS = 20; // of an unsigned number
  private static final long LARGEST_POWER = -8_446_744_073_709_551_616L; // 10^19, unsigned

  /**
   * What an empty one keeps at most: a piece of a page, a large part of a family, and some room.
   */
  static final int MAX_KEPT = 1 << 18;

  private static final String REPLACEMENT = "\ufffd";

  private StringBuilder number; // for floating-point numbers; null: there was none
  private byte[] array = {};
  private int size;

  int size() {
    return size;
  }

  /** Forgets everything from a position on. */
  void truncate(int newSize) {
    size = newSize;
    if (newSize == 0 && array.length > MAX_KEPT) {
      array = new byte[0];
    }
  }

  /** Appends everything to a buffer, and forgets it. */
  void moveTo(ByteBuf out) {
    out.writeBytes(array, 0, size);
    truncate(0);
  }

  byte[] toArray() {
    return Arrays.copyOf(array, size);
  }

  void set(int position, char ascii) {
    array[position] = (byte) ascii;
  }

  private void reserve(int more) {
    if (array.length - size < more) {
      array = Arrays.copyOf(array, Math.max(array.length * 2, size + more));
    }
  }

  Bytes add(byte[] bytes) {
    reserve(bytes.length);
    System.arraycopy(bytes, 0, array, size, bytes.length);
    size += bytes.length;
    return this;
  }

  Bytes add(Bytes other) {
    return add(other, 0, other.size);
  }

  /** Appends a part of others. */
  Bytes add(Bytes other, int from, int to) {
    reserve(to - from);
    System.arraycopy(other.array, from, array, size, to - from);
    size += to - from;
    return this;
  }

  Bytes add(char ascii) {
    reserve(1);
    array[size++] = (byte) ascii;
    return this;
  }

  Bytes addByte(int b) {
    reserve(1);
    array[size++] = (byte) b;
    return this;
  }

  /** Appends a text as it is. */
  Bytes add(String text) {
    return add(text.getBytes(UTF_8));
  }

  /**
   * Appends a text with backslashes before some of its characters; NUL becomes U+FFFD.
   *
   * @param escapes those of backslash, newline and quote that are escaped
   */
  Bytes addEscaped(String text, String escapes) {
    int start = size;
    int length = text.length();
    reserve(length);
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c >= 0x80 || c == 0 || c == '\n' || c == '\\' || c == '"') {
        size = start;
        return add(escaped(text, escapes));
      }
      array[size++] = (byte) c; // nearly all texts have nothing else
    }
    return this;
  }

  private static String escaped(String text, String escapes) {
    StringBuilder escaped = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0) {
        escaped.append(REPLACEMENT);
      } else if (escapes.indexOf(c) < 0) {
        escaped.append(c);
      } else {
        escaped.append('\\').append(c == '\n' ? 'n' : c);
      }
    }
    return escaped.toString();
  }

  /**
   * Appends an integer with a decimal point, without zeros at its end.
   *
   * @param magnitude the digits, an unsigned number
   * @param decimals the number of digits after the point
   */
  Bytes addDecimal(boolean isNegative, long magnitude, int decimals) {
    reserve(2 * MAX_DIGITS + 3);
    if (isNegative) {
      array[size++] = '-';
    }
    long rest = magnitude;
    int left = rest == 0 ? 0 : decimals;
    while (left > 0 && Long.remainderUnsigned(rest, 10) == 0) {
      rest = Long.divideUnsigned(rest, 10);
      left--;
    }
    int digits = digits(rest);
    int length = Math.max(digits, left + 1);
    int point = left == 0 ? -1 : length - left;
    size += length + (left == 0 ? 0 : 1);
    int at = size;
    for (int i = length; i > 0; i--) {
      if (i == point) {
        array[--at] = '.';
      }
      long quotient = quotientOf10(rest);
      array[--at] = (byte) ('0' + (rest - quotient * 10));
      rest = quotient;
    }
    return this;
  }

  /**
   * Divides an unsigned number by 10: with 32 bits if it is small, which takes a fourth of the
   * time.
   */
  private static long quotientOf10(long unsigned) {
    int low = (int) unsigned;
    return low == unsigned && low >= 0 ? low / 10 : Long.divideUnsigned(unsigned, 10);
  }

  /** Returns the number of digits of an unsigned number. */
  private static int digits(long unsigned) {
    if (unsigned < 0) {
      return Long.compareUnsigned(unsigned, LARGEST_POWER) >= 0 ? MAX_DIGITS : MAX_DIGITS - 1;
    }
    int digits = 1;
    for (long power = 10; unsigned >= power && digits < MAX_DIGITS - 1; power *= 10) {
      digits++;
    }
    return digits;
  }

  /** Appends a number as Prometheus reads it. */
  Bytes addNumber(double value) {
    if (Double.isInfinite(value)) {
      return add(value > 0 ? "+Inf" : "-Inf");
    }
    return addAscii(emptyNumber().append(value));
  }

  /** Appends a number as Prometheus reads it, with the digits of a float. */
  Bytes addNumber(float value) {
    if (Float.isInfinite(value)) {
      return addNumber((double) value);
    }
    return addAscii(emptyNumber().append(value));
  }

  private StringBuilder emptyNumber() {
    number = number == null ? new StringBuilder() : number;
    number.setLength(0);
    return number;
  }

  private Bytes addAscii(StringBuilder text) {
    reserve(text.length());
    for (int i = 0; i < text.length(); i++) {
      array[size++] = (byte) text.charAt(i);
    }
    return this;
  }

  /** Appends a number as protobuf does: seven bits a byte, the lowest ones first. */
  Bytes addVarint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      addByte((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    return addByte((int) rest);
  }

  /** Appends the eight bytes of a double in little endian order, as protobuf does. */
  Bytes addDouble(double value) {
    long bits = Double.doubleToRawLongBits(value);
    for (int i = 0; i < Long.BYTES; i++) {
      addByte((int) (bits >>> (Byte.SIZE * i)));
    }
    return this;
  }
}
