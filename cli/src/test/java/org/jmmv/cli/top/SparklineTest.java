package org.jmmv.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class SparklineTest {
  private static String line(double... values) {
    return Sparkline.of(values, false);
  }

  @Test
  void barsGoFromZeroToTheLargestValue() {
    assertEquals("_.-~=+*#", line(0, 1, 2, 3, 4, 5, 6, 7));
    assertEquals("+*#", line(5, 6, 7));
    assertEquals("#_", line(0, -2));
    assertEquals("\u2588\u2581", Sparkline.of(new double[] {1, 0}, true));
  }

  @Test
  void whatIsSteadyLooksSteady() {
    assertEquals("###", line(1, 1.001, 0.999));
    assertEquals("___", line(0, 0, 0));
    assertEquals("", line());
  }

  @Test
  void whatIsNoNumberIsBlank() {
    assertEquals(" = # ", line(Double.NaN, 1, Double.POSITIVE_INFINITY, 2, Double.NaN));
    assertEquals("_#", line(-Double.MAX_VALUE, Double.MAX_VALUE));
  }
}
