package org.jmmv.reader;

/**
 * Counts what is served, and keeps the counts within {@link Limits}. Several directories may share
 * a budget if one thread owns them all.
 */
public final class Budget {
  private final Limits limits;
  private int files;
  private MmvCounts taken = MmvCounts.NONE;

  /** Creates a budget of which nothing is used. */
  public Budget(Limits limits) {
    this.limits = limits;
  }

  /** Returns the limits. */
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

  /** Returns whether counts can be added within the limits. */
  boolean hasRoom(MmvCounts counts) {
    return taken.plus(counts).over(limits) == null;
  }

  /**
   * Adds the counts of a file, if all of them are within the limits; otherwise adds nothing.
   *
   * @return null if the counts were added, otherwise the exceeded limit, for example "the limit of
   *     1000 metrics"
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
