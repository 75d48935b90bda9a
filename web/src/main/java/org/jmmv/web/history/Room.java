package org.jmmv.web.history;

/** The memory of a history, in bytes. */
final class Room {
  private long max;
  private long used;

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

  /** Gives some of it back. */
  void giveBack(long bytes) {
    used -= bytes;
  }

  long used() {
    return used;
  }

  /** Returns whether less than an eighth is left. */
  boolean isScarce() {
    return used > max - max / 8;
  }

  /** Returns whether more is used than there is by now. */
  boolean isExceeded() {
    return used > max;
  }
}
