package org.jmmv.pcp;

/** A read-only sequence of PMIDs. It may be a view, for example of the bytes of a request. */
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
