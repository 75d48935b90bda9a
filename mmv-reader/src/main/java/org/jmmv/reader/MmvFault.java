package org.jmmv.reader;

/**
 * A fault of a file, in words for the log. Bytes that come from the file are {@linkplain #printable
 * escaped}, so a fault is always one line of printable ASCII.
 *
 * @param file the file's name in its directory
 * @param entry the part at fault ("metric[3]"), empty for the file as a whole
 * @param offset where the part begins, in bytes from the start of the file
 * @param reason what is wrong, and what is left out because of it
 */
public record MmvFault(String file, String entry, long offset, String reason) {

  /** {@code app: metric[3] at 416: name offset 70000 beyond the file's 6816 bytes, left out}. */
  @Override
  public String toString() {
    return entry.isEmpty()
        ? printable(file) + ": " + reason
        : printable(file) + ": " + entry + " at " + offset + ": " + reason;
  }

  /**
   * {@code text} with every char that is not printable ASCII, and the backslash, as {@code \xNN}.
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
