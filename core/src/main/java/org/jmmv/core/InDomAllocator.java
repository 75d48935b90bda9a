package org.jmmv.core;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.stream.Stream;
import org.jmmv.pcp.InDom;

/**
 * Assigns InDoms to instance domains, so that two of them never share one.
 *
 * <p>pmdammv(1) makes the serial of an InDom from the cluster of the file and the serial in the
 * file: {@code cluster << 11 | serial}, cut to 22 bits. Different instance domains can result in
 * the same number, because a cluster can have more than 11 bits, and a serial too: Speed and Hornet
 * use hashes. The first one gets that number, and any other one the largest number that is free.
 * Archives identify instance domains by their InDoms. So an instance domain keeps its number when
 * its files go, and across restarts if it is another one than pmdammv(1) assigns. No file gets
 * {@link #SERIAL_OF_FILES}.
 */
final class InDomAllocator {
  /**
   * The serial of {@link FileInDom}. No metric of a file has it: in a file, serial 0 stands for
   * none.
   */
  static final int SERIAL_OF_FILES = 0;

  /**
   * The maximum number of instance domains without a file that keep their number. Without it, a
   * user who creates and removes files would fill the heap and the file of numbers.
   */
  private static final int MAX_KEPT = 4096;

  /**
   * What identifies an instance domain in the files. Files that share a cluster share it.
   *
   * @param serial 0 to {@link InDom#MAX_SERIAL}
   */
  record Origin(int cluster, int serial) implements Comparable<Origin> {
    // Applications choose the numbers. A hash map needs an order for keys whose hashes collide.
    private static final Comparator<Origin> ORDER =
        Comparator.comparingInt(Origin::cluster).thenComparingInt(Origin::serial);

    /** Returns the serial that pmdammv(1) assigns. */
    private int usual() {
      return (cluster << InDom.MMV_CLUSTER_SHIFT | serial) & InDom.MAX_SERIAL;
    }

    @Override
    public int compareTo(Origin other) {
      return ORDER.compare(this, other);
    }
  }

  private static final class Owner {
    final Origin origin;
    int files; // that use the InDom

    Owner(Origin origin) {
      this.origin = origin;
    }
  }

  private final IdMap<Owner> owners = new IdMap<>(); // by the serial of the InDom
  private final Map<Origin, Integer> unusual = new LinkedHashMap<>(); // those to be saved
  private final SequencedSet<Origin> idle =
      new LinkedHashSet<>(); // those that no file uses, longest ago first
  private int last = InDom.MAX_SERIAL + 1; // assigned by assign()
  private boolean isStarting = true; // files of the earlier run may not have arrived yet
  private boolean changed;

  /**
   * Creates an allocator with the assignments of an earlier run.
   *
   * @param remembered serials of InDoms, each at most once
   */
  InDomAllocator(Map<Origin, Integer> remembered) {
    Owner agent = new Owner(new Origin(0, SERIAL_OF_FILES)); // no file has cluster 0
    agent.files = 1;
    owners.put(SERIAL_OF_FILES, agent);
    remembered.forEach((origin, serial) -> {
      if (serial != SERIAL_OF_FILES) {
        unusual.put(origin, serial);
        owners.put(serial, new Owner(origin));
        idle.add(origin);
      }
    });
  }

  /**
   * Called when the files that were there at the start have arrived. Until then no assignment of
   * the earlier run is forgotten: it could be that of a file that exists.
   */
  void endStart() {
    isStarting = false;
  }

  /**
   * Returns assignments that differ from those of pmdammv(1), at most 4,096: those that files use
   * come before those that none has used for the longest time.
   */
  Map<Origin, Integer> unusual() {
    Map<Origin, Integer> all = new LinkedHashMap<>();
    Stream<Origin> used = unusual.keySet().stream().filter(origin -> !idle.contains(origin));
    Stream.concat(used, idle.reversed().stream().filter(unusual::containsKey))
        .limit(MAX_KEPT)
        .forEach(origin -> all.put(origin, unusual.get(origin)));
    return all;
  }

  /** Returns whether the result of {@link #unusual} may have changed since the last call. */
  boolean hasChanged() {
    boolean result = changed;
    changed = false;
    return result;
  }

  /** Returns the serial of an InDom, which the caller uses until it calls {@link #release}. */
  int acquire(Origin origin) {
    int serial = serialOf(origin);
    Owner owner = owners.get(serial);
    if (owner != null && !owner.origin.equals(origin)) {
      serial = assign(origin);
      owner = null;
    }
    if (owner == null) {
      owner = new Owner(origin);
      owners.put(serial, owner);
    }
    owner.files++;
    idle.remove(origin);
    return serial;
  }

  /** Undoes one call of {@link #acquire}. */
  void release(Origin origin) {
    int serial = serialOf(origin);
    Owner owner = owners.get(serial);
    owner.files--;
    if (owner.files == 0) {
      idle.add(origin);
      if (idle.size() > MAX_KEPT) {
        forget(isStarting ? origin : idle.getFirst());
      }
    }
  }

  private int serialOf(Origin origin) {
    Integer serial = unusual.get(origin);
    return serial == null ? origin.usual() : serial;
  }

  /** Assigns a free serial. There is one, because the agent's limits are far below 4,194,304. */
  private int assign(Origin origin) {
    do {
      last = last == 0 ? InDom.MAX_SERIAL : last - 1;
    } while (owners.get(last) != null);
    unusual.put(origin, last);
    changed = true;
    return last;
  }

  private void forget(Origin origin) {
    owners.remove(serialOf(origin));
    changed |= unusual.remove(origin) != null;
    idle.remove(origin);
  }
}
