package org.jmmv.pcp;

/**
 * The number of an instance domain: {@code flag:1 domain:9 serial:22}. It is an {@code int}
 * everywhere.
 */
public final class InDom {

  /** No instance domain, that of singular metrics: {@code PM_INDOM_NULL}. */
  public static final int NULL = -1;

  /** The largest serial: 22 bits. */
  public static final int MAX_SERIAL = 4_194_303;

  private InDom() {}

  /** Each part is cut to its bits. */
  public static int build(int domain, int serial) {
    return (domain & 0x1ff) << 22 | (serial & 0x3fffff);
  }

  public static int domain(int inDom) {
    return (inDom >>> 22) & 0x1ff;
  }

  public static int serial(int inDom) {
    return inDom & 0x3fffff;
  }

  /** As PCP writes it: {@code 70.1}. */
  public static String toString(int inDom) {
    return inDom == NULL ? "PM_INDOM_NULL" : domain(inDom) + "." + serial(inDom);
  }
}
