package org.jmmv.pcp;

/** A read-only sequence of PMIDs, such as those that a request names. */
public interface PmidList {
  /** Returns the number of PMIDs. */
  int count();

  /**
   * Returns the PMID at an index.
   *
   * @param index 0 to {@link #count} - 1
   */
  int pmid(int index);
}
