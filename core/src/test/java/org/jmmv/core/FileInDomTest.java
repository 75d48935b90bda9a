package org.jmmv.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FileInDomTest {
  /** The words of the SHA-256 of "abc", an example of FIPS 180-2, without their sign bits. */
  private static final int[] WORDS = {
    0x3a7816bf, 0x0f01cfea, 0x414140de, 0x5dae2223, 0x300361a3, 0x16177a9c, 0x3410ff61, 0x720015ad
  };

  private final IdMap<String> taken = new IdMap<>();

  @Test
  void aNumberIsTheFirstWordOfTheHashThatIsFree() {
    for (int word : WORDS) {
      assertEquals(word, FileInDom.number("abc", taken));
      taken.put(word, "another");
    }
  }

  @Test
  void ifNoWordIsFreeItIsANumberNearTheLastOne() {
    for (int word : WORDS) {
      taken.put(word, "another");
    }
    taken.put(WORDS[7] + 1, "another");
    assertEquals(WORDS[7] + 2, FileInDom.number("abc", taken));
  }
}
