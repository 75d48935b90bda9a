package org.jmmv.core;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jmmv.pcp.Pmid;

/**
 * Assigns clusters to files that leave the choice to the agent (mmv(5): cluster 0 in the header).
 *
 * <p>A file gets the smallest number from 1 to 4095 that no file has in its header and that is not
 * assigned to another file. The number stays assigned to the file's name, also while the file does
 * not exist, because archives identify metrics by their PMIDs. Numbers of files that no longer
 * exist are reused only when all numbers are assigned.
 */
final class ClusterAllocator {
  private final int[] explicit =
      new int[Pmid.MAX_CLUSTER + 1]; // the number of files with this cluster in their header
  private final Map<String, Integer> dealt = new HashMap<>();
  private final BitSet taken = new BitSet(Pmid.MAX_CLUSTER + 1); // the values in dealt
  private boolean changed;

  /**
   * Creates an allocator with the assignments of an earlier run.
   *
   * @param remembered clusters by file name, each cluster at most once
   */
  ClusterAllocator(Map<String, Integer> remembered) {
    dealt.putAll(remembered);
    remembered.values().forEach(taken::set);
  }

  /** Returns all assigned clusters by file name. */
  Map<String, Integer> dealt() {
    return Map.copyOf(dealt);
  }

  /** Returns whether assignments have changed since the last call. */
  boolean hasChanged() {
    boolean result = changed;
    changed = false;
    return result;
  }

  /**
   * Counts a file that has this cluster in its header. If the cluster is assigned to another file,
   * the caller has to call {@link #deal} for that file again.
   */
  void reserve(int cluster) {
    explicit[cluster]++;
  }

  /** Undoes one call of {@link #reserve}. */
  void free(int cluster) {
    explicit[cluster]--;
  }

  /**
   * Returns the cluster of a file, and assigns one if the file has none.
   *
   * @param file the file's name
   * @return 1 to 4095, or 0 if all clusters are in use
   */
  int deal(String file) {
    Integer before = dealt.get(file);
    if (before != null && explicit[before] == 0) {
      return before;
    }
    for (int cluster = taken.nextClearBit(1);
        cluster <= Pmid.MAX_CLUSTER;
        cluster = taken.nextClearBit(cluster + 1)) {
      if (explicit[cluster] == 0) {
        if (before != null) {
          taken.clear(before);
        }
        dealt.put(file, cluster);
        taken.set(cluster);
        changed = true;
        return cluster;
      }
    }
    return 0;
  }

  /**
   * Forgets the assignments of files that no longer exist.
   *
   * @param hasGone returns whether the file with a name no longer exists
   */
  void forget(Predicate<String> hasGone) {
    dealt.entrySet().removeIf(entry -> hasGone.test(entry.getKey()));
    taken.clear();
    dealt.values().forEach(taken::set);
  }
}
