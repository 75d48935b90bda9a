package org.jmmv.core.derived;

import org.jmmv.pcp.FileText;

/** An expression that can't be read, or that makes no sense for its metrics. */
public final class ExpressionException extends Exception {
  private static final long serialVersionUID = 1;

  private final int position;

  ExpressionException(int position, String message) {
    super(message);
    this.position = position;
  }

  /** Returns where in the expression the fault is, in bytes from its beginning. */
  int position() {
    return position;
  }

  /**
   * Returns the message for people, with the place of the fault.
   *
   * @param expression one char per byte
   */
  public String in(String expression) {
    String before = FileText.decode(expression.substring(0, position));
    return "%s, at char %d of %s"
        .formatted(
            getMessage(),
            before.codePointCount(0, before.length()) + 1,
            FileText.decode(expression));
  }
}
