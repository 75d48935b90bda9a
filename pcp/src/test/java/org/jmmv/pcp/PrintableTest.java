package org.jmmv.pcp;

import static org.jmmv.pcp.Printable.printable;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrintableTest {
  @Test
  void aLongTextIsCutToThreeHundredChars() {
    assertEquals("n".repeat(300), printable("n".repeat(300)));
    assertEquals("n".repeat(300) + "...", printable("n".repeat(301)));
    assertEquals("\\xff".repeat(75) + "...", printable("\u00ff".repeat(255)));
    assertEquals(
        "n" + "\\xff".repeat(74) + "...",
        printable("n" + "\u00ff".repeat(75)),
        "no part of an escape");
    assertEquals(400, Printable.escaped("\u00ff".repeat(100)).length());
  }

  @Test
  void everyByteBecomesPrintable() {
    for (char c = 0; c < 256; c++) {
      boolean plain = c >= 0x20 && c < 0x7f && c != '\\';
      assertEquals(plain ? "" + c : String.format("\\x%02x", (int) c), printable("" + c));
    }
  }

  @Test
  void aWordHasNoBlanks() {
    assertEquals("a\\x20b\\x5c", Printable.word("a b\\"));
  }

  @ParameterizedTest
  @CsvSource({
    "a b,                a b",
    "caf\u00c3\u00a9,      caf\u00e9",
    "caf\u00e9,           caf\\xe9",
    "caf\u00e8,           caf\\xe8",
    "caf\\xe9,           caf\\x5cxe9",
    "\u00ed\u00a0\u0080,   \\xed\\xa0\\x80", // half of a surrogate pair
    "\u00ef\u00bf\u00bd,   \\xef\\xbf\\xbd" // U+FFFD itself
  })
  void aFileNameInUtf8StaysAndAnyOtherIsEscaped(String bytes, String expected) {
    assertEquals(expected, Printable.utf8(bytes));
  }
}
