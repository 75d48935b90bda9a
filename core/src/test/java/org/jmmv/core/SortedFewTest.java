package org.jmmv.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SortedFewTest {
  private final SortedFew<Integer> set = new SortedFew<>(Comparator.reverseOrder());

  @Test
  void isEmptyAtFirst() {
    assertTrue(set.isEmpty());
    assertNull(set.first());
    assertEquals(List.of(), set.stream().toList());
    set.remove(1);
    assertTrue(set.isEmpty());
  }

  /** Most of the time it has few elements, and often none. */
  @Test
  void isTheSameAsTree() {
    TreeSet<Integer> tree = new TreeSet<>(Comparator.reverseOrder());
    Random random = new Random(1);
    for (int round = 0; round < 10_000; round++) {
      int element = random.nextInt(5);
      if (random.nextInt(3) > 0) {
        set.remove(element);
        tree.remove(element);
      } else if (!tree.contains(element)) {
        set.add(element);
        tree.add(element);
      }
      assertEquals(List.copyOf(tree), set.stream().toList());
      List<Integer> each = new ArrayList<>();
      set.forEach(each::add);
      set.iterator().forEachRemaining(each::add);
      assertEquals(Stream.concat(tree.stream(), tree.stream()).toList(), each);
      assertEquals(tree.isEmpty(), set.isEmpty());
      assertEquals(tree.isEmpty() ? null : tree.first(), set.first());
      for (int i = 0; i < 5; i++) {
        assertEquals(tree.contains(i), set.contains(i));
      }
    }
  }
}
