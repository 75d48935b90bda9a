package org.jmmv.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FileInDomTest {
  private static final int NUMBER = 483_667_568; // of "abc", in each release

  private final IdMap<String> taken = new IdMap<>();

  @Test
  void aNumberIsThatOfTheNameAlone() {
    assertEquals(NUMBER, FileInDom.number("abc", taken));
  }

  @Test
  void ifTheNumberIsTakenItIsTheNextOne() {
    taken.put(NUMBER, "another");
    taken.put(NUMBER + 1, "another");
    assertEquals(NUMBER + 2, FileInDom.number("abc", taken));
  }
}
