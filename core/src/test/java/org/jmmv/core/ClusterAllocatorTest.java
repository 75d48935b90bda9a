package org.jmmv.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.jmmv.pcp.Pmid;
import org.junit.jupiter.api.Test;

class ClusterAllocatorTest {
  private final ClusterAllocator clusters = new ClusterAllocator(Map.of());

  private void dealAll() {
    for (int cluster = 1; cluster <= Pmid.MAX_CLUSTER; cluster++) {
      assertEquals(cluster, clusters.deal("file" + cluster));
    }
  }

  @Test
  void dealsTheSmallestNumberThatNoFileAsksFor() {
    clusters.reserve(1);
    clusters.reserve(3);

    assertEquals(2, clusters.deal("b"));
    assertEquals(4, clusters.deal("a"));
  }

  @Test
  void aFileKeepsItsNumber() {
    assertEquals(1, clusters.deal("a"));
    assertEquals(2, clusters.deal("b"));

    assertEquals(1, clusters.deal("a"));
    assertEquals(Map.of("a", 1, "b", 2), clusters.dealt());
  }

  @Test
  void aNumberThatAFileAsksForHasToBeGivenUp() {
    clusters.deal("a");

    clusters.reserve(1);

    assertEquals(2, clusters.deal("a"));
  }

  @Test
  void aNumberIsAskedForUntilTheLastFileThatDoesHasGone() {
    clusters.reserve(1);
    clusters.reserve(1);
    clusters.free(1);

    assertEquals(2, clusters.deal("a"));

    clusters.free(1);
    assertEquals(1, clusters.deal("b"));
    assertEquals(2, clusters.deal("a"));
  }

  @Test
  void goesOnWithTheNumbersOfAnEarlierTime() {
    ClusterAllocator later = new ClusterAllocator(Map.of("a", 7, "gone", 1));

    assertEquals(7, later.deal("a"));
    assertEquals(2, later.deal("new"));
    assertEquals(1, later.deal("gone"));
  }

  @Test
  void tellsOnceThatNumbersHaveChanged() {
    assertFalse(clusters.hasChanged());

    clusters.deal("a");

    assertTrue(clusters.hasChanged());
    assertFalse(clusters.hasChanged());
    clusters.deal("a");
    assertFalse(clusters.hasChanged());
  }

  @Test
  void givesNumbersOfFilesThatHaveGoneAwayOnlyWhenToldTo() {
    dealAll();
    assertEquals(0, clusters.deal("more"));

    clusters.forget(file -> file.equals("file9") || file.equals("file4000"));

    assertEquals(9, clusters.deal("more"));
    assertEquals(4000, clusters.deal("evenMore"));
    assertEquals(0, clusters.deal("tooMany"));
    assertEquals(10, clusters.deal("file10"));
  }

  @Test
  void hasNoNumberWhileAllAreAskedFor() {
    for (int cluster = 1; cluster <= Pmid.MAX_CLUSTER; cluster++) {
      clusters.reserve(cluster);
    }
    assertEquals(0, clusters.deal("a"));

    clusters.free(2048);

    assertEquals(2048, clusters.deal("a"));
  }
}
