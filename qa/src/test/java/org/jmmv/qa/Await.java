package org.jmmv.qa;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what must become true, and not for a time. */
final class Await {
  /** The one limit, after which a test fails: long enough for a machine with much else to do. */
  static final Duration LIMIT = Duration.ofMinutes(5);

  private static final long PAUSE_MILLIS = 20;
  private static final long MAX_PAUSE_MILLIS = 200;

  private Await() {}

  /** Waits until a condition is true; fails after {@link #LIMIT}. */
  static void until(String what, BooleanSupplier condition) {
    until(what, () -> "", condition);
  }

  /**
   * Waits until a condition is true; fails after {@link #LIMIT}.
   *
   * @param what the condition in words
   * @param evidence added to the message of the failure
   */
  static void until(String what, Supplier<String> evidence, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      long nanos = System.nanoTime() - start;
      if (nanos > LIMIT.toNanos()) {
        throw new AssertionError("not after " + LIMIT + ": " + what + "\n" + evidence.get());
      }
      // A tenth of the time so far: each question to a pmcd or a browser takes much of a processor.
      pause(Math.clamp(nanos / 10_000_000, PAUSE_MILLIS, MAX_PAUSE_MILLIS));
    }
  }

  /**
   * Waits until a process has ended, and returns its exit status; fails after {@link #LIMIT}.
   *
   * @param evidence added to the message of the failure
   */
  static int exitStatus(Process process, Supplier<String> evidence) {
    try {
      if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError(process + " has not ended\n" + evidence.get());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
    return process.exitValue();
  }

  /** Waits for some milliseconds. */
  static void briefly() {
    pause(PAUSE_MILLIS);
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
