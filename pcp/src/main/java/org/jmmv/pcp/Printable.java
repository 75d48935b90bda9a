package org.jmmv.pcp;

import java.util.HexFormat;

/**
 * Escapes text from files and clients, so that it can be shown: every char that is not printable
 * ASCII, and the backslash, become {@code \xNN} with two hexadecimal digits (four for a char above
 * 255).
 */
public final class Printable {
  private static final int MAX_LENGTH = 300; // more than a file's or metric's name usually has

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
   * Returns a name of a file or an instance, given as one char per byte, for a document in UTF-8:
   * unchanged if it is UTF-8 and has no backslash, otherwise as {@link #word} does. Different names
   * result in different texts.
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
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      int before = out.length();
      char c = text.charAt(i);
      if (isPlain(c, first)) {
        out.append(c);
      } else {
        out.append("\\x");
        if (c > 0xff) {
          HexFormat.of().toHexDigits(out, (byte) (c >> Byte.SIZE));
        }
        HexFormat.of().toHexDigits(out, (byte) c);
      }
      if (out.length() > maxLength) {
        return out.replace(before, out.length(), "...").toString();
      }
    }
    return out.toString();
  }

  private static boolean isPlain(char c, char first) {
    return c >= first && c <= '~' && c != '\\';
  }
}
