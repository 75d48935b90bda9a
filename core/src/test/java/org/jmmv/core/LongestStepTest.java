package org.jmmv.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class LongestStepTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void aStepIsForgottenAfterTwoMinutes() {
    LongestStep steps = new LongestStep(0);
    assertEquals(0, steps.nanos(SECOND));
    steps.add(50 * SECOND, 53 * SECOND);
    steps.add(54 * SECOND, 55 * SECOND);
    assertEquals(3 * SECOND, steps.nanos(59 * SECOND));
    steps.add(61 * SECOND, 62 * SECOND);
    assertEquals(3 * SECOND, steps.nanos(119 * SECOND));
    steps.add(122 * SECOND, 124 * SECOND);
    assertEquals(2 * SECOND, steps.nanos(130 * SECOND));
    assertEquals(0, steps.nanos(400 * SECOND));
  }
}
