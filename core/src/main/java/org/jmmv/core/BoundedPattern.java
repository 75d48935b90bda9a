package org.jmmv.core;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.List;
import java.util.regex.Matcher;
import org.jmmv.pcp.HeapSize;

/**
 * Regular expressions of a client. They are those of RE2, without references back, so that the time
 * of a match grows with the text alone. To search a name takes at most some 4 ms.
 */
public final class BoundedPattern {
  /**
   * The maximum length, times all repetitions, of which each may repeat what the others repeat.
   * Without it, a few nested ones, which are written out when an expression is compiled, would fill
   * the heap, and a long expression would take 200 ms to compile, and a match tens of milliseconds.
   */
  private static final int MAX_EXPANDED = 1000;

  private static final java.util.regex.Pattern REPETITION =
      java.util.regex.Pattern.compile("\\{(?:\\d*,)?(\\d+)");

  private final List<Pattern> patterns;

  private BoundedPattern(List<Pattern> patterns) {
    this.patterns = patterns;
  }

  /**
   * Returns what finds any of some expressions.
   *
   * @throws IllegalArgumentException with the reason, if one is invalid, or they are too long
   *     together, or repeat too much
   */
  public static BoundedPattern ofAny(List<String> expressions) {
    if (expanded(String.join("|", expressions)) > MAX_EXPANDED) {
      throw new IllegalArgumentException("the pattern is too long, or repeats too much");
    }
    try {
      return new BoundedPattern(expressions.stream().map(Pattern::compile).toList());
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(e.getDescription() + ": " + e.getPattern(), e);
    }
  }

  /** Returns at least the length of an expression once its repetitions are written out. */
  private static double expanded(String expression) {
    double length = expression.length();
    Matcher repetition = REPETITION.matcher(expression);
    while (repetition.find()) {
      length *= Math.max(1, Double.parseDouble(repetition.group(1)));
    }
    return length;
  }

  /** Returns whether a text has a part that any of the expressions matches. */
  public boolean isIn(String text) {
    return patterns.stream().anyMatch(pattern -> pattern.matcher(text).find());
  }

  /** Returns what it takes in the heap, in bytes. */
  public long bytes() {
    return patterns.stream().mapToLong(Pattern::programSize).sum()
        * HeapSize.ofObject(2, 3 * Integer.BYTES);
  }
}
