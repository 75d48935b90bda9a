package org.jmmv.reader;

/**
 * What may be served in all, and how much of it is taken. Several directories may share a budget,
 * as long as one thread owns them all.
 */
public final class Budget {
  private final Limits limits;
  private int files;
  private MmvCounts taken = MmvCounts.NONE;

  /** A budget of which nothing is taken. */
  public Budget(Limits limits) {
    this.limits = limits;
  }

  /** The limits that the budget keeps. */
  public Limits limits() {
    return limits;
  }

  boolean hasRoomForFile() {
    return files < limits.files();
  }

  void takeFile() {
    files++;
  }

  void returnFiles(int count) {
    files -= count;
  }

  /** Whether these can be taken. */
  boolean hasRoom(MmvCounts counts) {
    return taken.plus(counts).over(limits) == null;
  }

  /**
   * Takes what a file has, all of it or nothing.
   *
   * @return the limit that prevents it ("the limit of 1000 metrics"), or null if it was taken
   */
  String take(MmvCounts counts) {
    MmvCounts sum = taken.plus(counts);
    String over = sum.over(limits);
    if (over == null) {
      taken = sum;
    }
    return over;
  }

  void giveBack(MmvCounts counts) {
    taken = taken.minus(counts);
  }
}
