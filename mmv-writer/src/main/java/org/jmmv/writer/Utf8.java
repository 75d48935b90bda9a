package org.jmmv.writer;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Texts as bytes. */
final class Utf8 {
  private Utf8() {}

  /** Returns as many of a text's characters as have room in a number of bytes, up to a NUL. */
  static byte[] encode(String text, int max) {
    CharsetEncoder encoder =
        StandardCharsets.UTF_8
            .newEncoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    int end = text.indexOf('\0');
    ByteBuffer bytes = ByteBuffer.allocate(max);
    encoder.encode(CharBuffer.wrap(text, 0, end < 0 ? text.length() : end), bytes, true);
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  /** Returns whether a text has room in a number of bytes. */
  static boolean fits(String text, int max) {
    return text.indexOf('\0') < 0 && text.getBytes(StandardCharsets.UTF_8).length <= max;
  }
}
