package org.jmmv.web.history;

/** The memory of a history, in bytes. A part of it is for what can be forgotten. */
final class Room {
  private long max;
  private long used;
  private long fixed; // of it, by what is there as long as its metric or instance is

  /** Sets how much there is. */
  void setMax(long bytes) {
    max = bytes;
  }

  /** Takes some of it, unless there is less. Returns whether it was taken. */
  boolean take(long bytes) {
    if (bytes > max - used) {
      return false;
    }
    used += bytes;
    return true;
  }

  /** Takes some of it for what can't be forgotten, as {@link #take} does. */
  boolean takeFixed(long bytes) {
    boolean isTaken = take(bytes);
    fixed += isTaken ? bytes : 0;
    return isTaken;
  }

  /** Gives some of it back. */
  void giveBack(long bytes) {
    used -= bytes;
  }

  /** Gives back what {@link #takeFixed} has taken. */
  void giveBackFixed(long bytes) {
    used -= bytes;
    fixed -= bytes;
  }

  long used() {
    return used;
  }

  /**
   * Returns whether less is left than all arrays together may grow by in a round: an eighth, or if
   * most is taken by what can't be forgotten, a quarter of the rest.
   */
  boolean isScarce() {
    return max - used < Math.min(max / 8, (max - fixed) / 4);
  }

  /** Returns whether more is used than there is by now. */
  boolean isExceeded() {
    return used > max;
  }
}
