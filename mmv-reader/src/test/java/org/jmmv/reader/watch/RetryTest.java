package org.jmmv.reader.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RetryTest {
  private static final long START = Long.MAX_VALUE - 5; // nanoTime may overflow

  @Test
  void attemptsBecomeRarer() {
    long time = START;
    Retry retry = Retry.after(null, time);
    for (long seconds : new long[] {1, 2, 4, 8, 16, 32, 60, 60}) {
      assertEquals(TimeUnit.SECONDS.toNanos(seconds), retry.delay());
      assertFalse(retry.isDue(time + retry.delay() - 1));
      time += retry.delay();
      assertTrue(retry.isDue(time));
      retry = Retry.after(retry, time);
    }
  }

  @Test
  void earlierAttemptDoesNotPostponeTheNext() {
    Retry retry = Retry.after(null, START);
    assertSame(retry, Retry.after(retry, START + 1));
  }
}
