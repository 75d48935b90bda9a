package org.jmmv.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What of a file's text reaches the terminal, and how wide it is there. */
final class DisplayTextTest {
  private static final DisplayText UNICODE = new DisplayText(true);
  private static final DisplayText ASCII = new DisplayText(false);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\033", "\n", "\r", "\t", "\177", "\u0000", "\u009b", "\u0085", "\u202e", "\u200b",
        "\u2028", "\ue000", "\ufeff"
      })
  void controlCharactersAreReplaced(String control) {
    assertEquals("a?b", UNICODE.of(Metrics.bytes("a" + control + "b")));
  }

  @Test
  void bytesThatAreNotUtf8AreNoControlCharacters() {
    assertEquals("a?31m\u00e4", UNICODE.of("a\u009b31m\u00e4"));
  }

  @Test
  void anAsciiTerminalGetsEscapes() {
    assertEquals("\\x1b[31m\\xc3\\xa4", ASCII.of(Metrics.bytes("\033[31m\u00e4")));
  }

  @Test
  void wideCharactersTakeTwoColumnsAndCombiningOnesNone() {
    assertEquals(4, DisplayText.width("\u6f22\u5b57"));
    assertEquals(1, DisplayText.width("e\u0301"));
    assertEquals("\u6f22\u2026", UNICODE.cut("\u6f22\u5b57\u6f22", 4));
    assertEquals("\u6f22  ", UNICODE.left("\u6f22", 4));
    assertEquals("  \u6f22", UNICODE.right("\u6f22", 4));
    assertEquals("e\u0301x\u2026", UNICODE.cut("e\u0301xyz", 3));
  }

  @Test
  void whatIsCutIsMarked() {
    assertEquals("abc", ASCII.cut("abc", 3));
    assertEquals("ab>", ASCII.cut("abcd", 3));
    assertEquals("", ASCII.cut("abcd", 0));
    assertEquals("abc", ASCII.cutStart("abc", 3));
    assertEquals("<cd", ASCII.cutStart("abcd", 3));
    assertEquals("", ASCII.cutStart("abcd", 0));
    assertEquals("\u2026x\u6f22", UNICODE.cutStart("\u6f22x\u6f22", 4));
  }
}
