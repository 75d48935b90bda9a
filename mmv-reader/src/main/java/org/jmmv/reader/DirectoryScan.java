package org.jmmv.reader;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jmmv.reader.posix.FileStatus;
import org.jmmv.reader.posix.PosixDirectory;
import org.jmmv.reader.posix.PosixException;

/**
 * Lists the directory and compares the entries with the known files, the {@link Slot}s.
 *
 * <p>A scan has to be fast, because requests wait for it: the time per unchanged served file
 * matters. For such a file the scan allocates nothing and makes no system call; the name and the
 * inode number are compared in the buffer that getdents64(2) has filled. A regular file with the
 * inode number of the served file is the same file, because the kernel does not reuse the inode
 * number of a file that is still mapped. All other files are compared by their status, which takes
 * one statx(2) per file.
 *
 * <p>A scan reads at most 100,000 entries, whatever they are, and at most 100,000 files are known,
 * so that time and memory are bounded. One user can't have more than half of them, once half of
 * them are known. It finds at most 20,000 new files, and the next one the others. The next scan
 * goes on behind the last entry that was read; meanwhile known files that are elsewhere are looked
 * up by name. If the directory has changed before all entries have been read, they are read again,
 * because new files may be among the first ones. All known files are also looked up by name if the
 * directory can't be opened for a passing reason, such as a lack of descriptors; a later scan finds
 * the new ones.
 */
final class DirectoryScan {
  /**
   * 50 ms. The resolution of a directory's times is the kernel's tick (up to 10 ms). If the
   * directory has changed less than 50 ms before a scan, a later change may leave the time as it
   * is, so the directory is scanned again.
   */
  private static final long YOUNG_NANOS = 50_000_000;

  /** How long another directory at the path may go unnoticed. */
  private static final long LOOK_UP_NANOS = 1_000_000_000;

  /**
   * The maximum number of entries that a scan reads, and of known files. Several directories have
   * equal shares of it.
   */
  static final int MAX_ENTRIES = 100_000;

  /** One part in so many of the known files can be new ones of the same scan. */
  private static final int NEW_SHARE = 5;

  /** The name by which {@link PosixDirectory} refers to the directory itself. */
  private static final String ITSELF = "";

  /**
   * The outcome of a scan.
   *
   * @param changed slots that are new, or whose status has changed, in byte order of their names
   * @param gone slots whose file is no longer there
   * @param faults faults of the directory itself that the previous scan did not have
   */
  record Outcome(List<Slot> changed, List<Slot> gone, List<MmvFault> faults) {}

  private final MmvDirectory directory;
  private final PosixDirectory posix;
  private int maxEntries; // MAX_ENTRIES, or the share of one of several directories
  private final Map<String, Slot> slotByName = new HashMap<>();
  private List<Slot> slots = new ArrayList<>(); // in the order of the last scan
  private FileStatus scanned; // the directory's status at the last scan
  private boolean young = true; // whether a later change may leave that status as it is
  private long lookedUp; // when the directory was last looked up by its path
  private long scans;
  private boolean crowded; // whether there were too many entries for the last scan
  private long position; // where the next scan begins
  private boolean hasLeftOut; // whether new files were left out since a scan began at the beginning
  private boolean hasChangedMeanwhile; // whether the directory may have changed since then
  private String problem = ""; // why the last scan could not read the directory; empty if it could
  private Retry retry; // when a scan is due after a passing problem; null if there was none

  // state of the current scan
  private int next; // index in slots of the slot that is expected next
  private int created; // number of new files
  private Map<Long, Integer> known; // numbers of files by owner; null if there are few
  private boolean strayed; // whether the last entry was not the predicted one
  private List<Slot> found = new ArrayList<>();
  private List<Slot> changed = new ArrayList<>();

  DirectoryScan(MmvDirectory directory) {
    this.directory = directory;
    posix = directory.posix;
  }

  /** Sets the maximum number of entries that a scan reads, and of known files. */
  void setMaxEntries(int maxEntries) {
    this.maxEntries = maxEntries;
  }

  /** Returns the files of the directory, in the order of the last scan. */
  List<Slot> slots() {
    return slots;
  }

  /** Returns the slot with a name, or null if there is none. */
  Slot slot(String name) {
    return slotByName.get(name);
  }

  /**
   * Returns whether a scan may find changes: the directory's status has changed, or its time was
   * recent at the last scan, or that scan has not read all entries, or could not read the directory
   * for a passing reason.
   *
   * @param time the time in nanoseconds of {@link System#nanoTime}
   */
  boolean isDue(long time) {
    return young || isUnfinished() || hasChanged(time) || (retry != null && retry.isDue(time));
  }

  /**
   * Returns whether the status of the directory has changed. Once a second it is that of the path:
   * another directory may be there now.
   */
  private boolean hasChanged(long time) {
    if (time - lookedUp < LOOK_UP_NANOS && posix.isListedAs(scanned)) {
      return false;
    }
    lookedUp = time;
    return !posix.hasStatus(ITSELF, scanned);
  }

  /** Returns whether the next scan has to go on: with other entries, or new files left out. */
  boolean isUnfinished() {
    return position != 0 || hasLeftOut;
  }

  /** Returns the number of scans so far. */
  long count() {
    return scans;
  }

  /** Makes the next scan find all files changed. */
  void invalidate() {
    slots.forEach(slot -> slot.status = null);
    young = true;
  }

  /**
   * Scans the directory. If the directory can't be read, and not for a passing reason, all files
   * count as removed.
   *
   * @param time the time in nanoseconds of {@link System#nanoTime}
   */
  Outcome run(long time) {
    FileStatus scannedBefore = scanned;
    boolean youngBefore = young;
    scanned = posix.status(ITSELF);
    lookedUp = time;
    long age = System.currentTimeMillis() * 1_000_000 - (scanned == null ? 0 : scanned.changed());
    young = Math.abs(age) < YOUNG_NANOS;
    scans++;
    next = 0;
    created = 0;
    known = slotByName.size() < maxEntries / 2 ? null : countByOwner();
    strayed = false;
    found = new ArrayList<>(slots.size());
    changed = new ArrayList<>();
    boolean crowdedBefore = crowded;
    String problemBefore = problem;
    crowded = false;
    problem = "";
    Retry failed = retry;
    retry = null;
    try {
      boolean isAll = position == 0;
      hasLeftOut &= !isAll;
      hasChangedMeanwhile =
          !isAll && (hasChangedMeanwhile || youngBefore || !Objects.equals(scanned, scannedBefore));
      long end = posix.list(position, maxEntries, this::compare);
      position = Math.max(0, end);
      if (!isAll || position != 0) {
        crowded = true;
        compareOthers();
      }
    } catch (PosixException e) {
      position = 0;
      hasLeftOut = false;
      problem = e.getMessage();
      if (e.isPassing()) {
        retry = Retry.after(failed, time);
        compareOthers();
      }
    }
    changed.sort(Comparator.comparing(slot -> slot.name));
    slots = found;
    List<MmvFault> faults = new ArrayList<>();
    if (!problem.isEmpty() && !problem.equals(problemBefore)) {
      faults.add(
          fault(
              "the directory can't be read: %s, %s"
                  .formatted(
                      problem, retry == null ? "no files" : "new files are not served yet")));
    }
    if (crowded && !crowdedBefore) {
      faults.add(
          fault(
              "more than %d entries in the directory, so that new files are found late"
                  .formatted(maxEntries)));
    }
    List<Slot> gone = removeGone();
    young |= crowded && !gone.isEmpty(); // there is room for other files now
    young |= hasChangedMeanwhile && position == 0; // new files may be where earlier scans have read
    return new Outcome(changed, gone, faults);
  }

  private static MmvFault fault(String reason) {
    return new MmvFault("", reason);
  }

  private void compare(PosixDirectory.DirectoryEntry entry) {
    if (entry.isHidden()) {
      return;
    }
    Slot slot = find(entry);
    if (slot == null) {
      if (created == maxEntries / NEW_SHARE) {
        hasLeftOut = true;
        return;
      }
      if (known != null && !hasRoom(entry.name())) {
        crowded = true;
        return;
      }
      if (!entry.isRegular() && !isRegular(entry.status())) {
        return;
      }
      if (slotByName.size() >= maxEntries) {
        crowded = true;
        return;
      }
      created++;
      slot = new Slot(new FileName(directory, entry.name()));
      slotByName.put(slot.name, slot);
      changed.add(slot);
    } else if (!entry.isRegular() || entry.inode() != slot.servedInode) {
      if (!compare(slot, entry.status())) {
        return;
      }
    }
    if (slot.scan != scans) { // a directory that changes during the scan may list a name twice
      add(slot);
    }
  }

  private Map<Long, Integer> countByOwner() {
    Map<Long, Integer> count = new HashMap<>();
    for (Slot slot : slotByName.values()) {
      if (slot.owner != null) {
        count.merge(slot.owner.id, 1, Integer::sum);
      }
    }
    return count;
  }

  /** Returns whether the owner of a new entry has less than half of the files that can be known. */
  private boolean hasRoom(String name) {
    FileStatus entry = posix.entryStatus(name);
    return entry != null
        && known.merge(Owner.idOf(entry.owner()), 1, Integer::sum) <= maxEntries / 2;
  }

  /** Compares the known files that were not among the entries that were read. */
  private void compareOthers() {
    slotByName.values().stream().filter(slot -> slot.scan != scans).forEach(this::compare);
  }

  private void compare(Slot slot) {
    if (compare(slot, posix.status(slot.name))) {
      add(slot);
    }
  }

  /** Compares a known file with its current status. Returns whether it is still a regular file. */
  private boolean compare(Slot slot, FileStatus status) {
    if (!isRegular(status)) {
      return false;
    }
    if (!status.equals(slot.status)) {
      changed.add(slot);
    }
    return true;
  }

  private void add(Slot slot) {
    slot.scan = scans;
    slot.place = found.size();
    found.add(slot);
  }

  /**
   * Returns the slot of an entry, or null if the name is new.
   *
   * <p>File systems list a directory in the same order each time, except for added and removed
   * entries. Therefore the slot after the last one found is tried first, by comparing the bytes of
   * the name in place. If it does not match, the slot is looked up by name; doing that for every
   * entry would double the time of the scan. After such a look-up, the prediction continues after
   * the found slot if exactly one slot was skipped, or if the previous entry was not the predicted
   * one either. So one entry that has moved does not disturb the prediction.
   */
  private Slot find(PosixDirectory.DirectoryEntry entry) {
    if (next < slots.size()) {
      Slot expected = slots.get(next);
      if (entry.hasName(expected.bytes)) {
        strayed = false;
        next++;
        return expected;
      }
    }
    Slot slot = slotByName.get(entry.name());
    if (slot != null && slot.scan == scans - 1) {
      if (strayed || slot.place == next + 1) {
        next = slot.place + 1;
      }
      strayed = true;
    }
    return slot;
  }

  private static boolean isRegular(FileStatus status) {
    return status != null && status.isRegular();
  }

  private List<Slot> removeGone() {
    if (found.size() == slotByName.size()) {
      return List.of();
    }
    List<Slot> gone = slotByName.values().stream().filter(slot -> slot.scan != scans).toList();
    gone.forEach(slot -> slotByName.remove(slot.name));
    return gone;
  }
}
