package org.jmmv.pcp;

/**
 * Flags that tell the receiver which cached metadata is out of date, {@code PMCD_*_CHANGE} of
 * {@code <pcp/pmapi.h>}. An agent sends them to pmcd in the first word of a RESULT. pmcd sends them
 * to its clients as an ERROR with a positive code. See pmFetch(3).
 */
public final class StateChange {
  /** Labels were added, changed or removed. */
  public static final int LABELS = 0x08;

  /** Metric names were added or removed. */
  public static final int NAMES = 0x10;

  private StateChange() {}
}
