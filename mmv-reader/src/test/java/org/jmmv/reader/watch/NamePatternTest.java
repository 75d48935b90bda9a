package org.jmmv.reader.watch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class NamePatternTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "app, app, true",
        "app, apps, false",
        "app, ap, false",
        "app, App, false",
        "*, app, true",
        "*, \"\", true",
        "a*, a, true",
        "a*, app, true",
        "a*, ba, false",
        "*p, app, true",
        "*p, apps, false",
        "a*p*s, apps, true",
        "a*p*s, aps.s, true",
        "a*p*s, as, false",
        "**a**, bab, true",
        "*ab, aab, true",
        "*aab*, aaab, true",
        "a?c, abc, true",
        "a?c, ac, false",
        "?, ä, false",
        "??, ä, true",
        "ä*, äpp, true",
        "web-[0-9], web-7, true",
        "web-[0-9], web-a, false",
        "[abc]x, bx, true",
        "[!abc]x, bx, false",
        "[!abc]x, dx, true",
        "[^abc]x, dx, true",
        "[]]x, ]x, true",
        "[!]]x, ]x, false",
        "[-a], -, true",
        "[a-], -, true",
        "[a-], b, false",
        "[*?], *, true",
        "[*?], a, false",
        "[!a]*, ä, true",
        "\\*, *, true",
        "\\*, a, false",
        "a\\[b, a[b, true",
        "a], a], true",
        "a.b, axb, false"
      })
  void matchesAsGlob(String pattern, String name, boolean matches) {
    assertEquals(matches, NamePattern.of(pattern).matches(name.getBytes(UTF_8)));
  }

  @ParameterizedTest
  @CsvSource({
    "[, a [ without ]",
    "a[], a [ without ]",
    "[!], a [ without ]",
    "[a-, a [ without ]",
    "[z-a], the range z-a is empty",
    "[ä], only ASCII characters can be in brackets",
    "a\\, nothing follows the last \\",
    "[[:digit:]]*, 'classes such as [:digit:] are not supported; write [0-9]'",
    "'', 'a pattern has 1 to 255 bytes, not 0'"
  })
  void anInvalidPatternIsRefused(String pattern, String reason) {
    assertEquals(
        reason,
        assertThrows(IllegalArgumentException.class, () -> NamePattern.of(pattern)).getMessage());
  }

  @Test
  void aPatternHasAtMost255Bytes() {
    assertTrue(NamePattern.of("a".repeat(255)).matches("a".repeat(255).getBytes(UTF_8)));
    assertEquals(
        "a pattern has 1 to 255 bytes, not 256",
        assertThrows(IllegalArgumentException.class, () -> NamePattern.of("ä".repeat(128)))
            .getMessage());
  }

  @Test
  void namesNeedNotBeText() {
    byte[] name = "a\u00ffb".getBytes(ISO_8859_1);
    assertTrue(NamePattern.of("a?b").matches(name));
    assertTrue(NamePattern.of("a[!x]b").matches(name));
    assertFalse(NamePattern.of("aÿb").matches(name)); // two bytes in UTF-8
  }

  /** A matcher that tries every star at every place needs more than 10^30 steps. */
  @Test
  void theTimeDoesNotExplode() {
    NamePattern pattern = NamePattern.of("*a".repeat(60) + "*b");
    byte[] name = "a".repeat(255).getBytes(UTF_8);
    for (int i = 0; i < 1000; i++) {
      assertFalse(pattern.matches(name));
    }
  }
}
