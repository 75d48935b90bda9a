package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What a run of attacks has shown: figures on one line, and failures. */
final class Outcome {
  /** The longest time of a request of another user once hostile files have been read. */
  static final long QUICK_MILLIS = 300;

  private static final long SLOW_MILLIS = 30_000; // shows only that nothing hangs
  private static final long SPARE_KILOBYTES = 48 << 10; // the JVM still compiles methods
  private static final long LOG_BYTES = 1_000_000;

  private final boolean isTimed;
  private final boolean isSoak;
  private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
  private String figures = "";

  /**
   * Begins a run.
   *
   * @param isTimed whether the limits of times apply; otherwise a request may take 30 s
   * @param isSoak whether the server must not grow however long they go on
   */
  Outcome(boolean isTimed, boolean isSoak) {
    this.isTimed = isTimed;
    this.isSoak = isSoak;
  }

  void setFigures(String line) {
    figures = line;
  }

  /** Adds a failure; any thread may. */
  void fail(String what) {
    failures.add(what);
  }

  private void failIfOver(long limit, long figure, String what) {
    if (figure > limit) {
      fail(figure + " " + what);
    }
  }

  /** Adds a failure if a request has taken too long. */
  void checkTime(long limit, long millis, String when) {
    failIfOver(isTimed ? limit : SLOW_MILLIS, millis, "ms " + when);
  }

  /** Adds a failure if a process has taken too much memory. */
  void checkPeak(long limit, MemoryWatch memory) {
    failIfOver(limit, memory.peakKilobytes(), "kB of memory");
  }

  /** Adds a failure if a process has taken too much memory, or goes on growing in a soak. */
  void checkMemory(long limit, MemoryWatch memory) {
    checkPeak(limit, memory);
    if (isSoak) {
      failIfOver(
          SPARE_KILOBYTES,
          memory.grownKilobytes(),
          "kB of memory more than ever in the first half of the time");
    }
  }

  /** Adds a failure if too much was logged. */
  void checkLog(long bytes) {
    failIfOver(LOG_BYTES, bytes, "bytes in the log");
  }

  /** Prints it. Returns whether the attacks were withstood. */
  boolean isGood() {
    System.out.println(this);
    return failures.isEmpty();
  }

  /** Prints it; fails if the attacks were not withstood. */
  void assertWithstood() {
    assertTrue(isGood(), this::toString);
  }

  @Override
  public String toString() {
    return figures + (failures.isEmpty() ? " ok" : " FAILED: " + String.join("; ", failures));
  }
}
