package org.jmmv.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.jmmv.core.LongestStep;
import org.jmmv.core.Turn;
import org.jmmv.pcp.User;
import org.junit.jupiter.api.Test;

class SchedulerTest {
  private static final long MILLISECOND = 1_000_000;

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final List<String> turns = new ArrayList<>(); // the users who have had them
  private final List<Integer> pauses = new ArrayList<>(); // after how many turns
  private long clock;
  private long shared;
  private final LongestStep steps = new LongestStep(clock);
  private final Scheduler scheduler =
      new Scheduler(channel.eventLoop(), () -> shared, steps, () -> clock);

  /** Adds a user who takes three turns. */
  private void add(String user, long nanos, boolean isForAll) {
    Scheduler.Worker worker =
        new Scheduler.Worker() {
          private int left = 3;

          @Override
          public boolean work(Turn turn) {
            turns.add(user);
            clock += nanos;
            shared += isForAll ? nanos - 1 : 0; // the rest is its own
            return --left > 0;
          }

          @Override
          public void pause() {
            pauses.add(turns.size());
          }
        };
    scheduler.open(User.of(user.hashCode() & 0xffff), worker).await();
  }

  @Test
  void requestsWaitUntilTheyHaveHadTheirTurns() {
    assertFalse(scheduler.doRequestsWait());
    add("any", 20 * MILLISECOND, false);
    assertTrue(scheduler.doRequestsWait());
    while (turns.size() < 3) {
      channel.runPendingTasks();
    }
    assertFalse(scheduler.doRequestsWait());
  }

  @Test
  void theLongestTurnIsKnown() {
    add("any", 20 * MILLISECOND, false);
    channel.runPendingTasks();
    assertEquals(20 * MILLISECOND, steps.nanos(clock));
  }

  @Test
  void whatIsDoneForAllIsNotChargedToWhoseTurnItIs() {
    add("for all", 20 * MILLISECOND, true);
    add("for himself", 20 * MILLISECOND, false);
    while (turns.size() < 6) {
      channel.runPendingTasks();
    }
    assertEquals(
        List.of("for all", "for himself", "for all", "for all", "for himself", "for himself"),
        turns);
  }

  @Test
  void theLoopReadsSocketsAfterAMillisecond() {
    add("any", MILLISECOND / 2, false);
    add("other", MILLISECOND / 2, false);
    channel.runPendingTasks();
    assertEquals(List.of(2, 2), pauses);
  }
}
