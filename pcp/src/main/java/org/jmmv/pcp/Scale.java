package org.jmmv.pcp;

/** How values become multiples of a base unit. */
public sealed interface Scale {
  /** Values stay as they are. */
  Scale NONE = new Exact(1, 0);

  /**
   * Values are multiplied by a whole number and divided by a power of ten, which is exact for
   * integers.
   *
   * @param decimals the exponent of the power of ten, 0 to 19
   */
  record Exact(long factor, int decimals) implements Scale {
    @Override
    public boolean isNone() {
      return factor == 1 && decimals == 0;
    }

    @Override
    public double of(double value) {
      return value * factor / Math.pow(10, decimals);
    }
  }

  /** Values are increased, and then multiplied. */
  record Shifted(double summand, double factor) implements Scale {
    @Override
    public boolean isNone() {
      return false;
    }

    @Override
    public double of(double value) {
      return (value + summand) * factor;
    }
  }

  /** Returns whether values stay as they are. */
  boolean isNone();

  /** Returns a value in the base unit. */
  double of(double value);
}
