package org.jmmv.reader;

/**
 * A fault of a file, as text for the log. Bytes from the file are {@linkplain #printable escaped},
 * so a fault is always one line of printable ASCII.
 *
 * @param file the file's name in its directory; empty for a fault of the directory
 * @param entry the faulty record, for example "metric[3]"; empty for the file as a whole
 * @param offset the record's offset in bytes from the start of the file
 * @param reason the problem, and what is left out as a consequence
 */
public record MmvFault(String file, String entry, long offset, String reason) {

  /**
   * Returns the line for the log, for example {@code app: metric[3] at 416: name offset 70000 is
   * beyond the file's 6816 bytes, left out}.
   */
  @Override
  public String toString() {
    return entry.isEmpty()
        ? printable(file) + ": " + reason
        : printable(file) + ": " + entry + " at " + offset + ": " + reason;
  }

  /**
   * Returns a text in which the backslash and every char that is not printable ASCII are replaced
   * by {@code \xNN}, with at least two hexadecimal digits.
   */
  public static String printable(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c <= '~' && c != '\\') {
        out.append(c);
      } else {
        out.append("\\x").append(String.format("%02x", (int) c));
      }
    }
    return out.toString();
  }
}
