package org.jmmv.core.derived;

import java.util.stream.DoubleStream;
import org.jmmv.pcp.Units;

/**
 * How a value of some units becomes one of other units with the same dimension: it is divided and
 * then multiplied by whole numbers.
 */
record Scaling(double divisor, double factor) {
  static final Scaling NONE = new Scaling(1, 1);

  private static final double[] SPACE = DoubleStream.generate(() -> 1024).limit(15).toArray();
  private static final double[] TIME = {1000, 1000, 1000, 60, 60}; // from nanoseconds on
  private static final double[] COUNT = DoubleStream.generate(() -> 10).limit(15).toArray();
  private static final int MIN_COUNT = -8;

  /**
   * Returns how a value gets the scales of other units.
   *
   * @param from those of the value, whose scales of time have a name
   * @param to a dimension that it does not have keeps its scale
   */
  static Scaling between(Units from, Units to) {
    return NONE.and(from.space(), SPACE, from.spaceScale(), to.space() == 0 ? -1 : to.spaceScale())
        .and(from.time(), TIME, from.timeScale(), to.time() == 0 ? -1 : to.timeScale())
        .and(
            from.count(),
            COUNT,
            from.countScale() - MIN_COUNT,
            to.count() == 0 ? -1 : to.countScale() - MIN_COUNT);
  }

  /**
   * Adds the scaling of one dimension.
   *
   * @param exponent of the dimension
   * @param steps how many of each scale are one of the next
   * @param to negative: the scale stays
   */
  private Scaling and(int exponent, double[] steps, int from, int to) {
    double power = 1;
    if (exponent != 0 && to >= 0) {
      for (int scale = Math.min(from, to); scale < Math.max(from, to); scale++) {
        power *= Math.pow(steps[scale], Math.abs(exponent));
      }
    }
    return (exponent > 0) == (to > from)
        ? new Scaling(divisor * power, factor)
        : new Scaling(divisor, factor * power);
  }

  /** Returns whether the numbers are not too large for a double. */
  boolean isFinite() {
    return Double.isFinite(divisor) && Double.isFinite(factor);
  }

  boolean isNone() {
    return equals(NONE);
  }

  double apply(double value) {
    return value / divisor * factor;
  }
}
