package org.jmmv.core;

import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.SequencedMap;
import java.util.SequencedSet;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Pmid;

/**
 * Assigns clusters to files that leave the choice to the agent (mmv(5): cluster 0 in the header).
 *
 * <p>A file gets the smallest number that no file has in its header and that is not assigned to
 * another file. The number stays assigned to the file's name, also while the file does not exist,
 * because archives identify metrics by their PMIDs. Numbers up to {@value #LAST_OF_FIRST_CHOICE}
 * are assigned first, then those of files that no longer exist (longest ago first), and only then
 * the numbers up to 4095, which compete with the first half for InDoms: see {@link InDomAllocator}.
 */
final class ClusterAllocator {
  /** The last cluster that, shifted left by 11 bits, fits the serial of an InDom. */
  static final int LAST_OF_FIRST_CHOICE = InDom.MAX_SERIAL >> InDom.MMV_CLUSTER_SHIFT;

  private final int[] explicit =
      new int[Pmid.MAX_CLUSTER + 1]; // the number of files with this cluster in their header
  private final SequencedMap<String, Integer> assigned;
  private final SequencedSet<String> removed; // those that do not exist, longest ago first
  private final BitSet taken = new BitSet(Pmid.MAX_CLUSTER + 1); // the values in assigned
  private boolean isStarting = true; // files of the earlier run may not have arrived yet
  private boolean changed;
  private boolean hasOtherOrder;

  /**
   * Creates an allocator with the assignments of an earlier run.
   *
   * @param remembered clusters by file name, each cluster at most once. The order is that in which
   *     the files were removed; for files that existed at the end of that run it does not matter
   */
  ClusterAllocator(SequencedMap<String, Integer> remembered) {
    assigned = new LinkedHashMap<>(remembered);
    removed = new LinkedHashSet<>(remembered.keySet());
    remembered.values().forEach(taken::set);
  }

  /**
   * Called when the files that were there at the start have arrived. Until then no cluster is taken
   * back: it could be that of a file that exists. Returns whether that is new.
   */
  boolean endStart() {
    boolean wasStarting = isStarting;
    isStarting = false;
    return wasStarting;
  }

  /** Returns all assigned clusters by file name; files that no longer exist, longest ago first. */
  SequencedMap<String, Integer> assigned() {
    SequencedMap<String, Integer> all = new LinkedHashMap<>();
    removed.forEach(file -> all.put(file, assigned.get(file)));
    assigned.forEach(all::putIfAbsent);
    return all;
  }

  /** Returns whether assignments have changed since the last call. */
  boolean hasChanged() {
    boolean result = changed;
    changed = false;
    return result;
  }

  /**
   * Counts a file that has this cluster in its header. If the cluster is assigned to another file,
   * the caller has to call {@link #assign} for that file again.
   */
  void reserve(int cluster) {
    explicit[cluster]++;
  }

  /** Undoes one call of {@link #reserve}. */
  void free(int cluster) {
    explicit[cluster]--;
  }

  /** Returns whether files have come or gone, so that clusters are taken back in another order. */
  boolean hasOtherOrder() {
    return hasOtherOrder;
  }

  /** Notes that a file exists, so that its cluster is not assigned to another one. */
  void arrive(String file) {
    hasOtherOrder |= removed.remove(file);
  }

  /** Notes that a file no longer exists. Its cluster may be assigned to another one. */
  void leave(String file) {
    if (assigned.containsKey(file)) {
      hasOtherOrder |= removed.add(file);
    }
  }

  /**
   * Returns the cluster of a file, and assigns one if the file has none.
   *
   * @param file the name of a file that has arrived
   * @return 1 to 4095, or 0 before {@link #endStart} if none is left but those of files that may
   *     still arrive. Later there is always one, because {@code Limit.CLUSTERS} counts them
   */
  int assign(String file) {
    Integer before = assigned.get(file);
    if (before != null && explicit[before] == 0) {
      return before;
    }
    int cluster = unassigned(1, LAST_OF_FIRST_CHOICE);
    if (cluster == 0) {
      cluster = takenBack(LAST_OF_FIRST_CHOICE);
    }
    if (cluster == 0) {
      cluster = unassigned(LAST_OF_FIRST_CHOICE + 1, Pmid.MAX_CLUSTER);
    }
    if (cluster == 0) {
      cluster = takenBack(Pmid.MAX_CLUSTER);
    }
    if (cluster == 0) {
      return 0;
    }
    if (before != null) {
      taken.clear(before);
    }
    assigned.put(file, cluster);
    taken.set(cluster);
    changed = true;
    return cluster;
  }

  /** Returns the smallest cluster in a range that can be assigned, or 0. */
  private int unassigned(int from, int to) {
    int cluster = taken.nextClearBit(from);
    while (cluster <= to && explicit[cluster] != 0) {
      cluster = taken.nextClearBit(cluster + 1);
    }
    return cluster <= to ? cluster : 0;
  }

  /**
   * Takes a cluster of at most {@code to} back from the file that was removed the longest ago;
   * returns 0 if there is none.
   */
  private int takenBack(int to) {
    for (Iterator<String> files = removed.iterator(); !isStarting && files.hasNext(); ) {
      String file = files.next();
      int cluster = assigned.get(file);
      if (cluster <= to && explicit[cluster] == 0) {
        files.remove();
        assigned.remove(file);
        taken.clear(cluster);
        return cluster;
      }
    }
    return 0;
  }
}
