package org.jmmv.pcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TextListTest {
  private final TextList list = new TextList();

  @Test
  void textsAreThoseThatWereAdded() {
    for (int i = 0; i < 1000; i++) {
      list.add("\u00ff".repeat(i % 7));
    }
    assertEquals(1000, list.size());
    assertTrue(IntStream.range(0, 1000).allMatch(i -> list.get(i).equals("\u00ff".repeat(i % 7))));
  }

  @Test
  void itsSizeIsThatOfItsArrays() {
    long empty = list.bytes();
    for (int i = 0; i < 10_000; i++) {
      list.add("x".repeat(100));
    }
    long needed = empty + 10_000 * (100 + Integer.BYTES);
    assertTrue(list.bytes() >= needed && list.bytes() < 1.5 * needed, list.bytes() + " bytes");
  }
}
