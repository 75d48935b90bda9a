package org.jmmv.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jmmv.core.LongestStep;
import org.jmmv.core.Turn;
import org.jmmv.pcp.User;
import org.junit.jupiter.api.Test;

class SchedulerTest {
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final List<String> turns = new ArrayList<>(); // the users who have had them
  private long shared;
  private final LongestStep steps = new LongestStep(System.nanoTime());
  private final Scheduler scheduler = new Scheduler(channel.eventLoop(), () -> shared, steps);

  /** Adds a user who takes three turns of 20 ms. */
  private void add(String user, boolean isForAll) {
    Scheduler.Worker worker =
        new Scheduler.Worker() {
          private int left = 3;

          @Override
          public boolean work(Turn turn) {
            turns.add(user);
            long start = System.nanoTime();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            if (isForAll) {
              shared += System.nanoTime() - start;
            }
            return --left > 0;
          }

          @Override
          public void pause() {}
        };
    scheduler.open(User.of(user.hashCode() & 0xffff), worker).await();
  }

  @Test
  void requestsWaitUntilTheyHaveHadTheirTurns() {
    assertFalse(scheduler.doRequestsWait());
    add("any", false);
    assertTrue(scheduler.doRequestsWait());
    while (turns.size() < 3) {
      channel.runPendingTasks();
    }
    assertFalse(scheduler.doRequestsWait());
  }

  @Test
  void theLongestTurnIsKnown() {
    add("any", false);
    channel.runPendingTasks();
    assertTrue(steps.nanos(System.nanoTime()) >= TimeUnit.MILLISECONDS.toNanos(20));
  }

  @Test
  void whatIsDoneForAllIsNotChargedToWhoseTurnItIs() {
    add("for all", true);
    add("for himself", false);
    while (turns.size() < 6) {
      channel.runPendingTasks();
    }
    assertEquals(
        List.of("for all", "for himself", "for all", "for all", "for himself", "for himself"),
        turns);
  }
}
