package org.jmmv.reader.watch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jmmv.pcp.User;
import org.jmmv.posix.PosixDirectory;

/** The known files of a directory, and which of them the current scan has found. */
final class KnownFiles {
  /** The last scan that has found a file, and where. */
  static final class Mark {
    private long scan; // its number; 0: none has found the file
    private int index; // among the files that it has found
    private boolean isRemoved;

    boolean isRemoved() {
      return isRemoved;
    }
  }

  private final NavigableMap<String, TrackedFile> byName = new TreeMap<>();
  private List<TrackedFile> list = new ArrayList<>(); // in the last scan's order, then new ones
  private List<TrackedFile> found; // by the scan that is under way, in its order
  private long scans; // the number of that scan
  private Map<User, Integer> countByOwner; // for that scan; null: not counted yet

  // prediction of the next entry
  private int predicted; // number of files that the last scan has found
  private int next; // index in the list of the tracked file that is expected next

  /** Returns the files in the order of the last complete scan, then those found since. */
  List<TrackedFile> list() {
    return list;
  }

  int count() {
    return byName.size();
  }

  /** Returns the file with a name, or null if there is none. */
  TrackedFile get(String name) {
    return byName.get(name);
  }

  /** Returns the files whose names come after a name, in the byte order of the names. */
  Collection<TrackedFile> after(String name) {
    return byName.tailMap(name, false).values();
  }

  /** Adds a file. Its name must be new. */
  void add(TrackedFile tracked) {
    byName.put(tracked.name.name(), tracked);
    list.add(tracked);
  }

  /** Counts a file that the scan may add. Returns how many its owner then has. */
  int countOneMore(User owner) {
    if (countByOwner == null) {
      countByOwner = new HashMap<>();
      for (TrackedFile tracked : list) {
        if (tracked.owner() != null) {
          countByOwner.merge(tracked.owner(), 1, Integer::sum);
        }
      }
    }
    return countByOwner.merge(owner, 1, Integer::sum);
  }

  /** Begins a scan, which has found no file yet. */
  void beginScan() {
    scans++;
    next = 0;
    predicted = list.size();
    found = new ArrayList<>(list.size());
  }

  /**
   * Returns the tracked file of an entry, or null if the name is new.
   *
   * <p>File systems list a directory in the same order each time, except for added and removed
   * entries. Therefore the tracked file after the last one found is tried first, by comparing the
   * bytes of the name in place. If it does not match, the tracked file is looked up by name; doing
   * that for every entry would double the time of the scan. The prediction then continues after the
   * found tracked file. So an entry that has moved costs two look-ups.
   */
  TrackedFile find(PosixDirectory.DirectoryEntry entry) {
    if (next < predicted && entry.hasName(list.get(next).bytes)) {
      return list.get(next++);
    }
    TrackedFile tracked = byName.get(entry.name());
    if (tracked != null && tracked.mark.scan == scans - 1) {
      next = tracked.mark.index + 1;
    }
    return tracked;
  }

  /**
   * Records that the scan has found a file. A directory that changes during the scan may list a
   * name twice; only the first time counts.
   */
  void setFound(TrackedFile tracked) {
    if (tracked.mark.scan != scans) {
      tracked.mark.scan = scans;
      tracked.mark.index = found.size();
      found.add(tracked);
    }
  }

  /** Undoes every {@link #setFound} of this scan. */
  void clearFound() {
    found.forEach(tracked -> tracked.mark.scan = 0);
    found.clear();
  }

  /** Returns the files that the scan has not found yet. */
  List<TrackedFile> missing() {
    return found.size() == byName.size()
        ? List.of()
        : byName.values().stream().filter(tracked -> tracked.mark.scan != scans).toList();
  }

  /** Ends a scan. Removes and returns the files that it has not found. */
  List<TrackedFile> removeMissing() {
    List<TrackedFile> missing = missing();
    for (TrackedFile tracked : missing) {
      tracked.mark.isRemoved = true;
      byName.remove(tracked.name.name());
      if (tracked.isServed() || tracked.wasServed()) {
        tracked.directory.former.add(tracked.owner(), tracked.name);
      }
    }
    list = found;
    countByOwner = null;
    return missing;
  }
}
