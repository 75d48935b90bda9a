package org.jmmv.core;

import org.jmmv.pcp.StateChange;

/**
 * Records when names and labels last changed. A session compares the version it has last reported
 * with this record, and so reports each change to its client once.
 */
public final class Changes {
  private long version;
  private long namesChanged;
  private long labelsChanged;

  /**
   * Records a change of the metrics' names.
   *
   * @param withLabels whether labels have changed, too
   */
  void add(boolean withLabels) {
    version++;
    namesChanged = version;
    if (withLabels) {
      labelsChanged = version;
    }
  }

  /** Returns the number of changes so far. */
  public long version() {
    return version;
  }

  /**
   * Returns the changes after a version.
   *
   * @param reported a value that {@link #version} has returned
   * @return bits of {@link StateChange}, 0 if there was no change
   */
  public int since(long reported) {
    return (namesChanged > reported ? StateChange.NAMES : 0)
        | (labelsChanged > reported ? StateChange.LABELS : 0);
  }
}
