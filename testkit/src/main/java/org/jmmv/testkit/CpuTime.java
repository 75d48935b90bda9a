package org.jmmv.testkit;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * Asserts that work is not more than it should be. The CPU time of the thread does not depend on
 * how busy the machine is.
 */
public final class CpuTime {
  private CpuTime() {}

  /** Some work, which is done in the thread that asks for it. */
  public interface Work<E extends Exception> {
    void run() throws E;
  }

  /**
   * Does some work; fails if it takes more CPU time than this.
   *
   * @param max what is generous for linear work, and what quadratic work exceeds
   */
  public static <E extends Exception> void assertAtMost(Duration max, Work<E> work) throws E {
    long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    work.run();
    long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
    if (nanos > max.toNanos()) {
      throw new AssertionError(Duration.ofNanos(nanos) + " of CPU time, more than " + max);
    }
  }
}
