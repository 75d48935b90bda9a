package org.jmmv.core;

/** Counts the fetches that were answered, for {@code mmv.control.agent}. */
public final class FetchCounts {
  private final long start = System.nanoTime();
  private long fetches;
  private long values;
  private long nanos;

  FetchCounts() {}

  /**
   * Counts a fetch.
   *
   * @param values the number of values in the reply
   * @param nanos the time from its request on, in nanoseconds
   */
  public void add(long values, long nanos) {
    fetches++;
    this.values += values;
    this.nanos += nanos;
  }

  long fetches() {
    return fetches;
  }

  long values() {
    return values;
  }

  long nanos() {
    return nanos;
  }

  long uptimeSeconds() {
    return (System.nanoTime() - start) / 1_000_000_000;
  }
}
