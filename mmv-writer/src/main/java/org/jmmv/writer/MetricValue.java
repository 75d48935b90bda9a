package org.jmmv.writer;

/**
 * A value of a metric: that of an instance, or the only one. All methods of all values can be
 * called by any thread, also after the application is closed, see {@link MmvApplication#close}.
 */
public abstract class MetricValue {
  final Cell cell;
  final Type type;
  final boolean isHalf; // the type has 32 bits
  private final boolean maySayNone;
  private final boolean hasRoom;

  MetricValue(Slot slot) {
    cell = slot.cell();
    type = slot.type();
    isHalf = type.hasHalf();
    maySayNone = slot.maySayNone();
    hasRoom = slot.hasRoom();
  }

  final boolean maySayNone() {
    return maySayNone;
  }

  /**
   * Returns whether there is room for the value. Otherwise it can be updated, but nobody reads it.
   */
  public final boolean hasRoom() {
    return hasRoom;
  }

  /** The application is closed: the file may stay as it is from now on. */
  void close() {}

  /** Adds to a number of 64 bits. One without a value counts from 0. */
  final void count(long amount) {
    if (amount == 0) {
      boolean unused = maySayNone && cell.replace(MmvLayout.NO_VALUE, 0);
    } else if (cell.add(amount) == MmvLayout.NO_VALUE && maySayNone) {
      cell.add(-MmvLayout.NO_VALUE);
    }
  }

  /**
   * Says that there is no value now, until the next one. Of a counter, the next one counts from 0.
   *
   * @throws IllegalStateException without {@link MmvApplication.Builder#sentinel}
   */
  public final void noValue() {
    if (!maySayNone) {
      throw new IllegalStateException("the application has no sentinel");
    }
    setNoValue();
  }

  void setNoValue() {
    cell.set(MmvLayout.NO_VALUE);
  }
}
