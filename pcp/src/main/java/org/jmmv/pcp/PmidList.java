package org.jmmv.pcp;

/** A sequence of PMIDs that need not be an array, for instance a view of a request. */
public interface PmidList {
  /** The number of PMIDs. */
  int count();

  /** The PMID at an index from 0 to {@link #count} - 1. */
  int pmid(int index);
}
