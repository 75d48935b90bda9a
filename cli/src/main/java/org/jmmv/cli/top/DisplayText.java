package org.jmmv.cli.top;

import org.jline.utils.AttributedString;
import org.jline.utils.WCWidth;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.Printable;

/**
 * Text as a terminal shows it. Names and strings come from files that anybody may have written, so
 * nothing of them reaches the terminal but printable characters.
 */
final class DisplayText {
  private final boolean isUnicode;

  /**
   * Creates a converter.
   *
   * @param isUnicode whether the output shows all of Unicode, otherwise ASCII
   */
  DisplayText(boolean isUnicode) {
    this.isUnicode = isUnicode;
  }

  boolean isUnicode() {
    return isUnicode;
  }

  /**
   * Returns text of a file. Where only ASCII can be shown, other bytes are escaped as in the log.
   * Otherwise characters that are invisible or control the output become question marks.
   *
   * @param bytes one char per byte
   */
  String of(String bytes) {
    return isUnicode ? printable(FileText.decodeOrLatin1(bytes)) : Printable.printable(bytes);
  }

  /** As {@link #of}, for text that is not from a file and was decoded. */
  String ofDecoded(String text) {
    return isUnicode ? printable(text) : Printable.printable(text);
  }

  private static String printable(String text) {
    StringBuilder shown = new StringBuilder();
    text.codePoints().map(c -> isPrintable(c) ? c : '?').forEach(shown::appendCodePoint);
    return shown.toString();
  }

  private static boolean isPrintable(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.PRIVATE_USE,
          Character.SURROGATE,
          Character.UNASSIGNED ->
          false;
      default -> WCWidth.wcwidth(c) >= 0;
    };
  }

  /** Returns the number of columns that a text takes on a terminal. */
  static int width(String text) {
    return new AttributedString(text).columnLength();
  }

  /** Returns a text of at most a number of columns: what is cut is marked at the end. */
  String cut(String text, int width) {
    AttributedString all = new AttributedString(text);
    return all.columnLength() <= width
        ? text
        : width < 1 ? "" : all.columnSubSequence(0, width - 1) + (isUnicode ? "\u2026" : ">");
  }

  /** As {@link #cut}, but leaves out the beginning: long names differ at the end. */
  String cutStart(String text, int width) {
    if (width(text) <= width) {
      return text;
    }
    int start = 0;
    for (int excess = width(text) - width + 1; excess > 0 && start < text.length(); ) {
      int codePoint = text.codePointAt(start);
      excess -= Math.max(0, WCWidth.wcwidth(codePoint));
      start += Character.charCount(codePoint);
    }
    return width < 1 ? "" : (isUnicode ? "\u2026" : "<") + text.substring(start);
  }

  /** Returns a text of exactly a number of columns, cut or with blanks behind it. */
  String left(String text, int width) {
    String shown = cut(text, width);
    return shown + blanks(shown, width);
  }

  /** As {@link #left}, with blanks before the text. */
  String right(String text, int width) {
    String shown = cut(text, width);
    return blanks(shown, width) + shown;
  }

  private static String blanks(String text, int width) {
    return " ".repeat(Math.max(0, width - width(text)));
  }
}
