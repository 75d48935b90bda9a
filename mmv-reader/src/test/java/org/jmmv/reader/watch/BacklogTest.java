package org.jmmv.reader.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jmmv.pcp.User;
import org.jmmv.reader.fault.FileName;
import org.junit.jupiter.api.Test;

class BacklogTest {
  private static final long GIBIBYTE = 1 << 30;

  private final Backlog backlog = new Backlog();
  private final Owner anna = new Owner(User.of(1));
  private final Owner bert = new Owner(User.of(2));

  private void add(Owner owner, long size, String... names) {
    for (String name : names) {
      TrackedFile tracked = new TrackedFile(null, FileName.of(name));
      tracked.owner = owner;
      backlog.add(tracked, size);
    }
  }

  /** The names of the next files; "-" if there are no more. */
  private String take(int count) {
    StringBuilder names = new StringBuilder();
    for (int i = 0; i < count; i++) {
      TrackedFile tracked = backlog.isEmpty() ? null : backlog.first();
      if (tracked != null) {
        backlog.remove(tracked);
      }
      names.append(tracked == null ? "-" : tracked.name);
    }
    return names.toString();
  }

  @Test
  void filesOfOneUserAreInOrderOfTheirNames() {
    add(anna, 70_000, "b", "a");
    add(anna, 200, "c");
    assertEquals("abc-", take(4));
  }

  @Test
  void usersTakeTurns() {
    add(anna, 0, "a", "b", "c", "d");
    assertEquals("a", take(1));
    add(bert, 0, "x", "y");
    assertEquals("xbyc", take(4));
    add(bert, 0, "z");
    assertEquals("zd", take(2));
  }

  @Test
  void aUserWithALargeFileWaitsForItLater() {
    add(anna, GIBIBYTE, "L");
    assertEquals("L", take(1));
    add(anna, 0, "a", "b");
    add(bert, 0, "v", "w", "x");
    assertEquals("vwxab", take(5));
  }

  @Test
  void aLargeFileWaitsForTheSmallOnesOfItsUser() {
    add(anna, GIBIBYTE, "L");
    add(anna, 0, "a", "b");
    assertEquals("abL", take(3));
  }

  @Test
  void aFileThatIsExaminedAgainAndAgainWaitsForTheOthers() {
    TrackedFile busy = new TrackedFile(null, FileName.of("busy"));
    busy.owner = anna;
    backlog.add(busy, 0);
    assertEquals("busy", take(1));
    backlog.add(busy, 0);
    add(anna, 0, "x", "y");
    assertEquals("busyxy", take(3));
    backlog.add(busy, 0);
    backlog.add(busy, 0); // it waits already
    assertEquals("busy-", take(2));
  }

  @Test
  void aRemovedFileDoesNotWait() {
    TrackedFile gone = new TrackedFile(null, FileName.of("gone"));
    gone.owner = anna;
    backlog.remove(gone);
    backlog.add(gone, 0);
    assertFalse(backlog.isEmpty());
    backlog.remove(gone);
    assertTrue(backlog.isEmpty());
    backlog.add(gone, 0);
    add(anna, 0, "a");
    backlog.remove(gone);
    assertEquals("a-", take(2));
  }
}
