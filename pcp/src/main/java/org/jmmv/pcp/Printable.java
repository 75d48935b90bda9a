package org.jmmv.pcp;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Escapes text from files and clients, so that it can be shown: every char that is not printable
 * ASCII, and the backslash, become {@code \xNN} with two hexadecimal digits (four for a char above
 * 255).
 */
public final class Printable {
  private static final int MAX_LENGTH = 300; // more than a file's or metric's name usually has

  /** The length of an escape with four digits. */
  private static final int MAX_ESCAPE = 6;

  private Printable() {}

  /**
   * Returns a text for a message. It is cut to {@value #MAX_LENGTH} chars, followed by "...", so
   * that a file can't fill the log with one name.
   */
  public static String printable(String text) {
    return escaped(text, ' ', MAX_LENGTH);
  }

  /** Returns a text as {@link #printable} does, but not cut. */
  public static String escaped(String text) {
    return escaped(text, ' ', Integer.MAX_VALUE);
  }

  /**
   * Returns a text as one word: blanks are escaped, too, and it is not cut. Different texts result
   * in different words.
   */
  public static String word(String text) {
    return escaped(text, '!', Integer.MAX_VALUE);
  }

  /**
   * Returns a name of a file, given as one char per byte, for a document in UTF-8: unchanged if it
   * is UTF-8 and has no backslash, otherwise as {@link #word} does. Different names result in
   * different texts.
   */
  public static String utf8(String name) {
    String text = FileText.decode(name);
    return text.indexOf('\ufffd') < 0 && text.indexOf('\\') < 0 ? text : word(name);
  }

  /**
   * Escapes chars.
   *
   * @param first the first char that is not escaped
   * @param maxLength what is longer is cut
   */
  private static String escaped(String text, char first, int maxLength) {
    int plain = 0;
    while (plain < text.length() && isPlain(text.charAt(plain), first)) {
      plain++;
    }
    if (plain == text.length() && plain <= maxLength) {
      return text; // as most are
    }
    byte[] out =
        new byte[(int) Math.min((long) MAX_ESCAPE * text.length(), maxLength + (long) MAX_ESCAPE)];
    int length = 0;
    for (int i = 0; i < text.length(); i++) {
      int before = length;
      char c = text.charAt(i);
      if (isPlain(c, first)) {
        out[length++] = (byte) c;
      } else {
        out[length++] = '\\';
        out[length++] = 'x';
        for (int shift = c > 0xff ? 12 : 4; shift >= 0; shift -= 4) {
          out[length++] = (byte) Character.forDigit(c >> shift & 0xf, 16);
        }
      }
      if (length > maxLength) {
        return new String(out, 0, before, US_ASCII) + "...";
      }
    }
    return new String(out, 0, length, US_ASCII);
  }

  private static boolean isPlain(char c, char first) {
    return c >= first && c <= '~' && c != '\\';
  }
}
