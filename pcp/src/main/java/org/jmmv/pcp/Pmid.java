package org.jmmv.pcp;

/**
 * A PMID, the number of a metric: {@code flag:1 domain:9 cluster:12 item:10}. It is an {@code int}
 * everywhere.
 */
public final class Pmid {

  /** No metric: {@code PM_ID_NULL}. */
  public static final int NULL = -1;

  /** The largest domain that an agent can have; PCP uses 511 itself. */
  public static final int MAX_DOMAIN = 510;

  /** The largest cluster: 12 bits. */
  public static final int MAX_CLUSTER = 4095;

  /** The largest item: 10 bits. */
  public static final int MAX_ITEM = 1023;

  private Pmid() {}

  /** Each part is cut to its bits. */
  public static int build(int domain, int cluster, int item) {
    return (domain & 0x1ff) << 22 | (cluster & 0xfff) << 10 | (item & 0x3ff);
  }

  public static int domain(int pmid) {
    return (pmid >>> 22) & 0x1ff;
  }

  public static int cluster(int pmid) {
    return (pmid >>> 10) & 0xfff;
  }

  public static int item(int pmid) {
    return pmid & 0x3ff;
  }

  /** As PCP writes it: {@code 70.1.2}. */
  public static String toString(int pmid) {
    return pmid == NULL ? "PM_ID_NULL" : domain(pmid) + "." + cluster(pmid) + "." + item(pmid);
  }
}
