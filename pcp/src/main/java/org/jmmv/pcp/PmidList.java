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

  /**
   * Returns a sequence of some PMIDs.
   *
   * @param pmids is kept; the caller must not change it
   */
  static PmidList of(int... pmids) {
    return new PmidList() {
      @Override
      public int count() {
        return pmids.length;
      }

      @Override
      public int pmid(int index) {
        return pmids[index];
      }
    };
  }
}
