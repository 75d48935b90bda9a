package org.jmmv.reader;

import java.util.HexFormat;

/**
 * A fault of a file, as text for the log. Bytes from the file are {@linkplain #printable escaped},
 * so a fault is always one line of printable ASCII.
 *
 * @param file the file's name in its directory, empty for a fault of the directory; for a {@link
 *     MmvDirectories.Listener} the text of the {@link FileName}, or the directory's path
 * @param entry the faulty record, for example "metric[3]"; empty for the file as a whole
 * @param offset the record's offset in bytes from the start of the file
 * @param reason the problem, and what is left out as a consequence
 * @param more the number of further faults of the same kind
 */
public record MmvFault(String file, String entry, long offset, String reason, int more) {
  private static final int MAX_PRINTABLE = 300; // more than a file's or metric's name usually has

  /** Creates a fault that is the only one of its kind. */
  public MmvFault(String file, String entry, long offset, String reason) {
    this(file, entry, offset, reason, 0);
  }

  /** Creates a fault of a file as a whole. */
  public MmvFault(String file, String reason) {
    this(file, "", 0, reason);
  }

  /** Returns the same fault with another text in place of the file's name. */
  MmvFault of(String other) {
    return other.equals(file) ? this : new MmvFault(other, entry, offset, reason, more);
  }

  MmvFault andMore(int number) {
    return new MmvFault(file, entry, offset, reason, number);
  }

  /**
   * Returns the line for the log, for example {@code app: metric[3] at 416: name offset 70000 is
   * beyond the file's 6816 bytes, left out (and 2 more like it)}.
   */
  @Override
  public String toString() {
    return printable(file) + ": " + sentence();
  }

  /** Returns the line for the log without the file's name. */
  public String sentence() {
    String place = entry.isEmpty() ? "" : entry + " at " + offset + ": ";
    String others = more == 0 ? "" : " (and " + more + " more like it)";
    return place + reason + others;
  }

  /**
   * Returns a text in which the backslash and every char that is not printable ASCII are replaced
   * by {@code \xNN}, with two hexadecimal digits (four for a char above 255). The result is cut to
   * {@value #MAX_PRINTABLE} chars, followed by "...", so that a file can't fill the log with one
   * name.
   */
  public static String printable(String text) {
    return escaped(text, ' ', MAX_PRINTABLE);
  }

  /** Returns a text as {@link #printable} does, but not cut. */
  public static String escaped(String text) {
    return escaped(text, ' ', Integer.MAX_VALUE);
  }

  /**
   * Returns a text as one word: as {@link #printable}, but blanks are escaped, too, and it is not
   * cut. Different texts result in different words.
   */
  public static String word(String text) {
    return escaped(text, '!', Integer.MAX_VALUE);
  }

  /**
   * Escapes chars.
   *
   * @param first the first char that is not escaped
   * @param most the maximum length; what is longer is cut
   */
  private static String escaped(String text, char first, int most) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      int before = out.length();
      char c = text.charAt(i);
      if (c >= first && c <= '~' && c != '\\') {
        out.append(c);
      } else {
        out.append("\\x").append(HexFormat.of().toHexDigits(c, c > 0xff ? 4 : 2));
      }
      if (out.length() > most) {
        return out.replace(before, out.length(), "...").toString();
      }
    }
    return out.toString();
  }
}
