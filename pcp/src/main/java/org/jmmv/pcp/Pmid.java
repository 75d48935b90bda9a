package org.jmmv.pcp;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A metric's identifier (PMID): an {@code int} with the layout {@code flag:1 domain:9 cluster:12
 * item:10}, from the most significant bit down. See pmLookupName(3).
 */
public final class Pmid {

  /** No metric: {@code PM_ID_NULL}. */
  public static final int NULL = -1;

  /** The largest domain available to an agent. */
  public static final int MAX_DOMAIN = 510;

  /** The domain of derived metrics, which PCP reserves for itself. */
  public static final int DERIVED_DOMAIN = 511;

  /** The domain of the agent for MMV files, in PCP's file {@code stdpmid}. */
  public static final int MMV_DOMAIN = 70;

  /** The largest cluster: 12 bits. */
  public static final int MAX_CLUSTER = 4095;

  /** The largest item: 10 bits. */
  public static final int MAX_ITEM = 1023;

  private static final Pattern TEXT = Pattern.compile("(\\d{1,3})\\.(\\d{1,4})\\.(\\d{1,4})");

  private Pmid() {}

  /**
   * Builds a PMID. Bits beyond a field's width are dropped.
   *
   * @param domain 0 to 511
   * @param cluster 0 to {@link #MAX_CLUSTER}
   * @param item 0 to {@link #MAX_ITEM}
   */
  public static int build(int domain, int cluster, int item) {
    return (domain & 0x1ff) << 22 | (cluster & 0xfff) << 10 | (item & 0x3ff);
  }

  /** Returns the domain, 0 to 511. */
  public static int domain(int pmid) {
    return (pmid >>> 22) & 0x1ff;
  }

  /** Returns the cluster, 0 to {@link #MAX_CLUSTER}. */
  public static int cluster(int pmid) {
    return (pmid >>> 10) & 0xfff;
  }

  /** Returns the item, 0 to {@link #MAX_ITEM}. */
  public static int item(int pmid) {
    return pmid & 0x3ff;
  }

  /** Returns the PMID of a text {@code domain.cluster.item}; {@link #NULL} if it is none. */
  public static int parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      return NULL;
    }
    int domain = Integer.parseInt(parts.group(1));
    int cluster = Integer.parseInt(parts.group(2));
    int item = Integer.parseInt(parts.group(3));
    boolean isValid = domain <= DERIVED_DOMAIN && cluster <= MAX_CLUSTER && item <= MAX_ITEM;
    return isValid ? build(domain, cluster, item) : NULL;
  }

  /** Returns {@code domain.cluster.item}, or {@code PM_ID_NULL}, as pmIDStr(3) does. */
  public static String toString(int pmid) {
    return pmid == NULL ? "PM_ID_NULL" : domain(pmid) + "." + cluster(pmid) + "." + item(pmid);
  }
}
