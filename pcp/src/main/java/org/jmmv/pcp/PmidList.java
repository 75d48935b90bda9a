package org.jmmv.pcp;

import java.util.Arrays;
import java.util.stream.Collectors;

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
   * Returns a sequence of some PMIDs, which is equal to others of the same PMIDs.
   *
   * @param pmids is kept; the caller must not change it
   */
  static PmidList of(int... pmids) {
    return new Packed(pmids);
  }

  /** See {@link #of}. This is not a record because a record would compare its array by identity. */
  final class Packed implements PmidList {
    private final int[] pmids;

    private Packed(int[] pmids) {
      this.pmids = pmids;
    }

    @Override
    public int count() {
      return pmids.length;
    }

    @Override
    public int pmid(int index) {
      return pmids[index];
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Packed that && Arrays.equals(pmids, that.pmids);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(pmids);
    }

    @Override
    public String toString() {
      return Arrays.stream(pmids)
          .mapToObj(Pmid::toString)
          .collect(Collectors.joining(", ", "[", "]"));
    }
  }
}
