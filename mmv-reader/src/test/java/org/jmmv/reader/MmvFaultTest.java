package org.jmmv.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class MmvFaultTest {
  @Test
  void faultOfAnEntrySaysWhere() {
    assertEquals(
        "app: metric[3] at 416: left out",
        new MmvFault("app", "metric[3]", 416, "left out").toString());
  }

  @Test
  void faultOfAFileSaysNoOffset() {
    assertEquals("app: cut off", new MmvFault("app", "", 0, "cut off").toString());
  }

  @Test
  void furtherFaultsOfAKindAreCounted() {
    assertEquals(
        "app: metric[3] at 416: left out (and 99999 more like it)",
        new MmvFault("app", "metric[3]", 416, "left out").andMore(99_999).toString());
  }

  @Test
  void bytesOfANameAreEscaped() {
    assertEquals(
        "a\\x0ab\\x5c\\xff~ : cut off",
        new MmvFault("a\nb\\\u00ff~ ", "", 0, "cut off").toString());
  }

  @Test
  void aLongTextIsCutToThreeHundredChars() {
    assertEquals("n".repeat(300), MmvFault.printable("n".repeat(300)));
    assertEquals("n".repeat(300) + "...", MmvFault.printable("n".repeat(301)));
    assertEquals("\\xff".repeat(75) + "...", MmvFault.printable("\u00ff".repeat(255)));
    assertEquals(
        "n" + "\\xff".repeat(74) + "...",
        MmvFault.printable("n" + "\u00ff".repeat(75)),
        "no part of an escape");
  }

  @Test
  void everyByteBecomesPrintable() {
    for (char c = 0; c < 256; c++) {
      String text = MmvFault.printable("" + c);
      boolean plain = c >= 0x20 && c < 0x7f && c != '\\';
      assertEquals(plain ? "" + c : String.format("\\x%02x", (int) c), text);
    }
  }
}
