package org.jmmv.pcp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/**
 * Texts of files and of PCP, for which no character set is defined: a {@code String} has one char
 * per byte. Documents for people and browsers have UTF-8.
 */
public final class FileText {
  private FileText() {}

  /** Returns bytes, given as one char each, as UTF-8. What is not UTF-8 becomes U+FFFD. */
  public static String decode(String bytes) {
    return new String(bytes.getBytes(ISO_8859_1), UTF_8);
  }

  /** Returns bytes, given as one char each, as UTF-8, or unchanged if they are not UTF-8. */
  public static String decodeOrLatin1(String bytes) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.getBytes(ISO_8859_1))).toString();
    } catch (CharacterCodingException e) {
      return bytes;
    }
  }

  /** Returns the bytes of a text in UTF-8, as one char each. */
  public static String encode(String text) {
    return new String(text.getBytes(UTF_8), ISO_8859_1);
  }
}
