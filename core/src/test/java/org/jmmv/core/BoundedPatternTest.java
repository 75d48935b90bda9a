package org.jmmv.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BoundedPatternTest {
  private static BoundedPattern pattern(String expression) {
    return BoundedPattern.ofAny(List.of(expression));
  }

  @ParameterizedTest
  @CsvSource({
    "(?i)ABC, xabcx, true",
    "[a-z]{2}\\x41, xyA, true",
    "\\\\x{2}, '\\xx', true", // a backslash, and two x
    "(?i)стр, СТРОКА, true",
    "[^a], a, false"
  })
  void findsAPartOfAText(String expression, String text, boolean isFound) {
    assertEquals(isFound, pattern(expression).isIn(text));
  }

  /** RE2/J does not come to an end with these, or takes long. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "(?i)\\x{1c80}",
        "(?i)\u1c80",
        "(?i)[a-\u1d00]",
        "(?i)[\\x{100}-\\x{1e900}]",
        "\\\\\\x{100}",
        "\\pL",
        "[^\\PN]"
      })
  void classesOfUnicodeAreRefused(String expression) {
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(30),
        () -> assertThrows(IllegalArgumentException.class, () -> pattern(expression)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"(((a{10}){10}){10}){2}", "a{1001}"})
  void repetitionsAreBoundedTogether(String expression) {
    assertThrows(IllegalArgumentException.class, () -> pattern(expression));
  }
}
