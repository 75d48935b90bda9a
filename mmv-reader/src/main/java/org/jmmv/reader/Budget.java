package org.jmmv.reader;

/**
 * Counts what is served, and keeps the counts within {@link Limits}. Several directories may share
 * a budget if one thread owns them all.
 */
public final class Budget {
  private final Limits limits;
  private MmvCounts taken = MmvCounts.NONE;

  /** Creates a budget of which nothing is used. */
  public Budget(Limits limits) {
    this.limits = limits;
  }

  /** Returns the limits. */
  public Limits limits() {
    return limits;
  }

  /** Returns whether counts can be added within the limits. */
  boolean hasRoom(MmvCounts counts) {
    return taken.plus(counts).isWithin(limits);
  }

  /**
   * Returns the limit because of which counts can't be added, for example "the limit of 1000
   * metrics in all (--max-metrics)".
   */
  String obstacle(MmvCounts counts) {
    return taken.plus(counts).exceeded(limits);
  }

  void take(MmvCounts counts) {
    taken = taken.plus(counts);
  }

  void giveBack(MmvCounts counts) {
    taken = taken.minus(counts);
  }
}
