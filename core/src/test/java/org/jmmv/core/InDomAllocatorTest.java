package org.jmmv.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jmmv.core.InDomAllocator.Origin;
import org.jmmv.pcp.InDom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InDomAllocatorTest {
  private static final Origin FIRST = new Origin(1, 5);
  private static final Origin SECOND = new Origin(2049, 5); // the same when cut to 22 bits
  private static final int SHARED = 1 << 11 | 5;

  private final InDomAllocator inDoms = new InDomAllocator(Map.of());

  @BeforeEach
  void endStart() {
    inDoms.endStart();
  }

  @Test
  void assignsTheSameSerialsAsTheStockAgent() {
    assertEquals(1 << 11 | 5, inDoms.acquire(new Origin(1, 5)));
    assertEquals(2047 << 11 | 2047, inDoms.acquire(new Origin(2047, 2047)));
    assertEquals(3 << 11, inDoms.acquire(new Origin(2051, 0)));
    assertEquals(0x3f_fff0, inDoms.acquire(new Origin(1, 0x3f_fff0)));
    assertFalse(inDoms.hasChanged());
  }

  @Test
  void theSecondInstanceDomainGetsAnotherSerial() {
    assertEquals(SHARED, inDoms.acquire(FIRST));
    assertEquals(InDom.MAX_SERIAL, inDoms.acquire(SECOND));

    assertTrue(inDoms.hasChanged());
    assertEquals(Map.of(SECOND, InDom.MAX_SERIAL), inDoms.unusual());
  }

  @Test
  void filesOfOneClusterShareAnInstanceDomain() {
    inDoms.acquire(FIRST);
    int serial = inDoms.acquire(SECOND);

    assertEquals(serial, inDoms.acquire(SECOND));
    inDoms.release(SECOND);
    assertEquals(serial, inDoms.acquire(SECOND));
  }

  @Test
  void keepsAnAssignmentWhenTheReasonForItHasGone() {
    inDoms.acquire(FIRST);
    int serial = inDoms.acquire(SECOND);
    inDoms.release(FIRST);
    inDoms.release(SECOND);

    assertEquals(serial, inDoms.acquire(SECOND));
    assertEquals(SHARED, inDoms.acquire(FIRST));
  }

  @Test
  void keepsAssignmentsAcrossRestarts() {
    InDomAllocator later = new InDomAllocator(Map.of(SECOND, 77));

    assertEquals(77, later.acquire(SECOND));
    assertEquals(SHARED, later.acquire(FIRST));
    assertFalse(later.hasChanged());
  }

  /** For example of an application that starts again while a file of somebody else comes. */
  @Test
  void theFirstKeepsTheUsualSerialWhileItsFilesAreGone() {
    inDoms.acquire(FIRST);
    inDoms.release(FIRST);

    assertEquals(InDom.MAX_SERIAL, inDoms.acquire(SECOND));
    assertEquals(SHARED, inDoms.acquire(FIRST));
    assertEquals(Map.of(SECOND, InDom.MAX_SERIAL), inDoms.unusual());
  }

  @Test
  void aSerialIsFreeWhenItsOwnerIsForgotten() {
    inDoms.acquire(FIRST);
    inDoms.release(FIRST);
    for (int serial = 1; serial <= 4096; serial++) {
      Origin other = new Origin(2, serial);
      inDoms.acquire(other);
      inDoms.release(other);
    }
    inDoms.hasChanged();

    assertEquals(SHARED, inDoms.acquire(SECOND));
    assertFalse(inDoms.hasChanged());
  }

  @Test
  void anAssignmentOfTheEarlierRunStays() {
    InDomAllocator later = new InDomAllocator(Map.of(SECOND, 3 << 11 | 7));

    assertEquals(InDom.MAX_SERIAL, later.acquire(new Origin(3, 7)));
    assertEquals(3 << 11 | 7, later.acquire(SECOND));
  }

  @Test
  void filesThatComeAndGoAtTheStartTakeNoAssignmentFromOneThatHasNotArrived() {
    InDomAllocator later = new InDomAllocator(Map.of(SECOND, 77));
    for (int serial = 1; serial <= 4097; serial++) {
      Origin other = new Origin(2, serial);
      later.acquire(other);
      later.release(other);
    }

    assertEquals(77, later.acquire(SECOND));
  }

  @Test
  void neverAssignsASerialTwice() {
    Set<Integer> assigned = new HashSet<>();
    for (int cluster = 1; cluster <= 4095; cluster++) {
      for (int serial = 1; serial <= 3; serial++) {
        assertTrue(assigned.add(inDoms.acquire(new Origin(cluster, serial))));
      }
    }
    assertEquals(4096, inDoms.unusual().size(), "those of 2,048 clusters, up to the limit");
  }

  @Test
  void forgetsWhatWasUsedTheLongestAgo() {
    inDoms.acquire(new Origin(0, 0));
    for (int i = 1; i <= 4097; i++) {
      Origin origin = new Origin(2048 * i, 0); // all are 0 when cut to 22 bits
      inDoms.acquire(origin);
      inDoms.release(origin);
    }

    assertEquals(4096, inDoms.unusual().size());
    assertFalse(inDoms.unusual().containsKey(new Origin(2048, 0)));
    assertTrue(inDoms.unusual().containsKey(new Origin(4096, 0)));
  }

  @Test
  void whatFilesUseIsSavedBeforeWhatHasGone() {
    inDoms.acquire(new Origin(0, 0));
    for (int i = 1; i <= 4096; i++) {
      Origin gone = new Origin(2048 * i, 0);
      inDoms.acquire(gone);
      inDoms.release(gone);
    }
    Origin used = new Origin(2048 * 5000, 0);
    inDoms.acquire(used);

    assertEquals(4096, inDoms.unusual().size());
    assertTrue(inDoms.unusual().containsKey(used));
    assertFalse(inDoms.unusual().containsKey(new Origin(2048, 0)));
  }

  @Test
  void noFileGetsTheInDomOfTheAgent() {
    Origin same = new Origin(2048, 0); // pmdammv cuts it to serial 0
    assertEquals(InDom.MAX_SERIAL, inDoms.acquire(same));
    assertEquals(Map.of(same, InDom.MAX_SERIAL), inDoms.unusual());
    InDomAllocator later = new InDomAllocator(Map.of(SECOND, InDomAllocator.SERIAL_OF_FILES));
    assertNotEquals(
        InDomAllocator.SERIAL_OF_FILES, later.acquire(SECOND), "remembered from an older agent");
  }
}
