package org.jmmv.reader.watch;

/**
 * The clock by which work is bounded, in nanoseconds. {@link #now} says how long requests wait,
 * {@link #worked} what a file costs: on a busy machine, a file that takes 5 ms to read may keep a
 * request waiting for 50 ms, but is not to blame for the other 45 ms.
 */
@FunctionalInterface
interface WorkClock extends AutoCloseable {
  /** Returns the time, as {@link System#nanoTime} does. */
  long now();

  /**
   * Returns the time for which the calling thread has run, or waited for anything but a CPU: for a
   * disk, or for the garbage collector. The difference of two values is at most that of {@link
   * #now}.
   */
  default long worked() {
    return now();
  }

  @Override
  default void close() {}
}
