package org.jmmv.core.derived;

/** An expression that can't be read, or that makes no sense for its metrics. */
public final class ExpressionException extends Exception {
  private static final long serialVersionUID = 1;

  private final int position;

  ExpressionException(int position, String message) {
    super(message);
    this.position = position;
  }

  /** Returns where in the expression the fault is, in chars from its beginning. */
  public int position() {
    return position;
  }
}
