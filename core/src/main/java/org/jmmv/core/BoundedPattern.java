package org.jmmv.core;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.List;
import org.jmmv.pcp.HeapSize;

/**
 * Regular expressions of a client. They are those of RE2, without references back, so that the time
 * of a match grows with the text alone. To search a name takes at most 1 ms.
 */
public final class BoundedPattern {
  /** Longer expressions take long to compile if they have repetitions. */
  private static final int MAX_LENGTH = 255;

  /** The matcher may take all steps of an expression for each char of a name: 1 ms in all. */
  private static final int MAX_STEPS = 1000;

  private final List<Pattern> patterns;

  private BoundedPattern(List<Pattern> patterns) {
    this.patterns = patterns;
  }

  /**
   * Returns what finds any of some expressions.
   *
   * @throws IllegalArgumentException if one is invalid, or they are too long together, or repeat
   *     too much; its message says which of these
   */
  public static BoundedPattern ofAny(List<String> expressions) {
    if (expressions.stream().mapToInt(String::length).sum() > MAX_LENGTH) {
      throw new IllegalArgumentException("a pattern has at most " + MAX_LENGTH + " chars");
    }
    try {
      List<Pattern> patterns = expressions.stream().map(Pattern::compile).toList();
      if (patterns.stream().mapToInt(Pattern::programSize).sum() > MAX_STEPS) {
        throw new IllegalArgumentException("the pattern repeats too much");
      }
      return new BoundedPattern(patterns);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(e.getDescription() + ": " + e.getPattern(), e);
    }
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
