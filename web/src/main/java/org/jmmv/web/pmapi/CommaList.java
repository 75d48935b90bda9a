package org.jmmv.web.pmapi;

import org.jmmv.pcp.FileText;
import org.jmmv.pcp.HeapSize;

/**
 * The parts of a parameter between its commas, one after the other. They have one char per byte.
 */
final class CommaList {
  private final String text;
  private int next; // where the next part begins; -1: there are no more

  private CommaList(String text, int next) {
    this.text = FileText.encode(text);
    this.next = next;
  }

  /** Returns the parts of a parameter; none of an empty text. */
  static CommaList of(String text) {
    return new CommaList(text, text.isEmpty() ? -1 : 0);
  }

  /** Returns the parts of a parameter; an empty one of an empty text. */
  static CommaList ofAtLeastOne(String text) {
    return new CommaList(text, 0);
  }

  /** Returns whether there is exactly one part, none of which has been taken. */
  boolean isSingle() {
    return next == 0 && text.indexOf(',') < 0;
  }

  /** Returns all parts, with the commas. */
  String text() {
    return text;
  }

  boolean hasNext() {
    return next >= 0;
  }

  /** Takes the next part. */
  String next() {
    int comma = text.indexOf(',', next);
    String part = text.substring(next, comma < 0 ? text.length() : comma);
    next = comma < 0 ? -1 : comma + 1;
    return part;
  }

  long bytes() {
    return HeapSize.of(text);
  }
}
