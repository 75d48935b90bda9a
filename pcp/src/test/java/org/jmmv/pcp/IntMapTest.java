package org.jmmv.pcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IntMapTest {
  @Test
  void keysMayBeAnyNumbers() {
    IntMap map = new IntMap();
    int[] keys = {0, -1, 1, Integer.MIN_VALUE, Integer.MAX_VALUE};
    for (int i = 0; i < keys.length; i++) {
      assertEquals(IntMap.NONE, map.get(keys[i]));
      assertTrue(map.add(keys[i], i));
    }
    for (int i = 0; i < keys.length; i++) {
      assertEquals(i, map.get(keys[i]));
    }
  }

  @Test
  void theFirstIndexOfAKeyStays() {
    IntMap map = new IntMap();
    assertTrue(map.add(7, Integer.MAX_VALUE));
    assertFalse(map.add(7, 2));
    assertEquals(Integer.MAX_VALUE, map.get(7));
  }

  @Test
  void itGrowsLikeAnyMap() {
    IntMap map = new IntMap();
    Map<Integer, Integer> expected = new HashMap<>();
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      int key = random.nextInt(30_000) - 15_000;
      assertEquals(expected.putIfAbsent(key, i) == null, map.add(key, i));
    }
    for (int key = -15_000; key < 15_000; key++) {
      assertEquals(expected.getOrDefault(key, IntMap.NONE), map.get(key));
    }
  }
}
