package org.jmmv.writer;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** Texts as bytes. */
final class Utf8 {
  private static final int CONTINUATION = 0b1000_0000; // of a character: 10xxxxxx

  private Utf8() {}

  /** Returns as many of a text's characters as have room in a number of bytes, up to a NUL. */
  static byte[] encode(String text, int max) {
    int end = text.indexOf('\0');
    byte[] bytes = (end < 0 ? text : text.substring(0, end)).getBytes(UTF_8);
    if (bytes.length <= max) {
      return bytes;
    }
    int size = max;
    while ((bytes[size] & 0b1100_0000) == CONTINUATION) {
      size--;
    }
    return Arrays.copyOf(bytes, size);
  }

  /** Returns whether a text has room in a number of bytes. */
  static boolean fits(String text, int max) {
    return text.indexOf('\0') < 0 && text.getBytes(UTF_8).length <= max;
  }
}
