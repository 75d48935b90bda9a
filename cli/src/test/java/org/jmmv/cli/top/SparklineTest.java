package org.jmmv.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class SparklineTest {
  private static String line(double... values) {
    return Sparkline.of(values, false);
  }

  @Test
  void barsGoFromTheSmallestToTheLargestValue() {
    assertEquals("_.-~=+*#", line(0, 1, 2, 3, 4, 5, 6, 7));
    assertEquals("#_", line(-1, -2));
    assertEquals("\u2588\u2581", Sparkline.of(new double[] {1, 0}, true));
  }

  @Test
  void equalValuesAreLow() {
    assertEquals("___", line(5, 5, 5));
    assertEquals("", line());
  }

  @Test
  void whatIsNoNumberIsBlank() {
    assertEquals(" _ # ", line(Double.NaN, 1, Double.POSITIVE_INFINITY, 2, Double.NaN));
    assertEquals("_#", line(-Double.MAX_VALUE, Double.MAX_VALUE));
  }
}
