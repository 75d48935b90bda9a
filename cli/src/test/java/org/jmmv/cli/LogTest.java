package org.jmmv.pmda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class LogLimitTest {
  private long time = Long.MAX_VALUE - 5; // nanoTime may run over
  private final LogLimit limit = new LogLimit(() -> time);

  private boolean log(Level level) {
    return limit.isLoggable(new LogRecord(level, "a: something is wrong"));
  }

  private int logged(int lines) {
    int logged = 0;
    for (int i = 0; i < lines; i++) {
      logged += log(Level.WARNING) ? 1 : 0;
    }
    return logged;
  }

  @Test
  void aFloodEndsAfterAThousandLinesAndIsCounted() {
    assertEquals(1000, logged(1_000_000));
    assertEquals(999_000, limit.takeLeftOut());
    assertEquals(0, limit.takeLeftOut());
  }

  @Test
  void thenThereIsALineInTenSeconds() {
    assertEquals(1000, logged(2000));
    time += TimeUnit.SECONDS.toNanos(9);
    assertFalse(log(Level.SEVERE));
    time += TimeUnit.SECONDS.toNanos(1);
    assertEquals(1, logged(1000));
    time += TimeUnit.HOURS.toNanos(1);
    assertEquals(360, logged(1000));
    time += TimeUnit.DAYS.toNanos(100);
    assertEquals(1000, logged(2000));
  }

  @Test
  void whatDebugOptionsAskForIsNotLimited() {
    logged(2000);
    assertTrue(log(Level.FINE));
    assertFalse(log(Level.WARNING));
  }

  @Test
  void theNextLineSaysHowManyWereLeftOut() {
    LogFormat format = new LogFormat(limit);
    logged(1003);
    String first = format.format(new LogRecord(Level.WARNING, "b: something is wrong"));
    assertTrue(first.contains("Warning: 3 lines left out here\n["), first);
    assertTrue(first.endsWith("Warning: b: something is wrong\n"), first);
    String second = format.format(new LogRecord(Level.WARNING, "c: something is wrong"));
    assertFalse(second.contains("left out"), second);
  }
}
