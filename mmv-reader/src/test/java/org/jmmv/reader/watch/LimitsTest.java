package org.jmmv.reader.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class LimitsTest {
  private static Limits limits(int files) {
    return TestWatcher.limits(1, files, 2, 3, 4, 5, 1000, 4095, 50, 800);
  }

  @Test
  void filesLeaveMappingsForTheJvm() {
    assertEquals(limits(49_530), limits(100_000).within(65_530));
    assertEquals(limits(40_000), limits(40_000).within(65_530));
    assertEquals(limits(1), limits(20_000).within(1_000));
  }
}
