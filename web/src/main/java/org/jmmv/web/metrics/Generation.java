package org.jmmv.web.metrics;

import java.time.Instant;

/** The time that a file's generation stands for. */
final class Generation {
  private static final long MICROS = 1_000_000;
  private static final long NANOS = 1_000_000_000;
  private static final long EARLIEST = Instant.parse("2000-01-01T00:00:00Z").getEpochSecond();
  private static final long LATEST = Instant.parse("2200-01-01T00:00:00Z").getEpochSecond();

  private Generation() {}

  /**
   * Returns when a file was made, in nanoseconds since the epoch, or 0 if its generation is not a
   * time. libpcp_mmv writes seconds in the upper half and microseconds in the lower one, others
   * write seconds.
   */
  static long nanos(long generation) {
    long upper = generation >>> 32;
    long lower = generation & 0xffffffffL;
    long seconds = upper == 0 ? lower : upper;
    long micros = upper == 0 ? 0 : lower;
    boolean isTime = seconds >= EARLIEST && seconds < LATEST && micros < MICROS;
    return isTime ? seconds * NANOS + micros * (NANOS / MICROS) : 0;
  }
}
