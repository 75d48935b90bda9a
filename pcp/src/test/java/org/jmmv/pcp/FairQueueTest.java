package org.jmmv.pcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FairQueueTest {
  private final FairQueue<String> queue = new FairQueue<>();

  /** Has connections wait all the time; returns the time that each of them gets of 100,000. */
  private Map<String, Long> share(Map<FairQueue.Connection<String>, Integer> nanosPerTurn) {
    Map<String, Long> used = new HashMap<>();
    nanosPerTurn.keySet().forEach(queue::add);
    for (long time = 0; time < 100_000; ) {
      FairQueue.Connection<String> next = queue.take();
      int nanos = nanosPerTurn.get(next);
      used.merge(next.subject(), (long) nanos, Long::sum);
      queue.end(next, nanos, true);
      time += nanos;
    }
    return used;
  }

  @Test
  void usersGetTheSameTimeWhateverTheirConnectionsAndTurns() {
    Map<FairQueue.Connection<String>, Integer> turns = new HashMap<>();
    for (int i = 0; i < 500; i++) {
      turns.put(queue.open(User.of(1), "many"), 80);
    }
    turns.put(queue.open(User.of(2), "one"), 3);
    Map<String, Long> used = share(turns);
    assertEquals(50_000, used.get("one"), 100);
    assertEquals(50_000, used.get("many"), 100);
  }

  @Test
  void connectionsOfAUserGetTheSameTimeWhateverTheirTurns() {
    Map<String, Long> used =
        share(Map.of(queue.open(User.of(3), "long"), 500, queue.open(User.of(3), "short"), 1));
    assertEquals(50_000, used.get("short"), 1_000);
    assertEquals(50_000, used.get("long"), 1_000);
  }

  /** Returns the subjects of the next turns, each of which takes 10 and is the last one. */
  private List<String> nextTurns(int count) {
    List<String> subjects = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      FairQueue.Connection<String> next = queue.take();
      subjects.add(next.subject());
      queue.end(next, 10, false);
    }
    return subjects;
  }

  /** The loop reads sockets after a long turn only: others may have waited all the time. */
  @Test
  void theUserOfTheLastTurnComesAfterThoseWhoBeginToWaitAfterIt() {
    queue.add(queue.open(User.of(4), "first"));
    assertEquals(List.of("first"), nextTurns(1));
    queue.add(queue.open(User.of(4), "second"));
    queue.add(queue.open(User.of(5), "good"));
    assertEquals(List.of("good", "second"), nextTurns(2));
  }

  @Test
  void whoeverWasIdleIsNextButCanNotSaveUpTime() {
    FairQueue.Connection<String> busy = queue.open(User.of(6), "busy");
    FairQueue.Connection<String> idle = queue.open(User.of(7), "idle");
    queue.add(busy);
    for (int i = 0; i < 100; i++) {
      queue.end(queue.take(), 10, true);
    }
    queue.add(idle);
    assertEquals("idle", queue.take().subject());
    queue.end(idle, 100, true);
    for (int i = 0; i < 9; i++) { // what the idle one has used, without the time before
      assertEquals("busy", queue.take().subject());
      queue.end(busy, 10, true);
    }
    assertTrue(List.of("idle", "busy").contains(queue.take().subject()));
  }

  @Test
  void aUserWhoComesBackStillHasToWait() {
    FairQueue.Connection<String> other = queue.open(User.of(8), "other");
    queue.add(other);
    queue.end(queue.take(), 10, true);
    for (int i = 0; i < 3; i++) {
      FairQueue.Connection<String> first = queue.open(User.of(3), "first");
      queue.add(first);
      List<String> turns = new ArrayList<>();
      while (!turns.contains("first")) {
        FairQueue.Connection<String> next = queue.take();
        turns.add(next.subject());
        queue.end(next, next == first ? 1000 : 10, next != first);
      }
      queue.close(first);
      assertTrue(i == 0 || turns.size() >= 100, turns.size() + " turns");
    }
  }

  @Test
  void aConnectionWaitsOnce() {
    FairQueue.Connection<String> connection = queue.open(User.of(6), "a");
    queue.add(connection);
    queue.add(connection);
    assertEquals(connection, queue.take());
    queue.add(connection);
    queue.end(connection, 10, false);
    assertTrue(queue.isEmpty());
    queue.add(connection);
    assertFalse(queue.isEmpty());
  }

  @Test
  void connectionsThatBeginToWaitDuringATurnAreNotForgotten() {
    FairQueue.Connection<String> first = queue.open(User.of(6), "first");
    FairQueue.Connection<String> second = queue.open(User.of(6), "second");
    FairQueue.Connection<String> third = queue.open(User.of(7), "third");
    queue.add(first);
    queue.take();
    queue.add(second);
    queue.add(third);
    queue.end(first, 10, false);
    assertEquals(List.of("third", "second"), nextTurns(2));
    assertTrue(queue.isEmpty());
  }

  @Test
  void aConnectionThatIsClosedWhileItWaitsGetsOneTurnMore() {
    FairQueue.Connection<String> closed = queue.open(User.of(6), "closed");
    queue.add(closed);
    queue.close(closed);
    queue.end(queue.take(), 10, true);
    assertTrue(queue.isEmpty());
  }
}
