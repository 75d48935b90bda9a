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

  /**
   * What makes a class of thousands of characters, which takes kilobytes, and milliseconds if case
   * is ignored: {@code \pL}, {@code \x{100}}, which may begin or end a range, and a range up to
   * such a character. If case is ignored, RE2/J 1.8 comes to no end with U+1C80 to U+1C88.
   */
  private static final java.util.regex.Pattern WIDE =
      java.util.regex.Pattern.compile(
          "(?<!\\\\)(?:\\\\\\\\)*\\\\(?:[pP]|x\\{)|-[^\\x00-\u1c7f]|[\u1c80-\u1c88]");

  private final List<Pattern> patterns;
  private final long bytes;

  private BoundedPattern(List<Pattern> patterns, long bytes) {
    this.patterns = patterns;
    this.bytes = bytes;
  }

  /**
   * Returns what finds any of some expressions.
   *
   * @throws IllegalArgumentException with the reason, if one is invalid, or as {@link #check}
   */
  public static BoundedPattern ofAny(List<String> expressions) {
    check(expressions);
    try {
      List<Pattern> patterns = expressions.stream().map(Pattern::compile).toList();
      long instructions = patterns.stream().mapToLong(Pattern::programSize).sum();
      long ranges = expressions.stream().mapToLong(String::length).sum(); // of all classes
      return new BoundedPattern(
          patterns,
          instructions * (HeapSize.ofObject(2, 3 * Integer.BYTES) + HeapSize.ofInts(2))
              + ranges * 2 * Integer.BYTES);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(e.getDescription() + ": " + e.getPattern(), e);
    }
  }

  /**
   * Checks expressions that a request has, before they are compiled.
   *
   * @throws IllegalArgumentException with the reason, if they are too long together, or repeat too
   *     much, or have a class of Unicode
   */
  public static void check(List<String> expressions) {
    if (length(expressions) > MAX_EXPANDED) {
      throw new IllegalArgumentException("the pattern is too long, or repeats too much");
    }
    if (expressions.stream().anyMatch(one -> WIDE.matcher(one).find())) {
      throw new IllegalArgumentException("\\p, \\x{...} and ranges of Unicode are not supported");
    }
  }

  private static double length(List<String> expressions) {
    return expressions.stream().mapToDouble(BoundedPattern::expanded).sum();
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
    return bytes;
  }
}
