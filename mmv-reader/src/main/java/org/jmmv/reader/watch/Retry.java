package org.jmmv.reader.watch;

/**
 * When something is tried again at the earliest. After a failure for a passing reason, such as a
 * lack of descriptors, that is {@linkplain #after later and later}: 1 s after the first failure,
 * then after 2 s, 4 s and so on, and every 60 s in the end. So the attempts cost little even if
 * thousands of files wait for one.
 *
 * @param since the time of the last attempt, in nanoseconds of {@link System#nanoTime}
 * @param delay the time to wait, in nanoseconds
 */
record Retry(long since, long delay) {
  private static final long SECOND = 1_000_000_000;

  /** The longest time between two attempts, and between two questions about a writer. */
  static final long LONGEST = 60 * SECOND;

  /**
   * Returns the attempt that follows a failure.
   *
   * @param failed the attempt that has failed; null for the first failure. If it was not due yet,
   *     because a change was the reason to try, it stays as it is
   * @param time the time of the failure
   */
  static Retry after(Retry failed, long time) {
    if (failed == null) {
      return new Retry(time, SECOND);
    }
    return failed.isDue(time) ? new Retry(time, Math.min(2 * failed.delay, LONGEST)) : failed;
  }

  boolean isDue(long time) {
    return time - since >= delay;
  }
}
