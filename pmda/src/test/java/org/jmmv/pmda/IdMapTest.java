package org.jmmv.pmda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
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
