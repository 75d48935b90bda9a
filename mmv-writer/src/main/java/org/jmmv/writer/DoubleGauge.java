package org.jmmv.writer;

/** A real number that can change at any time. */
public final class DoubleGauge extends MetricValue {
  DoubleGauge(Slot slot) {
    super(slot);
  }

  /** Sets the value. NaN says that there is none, in an application with a sentinel. */
  public void set(double value) {
    cell.set(type.bits(value));
  }

  /** Returns the current value; NaN of a gauge without one. */
  public double get() {
    return type.real(cell.get());
  }

  @Override
  void setNoValue() {
    set(Double.NaN);
  }
}
