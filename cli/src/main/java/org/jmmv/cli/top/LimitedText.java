package org.jmmv.cli.top;

import java.util.regex.Pattern;

/**
 * A text of which {@link Pattern} can read a limited number of characters. Pattern backtracks, so
 * that an expression such as {@code (a+)+x} takes exponential time with a name that an application
 * has chosen for it.
 */
final class LimitedText implements CharSequence {
  /**
   * The maximum number of characters to read, each time it is read. A name with its instance has at
   * most 772; what is not pathological reads each of them a few times.
   */
  private static final int MAX_READS = 10_000;

  private static final class LimitReached extends RuntimeException {
    private static final long serialVersionUID = 1;

    LimitReached() {
      super(
          null, null, false, false); // without a stack trace, which would take longer than matching
    }
  }

  private final String text;
  private int reads;

  private LimitedText(String text) {
    this.text = text;
  }

  /** Returns whether a part of a text matches, as far as can be found out within the limit. */
  static boolean contains(Pattern pattern, String text) {
    try {
      return pattern.matcher(new LimitedText(text)).find();
    } catch (LimitReached | StackOverflowError e) { // each repetition of a group is a recursion
      return false;
    }
  }

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public char charAt(int index) {
    if (++reads > MAX_READS) {
      throw new LimitReached();
    }
    return text.charAt(index);
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return text.subSequence(start, end);
  }

  @Override
  public String toString() {
    return text;
  }
}
