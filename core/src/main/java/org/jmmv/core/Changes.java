package org.jmmv.core;

import org.jmmv.pcp.StateChange;

/** What has changed when, so that each client can be told once what is new to it. */
public final class Changes {
  private long version;
  private long namesChanged;
  private long labelsChanged;

  /** The metrics have changed, or with them labels, too. */
  void add(boolean withLabels) {
    version++;
    namesChanged = version;
    if (withLabels) {
      labelsChanged = version;
    }
  }

  /** Grows with every change. */
  public long version() {
    return version;
  }

  /** What has changed since a version, as flags of {@link StateChange}. */
  public int since(long told) {
    return (namesChanged > told ? StateChange.NAMES : 0)
        | (labelsChanged > told ? StateChange.LABELS : 0);
  }
}
