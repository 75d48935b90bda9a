package org.jmmv.qa;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for conditions. */
final class Await {
  private static final long PATIENCE_SECONDS = 30;
  private static final long PAUSE_MILLIS = 20;

  private Await() {}

  /** Waits until a condition is true; fails after 30 s. */
  static void until(String what, BooleanSupplier condition) {
    until(what, () -> "", condition);
  }

  /**
   * Waits until a condition is true; fails after 30 s.
   *
   * @param what the condition in words
   * @param evidence added to the message of the failure
   */
  static void until(String what, Supplier<String> evidence, BooleanSupplier condition) {
    until(PATIENCE_SECONDS, what, evidence, condition);
  }

  /** Waits until a condition is true; fails after the given number of seconds. */
  static void until(
      long seconds, String what, Supplier<String> evidence, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(seconds)) {
        throw new AssertionError("not after " + seconds + " s: " + what + "\n" + evidence.get());
      }
      briefly();
    }
  }

  /** Waits for some milliseconds. */
  static void briefly() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
