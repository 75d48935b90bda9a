package org.jmmv.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jmmv.pcp.Pmid;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClusterAllocatorTest {
  private final ClusterAllocator clusters = new ClusterAllocator(new LinkedHashMap<>());

  @BeforeEach
  void endStart() {
    clusters.endStart();
  }

  private void dealTo(int last) {
    for (int cluster = 1; cluster <= last; cluster++) {
      assertEquals(cluster, clusters.assign("file" + cluster));
    }
  }

  @Test
  void dealsTheSmallestNumberThatNoFileAsksFor() {
    clusters.reserve(1);
    clusters.reserve(3);

    assertEquals(2, clusters.assign("b"));
    assertEquals(4, clusters.assign("a"));
  }

  @Test
  void aFileKeepsItsNumber() {
    assertEquals(1, clusters.assign("a"));
    assertEquals(2, clusters.assign("b"));

    assertEquals(1, clusters.assign("a"));
    assertEquals(Map.of("a", 1, "b", 2), clusters.assigned());
  }

  @Test
  void aNumberThatAFileAsksForHasToBeGivenUp() {
    clusters.assign("a");

    clusters.reserve(1);

    assertEquals(2, clusters.assign("a"));
  }

  @Test
  void aNumberIsAskedForUntilTheLastFileThatDoesHasGone() {
    clusters.reserve(1);
    clusters.reserve(1);
    clusters.free(1);

    assertEquals(2, clusters.assign("a"));

    clusters.free(1);
    assertEquals(1, clusters.assign("b"));
    assertEquals(2, clusters.assign("a"));
  }

  @Test
  void goesOnWithTheNumbersOfAnEarlierTime() {
    SequencedMap<String, Integer> remembered = new LinkedHashMap<>();
    remembered.put("gone", 1);
    remembered.put("a", 7);
    ClusterAllocator later = new ClusterAllocator(remembered);

    assertEquals(7, later.assign("a"));
    assertEquals(2, later.assign("new"));
    assertEquals(1, later.assign("gone"));
  }

  @Test
  void tellsOnceThatNumbersHaveChanged() {
    assertFalse(clusters.hasChanged());

    clusters.assign("a");

    assertTrue(clusters.hasChanged());
    assertFalse(clusters.hasChanged());
    clusters.assign("a");
    assertFalse(clusters.hasChanged());
  }

  @Test
  void numbersOfFilesThatHaveGoneAreDealtAgainBefore2048() {
    dealTo(2047);
    clusters.leave("file9");
    clusters.leave("file4");
    clusters.leave("file2000");
    clusters.arrive("file4");

    assertEquals(9, clusters.assign("a"));
    assertEquals(2000, clusters.assign("b"));
    assertEquals(2048, clusters.assign("c"));
    assertEquals(4, clusters.assign("file4"));
    assertEquals(2049, clusters.assign("file9"));
  }

  @Test
  void numbersOfFilesThatHaveGoneAreDealtAgainInTheSameOrderAfterARestart() {
    dealTo(2047);
    clusters.leave("file9");
    clusters.leave("file4");
    ClusterAllocator later = new ClusterAllocator(clusters.assigned());
    assertEquals(List.of("file9", "file4", "file1"), firstThree(later));
    later.endStart();

    assertEquals(9, later.assign("a"));
    assertEquals(4, later.assign("b"));
  }

  /** A new file may be read before others that have a number since the earlier run. */
  @Test
  void nothingIsTakenBackUntilTheFilesThatExistHaveArrived() {
    dealTo(2047);
    ClusterAllocator later = new ClusterAllocator(clusters.assigned());
    assertEquals(2048, later.assign("a"));
    assertEquals(1, later.assign("file1"));
    dealTo(4095);
    later = new ClusterAllocator(clusters.assigned());
    assertEquals(0, later.assign("a"));
    later.endStart();
    assertEquals(1, later.assign("a"));
  }

  private static List<String> firstThree(ClusterAllocator clusters) {
    return clusters.assigned().sequencedKeySet().stream().limit(3).toList();
  }

  @Test
  void aNumberThatAFileAsksForIsNotTakenBackFromOneThatHasGone() {
    dealTo(2047);
    clusters.leave("file9");
    clusters.leave("file10");
    clusters.reserve(9);

    assertEquals(10, clusters.assign("a"));
  }

  @Test
  void hasNoNumberWhileAllAreInUse() {
    dealTo(Pmid.MAX_CLUSTER);
    assertEquals(0, clusters.assign("a"));
    assertEquals(1000, clusters.assign("file1000"));

    clusters.leave("file3000");

    assertEquals(3000, clusters.assign("a"));
  }

  @Test
  void hasNoNumberWhileAllAreAskedFor() {
    for (int cluster = 1; cluster <= Pmid.MAX_CLUSTER; cluster++) {
      clusters.reserve(cluster);
    }
    assertEquals(0, clusters.assign("a"));

    clusters.free(2048);

    assertEquals(2048, clusters.assign("a"));
  }
}
