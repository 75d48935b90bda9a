package org.jmmv.qa;

import java.time.Duration;
import java.util.stream.LongStream;

/** What {@code ./check --nightly} does more of. */
final class Nightly {
  private static final boolean IS_NIGHT = System.getenv("JMMV_NIGHTLY") != null;

  private Nightly() {}

  /** Returns whether the tests that take long run, too. */
  static boolean isNight() {
    return IS_NIGHT;
  }

  /** Returns the seeds of tests with random cases: one, or ten. */
  static LongStream seeds() {
    return LongStream.rangeClosed(1, IS_NIGHT ? 10 : 1);
  }

  /** Returns for how many seconds a Prometheus scrapes: 15, or 60. */
  static int scraping() {
    return IS_NIGHT ? 60 : 15;
  }

  /** Returns how long the agent and the collector must not grow: 20 s, or ten minutes. */
  static Duration soak() {
    return IS_NIGHT ? Duration.ofMinutes(10) : Duration.ofSeconds(20);
  }
}
