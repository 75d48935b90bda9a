package org.jmmv.qa;

import java.util.stream.LongStream;

/** The seeds of tests with random cases. */
final class Seeds {
  private static final int NIGHTLY = 10;

  private Seeds() {}

  /** Returns one seed; ten for {@code ./check --nightly}. */
  static LongStream all() {
    return LongStream.rangeClosed(1, System.getenv("JMMV_NIGHTLY") == null ? 1 : NIGHTLY);
  }
}
