package org.jmmv.pcp;

/**
 * Flags that tell a peer what to look up again, {@code PMCD_*_CHANGE} of {@code <pcp/pmapi.h>}. An
 * agent sends them in the first word of a RESULT, pmcd to its clients as a positive ERROR.
 */
public final class StateChange {
  /** Labels were added, changed or removed. */
  public static final int LABELS = 0x08;

  /** Metric names were added or removed. */
  public static final int NAMES = 0x10;

  private StateChange() {}
}
