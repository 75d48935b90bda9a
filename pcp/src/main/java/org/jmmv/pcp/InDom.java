package org.jmmv.pcp;

/**
 * An instance domain's identifier: an {@code int} with the layout {@code flag:1 domain:9
 * serial:22}, from the most significant bit down. See pmLookupInDom(3).
 */
public final class InDom {

  /** No instance domain, {@code PM_INDOM_NULL}: the metric is singular. */
  public static final int NULL = -1;

  /** The largest serial: 22 bits. */
  public static final int MAX_SERIAL = 4_194_303;

  /** What pmdammv(1) shifts a cluster by to get the serial of an InDom, in bits. */
  public static final int MMV_CLUSTER_SHIFT = 11;

  private InDom() {}

  /**
   * Builds an identifier. Bits beyond a field's width are dropped.
   *
   * @param domain 0 to 511
   * @param serial 0 to {@link #MAX_SERIAL}
   */
  public static int build(int domain, int serial) {
    return (domain & 0x1ff) << 22 | (serial & 0x3fffff);
  }

  /** Returns the domain, 0 to 511. */
  public static int domain(int inDom) {
    return (inDom >>> 22) & 0x1ff;
  }

  /** Returns whether a number can be a serial. */
  public static boolean isSerial(int number) {
    return number >= 0 && number <= MAX_SERIAL;
  }

  /** Returns the serial, 0 to {@link #MAX_SERIAL}. */
  public static int serial(int inDom) {
    return inDom & 0x3fffff;
  }

  /** Returns {@code domain.serial}, or {@code PM_INDOM_NULL}, as pmInDomStr(3) does. */
  public static String toString(int inDom) {
    return inDom == NULL ? "PM_INDOM_NULL" : domain(inDom) + "." + serial(inDom);
  }
}
