package org.jmmv.reader.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jmmv.pcp.User;
import org.jmmv.reader.fault.FileName;
import org.junit.jupiter.api.Test;

class BacklogTest {
  private static final long SECOND = 1_000_000_000;

  private final Backlog backlog = new Backlog();
  private final User anna = User.of(1);
  private final User bert = User.of(2);

  private static TrackedFile file(User owner, String name) {
    TrackedFile tracked = new TrackedFile(null, FileName.of(name));
    tracked.setOwner(owner);
    return tracked;
  }

  private void add(User owner, String... names) {
    for (String name : names) {
      backlog.add(file(owner, name));
    }
  }

  /** The names of the next files, each of which takes {@code nanos}; "-" if there are no more. */
  private String take(int count, long nanos) {
    StringBuilder names = new StringBuilder();
    for (int i = 0; i < count; i++) {
      if (backlog.isEmpty()) {
        return names + "-";
      }
      TrackedFile tracked = backlog.take();
      backlog.remove(tracked);
      backlog.end(nanos);
      names.append(tracked.name);
    }
    return names.toString();
  }

  private String take(int count) {
    return take(count, 1);
  }

  @Test
  void filesOfOneUserAreInOrderOfTheirNames() {
    add(anna, "b", "a");
    add(anna, "c");
    assertEquals("abc-", take(4));
  }

  @Test
  void usersTakeTurns() {
    add(anna, "a", "b", "c", "d");
    assertEquals("a", take(1));
    add(bert, "x", "y");
    assertEquals("xbyc", take(4));
    add(bert, "z");
    assertEquals("zd", take(2));
  }

  /** The numbers that are assigned to the files of a start do not depend on it. */
  @Test
  void theOrderDoesNotDependOnAFewMilliseconds() {
    add(bert, "x", "y");
    add(anna, "a", "b");
    assertEquals("a", take(1, SECOND / 200));
    assertEquals("xb", take(2));
    assertEquals("y-", take(2));
  }

  @Test
  void aUserWithAFileThatTakesLongWaitsForTheNextOne() {
    add(anna, "L", "a", "b");
    assertEquals("L", take(1, SECOND));
    add(bert, "v", "w", "x");
    assertEquals("vwxab-", take(6));
  }

  @Test
  void aFileThatIsExaminedAgainAndAgainWaitsForTheOthers() {
    TrackedFile busy = file(anna, "busy");
    backlog.add(busy);
    add(anna, "a", "x", "y");
    assertEquals("abusy", take(2));
    backlog.add(busy);
    add(anna, "a");
    assertEquals("xyabusy-", take(5));
  }

  @Test
  void aFileWaitsUntilItsTurnHasEnded() {
    TrackedFile file = file(anna, "f");
    assertFalse(backlog.has(file));
    backlog.add(file);
    assertTrue(backlog.has(file));
    backlog.take();
    assertTrue(backlog.has(file));
    backlog.end(1); // it was not examined to its end
    assertEquals("f-", take(2));
    assertFalse(backlog.has(file));
  }

  @Test
  void aRemovedFileDoesNotWait() {
    TrackedFile gone = file(anna, "gone");
    backlog.remove(gone);
    backlog.add(gone);
    assertFalse(backlog.isEmpty());
    backlog.remove(gone);
    assertTrue(backlog.isEmpty());
    backlog.add(gone);
    add(bert, "b");
    backlog.remove(gone);
    assertEquals("b-", take(2));
  }

  /** Files in flux stay until they are complete, and are looked at again and again. */
  @Test
  void usersTakeTurnsAlsoIfOnesFilesStayOrComeAndGo() {
    for (int i = 0; i < 200; i++) {
      backlog.add(file(anna, "stays" + i));
    }
    for (int i = 0; i < 200; i++) {
      TrackedFile passing = file(anna, "passes" + i);
      backlog.add(passing);
      backlog.remove(passing);
    }
    add(bert, "b");
    int ofBert = 0;
    for (int i = 0; i < 64; i++) {
      ofBert += backlog.take().owner().equals(bert) ? 1 : 0;
      backlog.end(0);
    }
    assertTrue(ofBert >= 31, ofBert + " turns");
    assertEquals(201, backlog.count());
  }

  @Test
  void aFileWhoseOwnerHasChangedIsRemoved() {
    TrackedFile given = file(anna, "given away");
    backlog.add(given);
    given.setOwner(bert);
    assertTrue(backlog.has(given));
    backlog.remove(given);
    assertTrue(backlog.isEmpty());
  }
}
