package org.jmmv.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.jmmv.pcp.Pmid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdMapTest {
  private final IdMap<Integer> map = new IdMap<>();

  /** Numbers with a distance of 2^22 have the same low bits: a file may have such instances. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 1 << 10, 1 << 14, 1 << 22})
  void numbersThatDifferStayDifferent(int distance) {
    Map<Integer, Integer> expected = new HashMap<>();
    for (int i = 0; i < 300_000; i++) {
      int id = i * distance;
      expected.put(id, i);
      map.put(id, i);
    }
    expected.forEach((id, value) -> assertEquals(value, map.get(id)));
    assertNull(map.get(300_000 * distance + 1));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void holdsWhatAHashMapHolds(int seed) {
    Random random = new Random(seed);
    Map<Integer, Integer> expected = new HashMap<>();
    for (int step = 0; step < 20_000; step++) {
      int id = random.nextInt(200) - 100;
      if (random.nextBoolean()) {
        expected.put(id, step);
        map.put(id, step);
      } else {
        expected.remove(id);
        map.remove(id);
      }
      assertEquals(expected.isEmpty(), map.isEmpty());
      assertEquals(expected.get(id), map.get(id));
    }
    for (int id = -100; id < 100; id++) {
      assertEquals(expected.get(id), map.get(id), "seed " + seed);
    }
  }

  @Test
  void whatIsMissingIsMadeOnce() {
    int pmid = Pmid.build(70, 4095, 1023);
    assertEquals(1, map.get(pmid, () -> 1));
    assertEquals(1, map.get(pmid, () -> 2));
    map.remove(pmid);
    assertNull(map.get(pmid));
    assertTrue(map.isEmpty());
  }
}
