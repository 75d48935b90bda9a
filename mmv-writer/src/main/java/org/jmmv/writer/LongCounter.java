package org.jmmv.writer;

/** A counter of whole numbers, which wraps around where its type ends. */
public final class LongCounter extends MetricValue {
  LongCounter(Slot slot) {
    super(slot);
  }

  /** Adds 1. */
  public void increment() {
    add(1);
  }

  /**
   * Adds a number.
   *
   * @param amount 0 or more
   * @throws IllegalArgumentException if it is negative
   */
  public void add(long amount) {
    if (amount < 0) {
      throw new IllegalArgumentException("a counter can't decrease by " + -amount);
    }
    if (isHalf) {
      addHalf((int) amount);
    } else {
      count(amount);
    }
  }

  private void addHalf(int amount) {
    long before;
    int next;
    do {
      before = cell.get();
      next = before == MmvLayout.NO_VALUE ? amount : Cell.half(before) + amount;
    } while (!cell.replace(before, Cell.whole(next)));
  }

  /** Returns the current value; -1 of a counter without one. */
  public long get() {
    long bits = cell.get();
    return !isHalf || bits == MmvLayout.NO_VALUE ? bits : type.widened(Cell.half(bits));
  }
}
