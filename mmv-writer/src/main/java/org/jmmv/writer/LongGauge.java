package org.jmmv.writer;

/** A whole number that can change at any time. */
public final class LongGauge extends MetricValue {
  LongGauge(Slot slot) {
    super(slot);
  }

  /**
   * Sets the value. Of a number that is too large for the type, the lower 32 bits are taken. In an
   * application with a sentinel, -1 of a type with 64 bits says that there is no value.
   */
  public void set(long value) {
    if (isHalf) {
      cell.setHalf((int) value);
    } else {
      cell.set(value);
    }
  }

  /** Adds a number, which may be negative. A gauge without a value starts from 0. */
  public void add(long amount) {
    long before;
    long next;
    do {
      before = cell.get();
      long value = before == MmvLayout.NO_VALUE && maySayNone() ? 0 : value(before);
      next = isHalf ? Cell.whole((int) (value + amount)) : value + amount;
    } while (!cell.replace(before, next));
  }

  /** Returns the current value; -1 of a gauge without one. */
  public long get() {
    return value(cell.get());
  }

  private long value(long bits) {
    return isHalf && bits != MmvLayout.NO_VALUE ? type.widened(Cell.half(bits)) : bits;
  }
}
