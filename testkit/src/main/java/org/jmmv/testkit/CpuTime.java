package org.jmmv.testkit;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * Asserts that work is not more than it should be. The CPU time of the thread does not depend on
 * how busy the machine is.
 */
public final class CpuTime {
  /** Linear work takes up to a fifth of it on a slow machine; quadratic work must take more. */
  private static final Duration MAX = Duration.ofSeconds(30);

  private CpuTime() {}

  /** Some work, which is done in the thread that asks for it. */
  public interface Work<E extends Exception> {
    void run() throws E;
  }

  /** Does much work; fails if it takes more CPU time than linear work does. */
  public static <E extends Exception> void assertLinear(Work<E> work) throws E {
    long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    work.run();
    long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
    if (nanos > MAX.toNanos()) {
      throw new AssertionError(Duration.ofNanos(nanos) + " of CPU time, more than " + MAX);
    }
  }
}
