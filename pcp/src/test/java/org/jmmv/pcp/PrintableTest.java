package org.jmmv.pcp;

import static org.jmmv.pcp.Printable.printable;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

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
}
