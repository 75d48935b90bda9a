package org.jmmv.writer;

/** A counter of real numbers, such as seconds. */
public final class DoubleCounter extends MetricValue {
  DoubleCounter(Slot slot) {
    super(slot);
  }

  /**
   * Adds a number.
   *
   * @param amount 0 or more
   * @throws IllegalArgumentException if it is negative or NaN
   */
  public void add(double amount) {
    if (!(amount >= 0)) {
      throw new IllegalArgumentException("a counter can't be increased by " + amount);
    }
    long before;
    double value;
    do {
      before = cell.get();
      value = type.real(before);
    } while (!cell.replace(before, type.bits(Double.isNaN(value) ? amount : value + amount)));
  }

  /** Returns the current value; NaN of a counter without one. */
  public double get() {
    return type.real(cell.get());
  }

  @Override
  void setNoValue() {
    cell.set(type.bits(Double.NaN));
  }
}
