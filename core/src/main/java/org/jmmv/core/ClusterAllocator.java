package org.jmmv.core;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jmmv.pcp.Pmid;

/**
 * Deals out clusters to files that leave the choice to the agent (mmv(5): cluster 0 in the header).
 *
 * <p>A file gets the smallest number that no file asks for and no other file has been given. It
 * keeps the number whatever files come and go, because archives hold metrics by their PMIDs. Only
 * when all numbers are dealt are those of files that have gone given to others.
 */
final class ClusterAllocator {
  private final int[] explicit = new int[Pmid.MAX_CLUSTER + 1]; // files that ask for a number
  private final Map<String, Integer> dealt = new HashMap<>();
  private final BitSet taken = new BitSet(Pmid.MAX_CLUSTER + 1); // the values of dealt
  private boolean changed;

  /**
   * Starts with the numbers of an earlier run.
   *
   * @param remembered numbers by the names of their files, each number once
   */
  ClusterAllocator(Map<String, Integer> remembered) {
    dealt.putAll(remembered);
    remembered.values().forEach(taken::set);
  }

  /** All numbers that are dealt out, by the names of their files. */
  Map<String, Integer> dealt() {
    return Map.copyOf(dealt);
  }

  /** Whether numbers have changed since the last call. */
  boolean hasChanged() {
    boolean result = changed;
    changed = false;
    return result;
  }

  /** A file asks for this number. A file that was dealt it has to ask for another one. */
  void reserve(int cluster) {
    explicit[cluster]++;
  }

  /** Undoes one {@link #reserve}. */
  void free(int cluster) {
    explicit[cluster]--;
  }

  /**
   * The cluster of a file.
   *
   * @param file the file's name
   * @return 1 to 4095, or 0 if all are in use
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

  /** Forgets the numbers of files that have gone. */
  void forget(Predicate<String> hasGone) {
    dealt.entrySet().removeIf(entry -> hasGone.test(entry.getKey()));
    taken.clear();
    dealt.values().forEach(taken::set);
  }
}
