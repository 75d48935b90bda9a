package org.jmmv.pcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyedHashTest {
  /** Of bytes of all values, which also end at any place in a word. */
  @Test
  void textsThatDifferHaveOtherHashes() {
    Random random = new Random(1);
    Set<String> texts = new HashSet<>();
    for (int i = 0; i < 100_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(20); length > 0; length--) {
        text.append((char) random.nextInt(length == 1 ? 0x80 : 0, 0x100));
      }
      texts.add(text.toString());
    }
    Set<Long> hashes = new HashSet<>();
    texts.forEach(text -> hashes.add(KeyedHash.of(text)));
    assertEquals(texts.size(), hashes.size());
    assertEquals(KeyedHash.of("same"), KeyedHash.of("same"));
  }
}
