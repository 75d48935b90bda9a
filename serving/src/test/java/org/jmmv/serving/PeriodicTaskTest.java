package org.jmmv.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jmmv.core.LongestStep;
import org.jmmv.core.Turn;
import org.junit.jupiter.api.Test;

class PeriodicTaskTest {
  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1000 * MILLISECOND;

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final List<Double> begun = new ArrayList<>(); // milliseconds
  private long clock;

  private void pass(long nanos) {
    clock += nanos;
    channel.advanceTimeBy(nanos, TimeUnit.NANOSECONDS);
    channel.runPendingTasks();
  }

  /** Does work for ten seconds, each second, in a number of turns. */
  private void repeat(int turns, long nanosOfTurn, Server.Task task) {
    channel.freezeTime();
    Scheduler scheduler =
        new Scheduler(channel.eventLoop(), () -> 0, new LongestStep(0), () -> clock);
    Server.Task work =
        new Server.Task() {
          private int left;

          @Override
          public boolean work(Turn turn) {
            if (left == 0) {
              begun.add(clock / 1e6);
              left = turns;
            }
            clock += nanosOfTurn;
            channel.advanceTimeBy(nanosOfTurn, TimeUnit.NANOSECONDS);
            left--;
            return task.work(turn) && left > 0;
          }
        };
    new PeriodicTask(
            "test", Duration.ofSeconds(1), work, scheduler, channel.eventLoop(), () -> clock)
        .begin();
    while (clock < 10 * SECOND) {
      pass(MILLISECOND);
    }
  }

  @Test
  void workThatTakesAShortTimeIsDoneInEachPeriod() {
    repeat(3, MILLISECOND, _ -> true);
    assertEquals(10, begun.size());
    assertEquals(9000, begun.getLast(), 10);
  }

  @Test
  void workTakesTwoPercentOfTheTime() {
    repeat(10, 10 * MILLISECOND, _ -> true);
    assertEquals(2, begun.size());
    assertEquals(5000, begun.getLast() - begun.getFirst(), 20);
  }

  @Test
  void workThatFailsIsDoneAgain() {
    repeat(
        1,
        0,
        _ -> {
          throw new IllegalStateException("a fault");
        });
    assertEquals(10, begun.size());
  }
}
