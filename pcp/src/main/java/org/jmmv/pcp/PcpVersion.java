package org.jmmv.pcp;

/**
 * Versions of PCP: the major version times 100, and the minor version, for example 603 for 6.3.1.
 */
public final class PcpVersion {
  /** The version that is assumed if it is unknown. */
  public static final int LATEST = 702;

  /** From this version on, {@code mmv.control.debug} is a text, and a count of metrics exists. */
  public static final int DEBUG_AS_TEXT = 700;

  /** From this version on, names of labels may begin with digits and {@code _}. */
  public static final int RELAXED_LABELS = 702;

  private PcpVersion() {}
}
