package org.jmmv.reader.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class WorkBudgetTest {
  private static final long MILLISECOND = 1_000_000;

  private long clock;
  private final WorkBudget time = new WorkBudget(new Budget(Limits.DEFAULT), () -> clock);

  private long timeOfARequest() {
    time.beginRequest(false);
    return time.deadline() - clock;
  }

  @Test
  void aRequestThatHasWaitedLeavesNothingForTheNextOne() {
    long all = timeOfARequest();
    clock += all;
    time.addLoading(all);
    time.merge(Change.NONE, _ -> {});
    assertEquals(0, timeOfARequest());
    clock += 40 * MILLISECOND;
    assertEquals(10 * MILLISECOND, timeOfARequest());
  }

  @Test
  void workBetweenRequestsUsesUpTheirTimeButNothingBeyond() {
    long all = timeOfARequest();
    time.beginPause(10 * MILLISECOND);
    time.addLoading(10 * MILLISECOND);
    time.merge(Change.NONE, _ -> {});
    assertEquals(all - 10 * MILLISECOND, timeOfARequest());
    for (int i = 0; i < 100; i++) {
      time.beginPause(10 * MILLISECOND);
      time.addLoading(10 * MILLISECOND);
      time.merge(Change.NONE, _ -> {});
    }
    assertEquals(0, timeOfARequest());
  }

  @Test
  void workBetweenRequestsThatTakesTooLongCountsInAnyCase() {
    timeOfARequest();
    time.beginPause(10 * MILLISECOND);
    clock += 1_000 * MILLISECOND;
    time.addLoading(1_000 * MILLISECOND);
    time.merge(Change.NONE, _ -> {});
    assertTrue(timeOfARequest() < -500 * MILLISECOND);
  }

  /** On a pipe, a turn does not end: pmcd(1) gives an agent up that does not answer for 5 s. */
  @Test
  void aReloadIsOverWhenARequestHasWaitedLongEnoughHoweverLongTheTurnIs() {
    long all = timeOfARequest();
    time.beginReload();
    clock += 10 * MILLISECOND;
    time.beginPause(Long.MAX_VALUE);
    assertEquals(all - 10 * MILLISECOND, time.deadline() - clock);
    clock += all;
    assertTrue(time.isReloadOver());
    time.beginPause(20 * MILLISECOND);
    assertEquals(20 * MILLISECOND, time.deadline() - clock);
  }

  @Test
  void whatRequestsSpendOnFilesIsTimeThatTheyHaveWaited() {
    time.beginRequest(true);
    time.addLooking(MILLISECOND);
    time.addLoading(2 * MILLISECOND);
    time.merge(Change.NONE, _ -> {});
    time.charge(4 * MILLISECOND);
    assertEquals(7 * MILLISECOND, time.waitedNanos());
    time.beginPause(10 * MILLISECOND);
    time.addLoading(8 * MILLISECOND);
    time.merge(Change.NONE, _ -> {});
    assertEquals(7 * MILLISECOND, time.waitedNanos());
  }

  /**
   * Has saves of {@code nanos} begin every 10 ms, for 10 s. Returns how many of 1,000 took place.
   */
  private int saves(long nanos) {
    int saves = 0;
    for (int i = 0; i < 1_000; i++) {
      clock += 10 * MILLISECOND;
      saves += time.save(() -> clock += nanos) ? 1 : 0;
    }
    return saves;
  }

  @Test
  void usualSavesAreAlwaysDone() {
    assertEquals(1_000, saves(MILLISECOND / 5));
  }

  @Test
  void longSavesTakeAFiftiethOfTheTime() {
    long start = clock;
    int saves = saves(30 * MILLISECOND);
    long expected = (50 * MILLISECOND + (clock - start) / 50) / (30 * MILLISECOND);
    assertTrue(Math.abs(saves - expected) <= 1, saves + " instead of " + expected);
  }
}
