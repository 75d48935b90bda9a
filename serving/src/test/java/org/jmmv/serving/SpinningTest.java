package org.jmmv.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.SelectStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SpinningTest {
  private static final int MICROSECOND = 1_000;

  private long now;
  private int looks;
  private final SelectStrategy strategy = new Spinning(1, () -> now).ofLoop();

  /**
   * Returns what the strategy says, when a request comes after {@code requestAfter} looks of 10 µs
   * each.
   */
  private int round(int requestAfter) throws Exception {
    looks = 0;
    return strategy.calculateStrategy(
        () -> {
          now += 10 * MICROSECOND;
          return looks++ < requestAfter ? 0 : 1;
        },
        false);
  }

  @Test
  void itSleepsAtOnceAfterAPause() throws Exception {
    assertEquals(SelectStrategy.SELECT, round(0));
    now += 200 * MICROSECOND;
    assertEquals(SelectStrategy.SELECT, round(0));
    assertEquals(0, looks);
  }

  @Test
  void itDoesNotPollTwiceForAClientThatAsksLessOften() throws Exception {
    round(0);
    for (int i = 0; i < 3; i++) {
      now += 20 * MICROSECOND;
      assertEquals(SelectStrategy.SELECT, round(Integer.MAX_VALUE));
      now += 40 * MICROSECOND; // asleep
      assertEquals(SelectStrategy.SELECT, round(0));
      assertEquals(0, looks);
    }
  }

  /** Also if the reply, or being woken up, takes longer than it polls. */
  @ParameterizedTest
  @ValueSource(longs = {20, 140})
  void itStaysAwakeForAClientThatAsksAgainSoon(long microseconds) throws Exception {
    round(0);
    for (int i = 0; i < 3; i++) {
      now += microseconds * MICROSECOND;
      assertEquals(1, round(4));
      assertEquals(5, looks);
    }
  }

  @Test
  void itSleepsIfNothingComes() throws Exception {
    round(0);
    now += 20 * MICROSECOND;
    assertEquals(SelectStrategy.SELECT, round(Integer.MAX_VALUE));
    assertTrue(looks <= 10, looks + " looks");
    assertEquals(SelectStrategy.SELECT, round(0), "the last round was a long one");
    assertEquals(0, looks);
  }

  @Test
  void tasksDoNotWait() throws Exception {
    round(0);
    int ready =
        strategy.calculateStrategy(
            () -> {
              now += 10 * MICROSECOND;
              return 0;
            },
            true);
    assertEquals(0, ready, "not to sleep, and not to stay for requests");
  }
}
