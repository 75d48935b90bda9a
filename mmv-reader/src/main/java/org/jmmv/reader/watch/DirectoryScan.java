package org.jmmv.reader.watch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jmmv.posix.FileStatus;
import org.jmmv.posix.PosixDirectory;
import org.jmmv.posix.PosixException;
import org.jmmv.reader.Fault;
import org.jmmv.reader.FaultKind;
import org.jmmv.reader.Place;

/**
 * Lists the directory and compares the entries with the known files, the {@link TrackedFile}s.
 *
 * <p>A scan has to be fast, because requests wait for it: the time per unchanged served file
 * matters. For such a file the scan allocates nothing and makes no system call; the name and the
 * inode number are compared in the buffer that getdents64(2) has filled. A regular file with the
 * inode number of the served file is the same file, because the kernel does not reuse the inode
 * number of a file that is still mapped. All other files are compared by their status, which takes
 * one statx(2) per file.
 *
 * <p>A scan reads at most 100,000 entries, whatever they are, and at most 100,000 files are known.
 * One user can't have more than half of them, once half of them are known. The next scan goes on
 * behind the last entry that was read, and no longer looks at symbolic links, which would take most
 * of the time. Known files that were not among the entries are looked up by name, but behind the
 * first entries not more often than every four seconds. So are all known files if the directory
 * can't be opened for a passing reason, such as a lack of descriptors. A scan that takes longer
 * than it may is interrupted, and later goes on.
 */
final class DirectoryScan {
  /**
   * 50 ms. The resolution of a directory's times is the kernel's tick (up to 10 ms). If the
   * directory has changed less than 50 ms before a scan, a later change may leave the time as it
   * is, so the directory is scanned again.
   */
  private static final long YOUNG_NANOS = 50_000_000;

  /** How long a removed file may go unnoticed while entries behind the first are read. */
  private static final long ALL_LOOKED_UP_NANOS = 4_000_000_000L;

  /** How long another directory at the path may go unnoticed. */
  private static final long LOOK_UP_NANOS = 1_000_000_000;

  /**
   * The maximum number of entries that a scan reads, and of known files. Several directories have
   * equal shares of it.
   */
  static final int MAX_ENTRIES = 100_000;

  /** The clock is read once for so many entries. */
  private static final int ENTRIES_PER_CLOCK = 32;

  /** The name by which {@link PosixDirectory} refers to the directory itself. */
  private static final String ITSELF = "";

  /**
   * The outcome of a scan.
   *
   * @param gone files whose file is no longer there
   * @param faults faults of the directory itself; null if the scan was interrupted
   */
  record Outcome(List<TrackedFile> gone, List<Fault> faults) {}

  private final WatchedDirectory directory;
  private final PosixDirectory posix;
  private final WorkBudget time;
  private final SkippedEntries skipped;
  private final Consumer<TrackedFile> changed;
  private int maxEntries; // MAX_ENTRIES, or the share of one of several directories
  private final Map<String, TrackedFile> fileByName = new HashMap<>();
  private List<TrackedFile> files =
      new ArrayList<>(); // in the order of the last scan, then new ones
  private FileStatus scanned; // the directory's status when it was last read from the beginning
  private boolean young = true; // whether a later change may leave that status as it is
  private long lookedUp; // when the directory was last looked up by its path
  private long allLookedUp; // when all known files were last looked for
  private long scans;
  private long position; // of the entry that is read next
  private boolean crowded; // whether there are too many entries for a scan
  private PosixException problem; // why the directory can't be read; null if it can
  private Retry retry; // when a scan is due after a passing problem; null if there is none

  // state of the current scan
  private boolean isUnderWay;
  private long deadline;
  private boolean isBehindFirst; // whether it reads entries behind those of the first scan
  private boolean looksForAll; // whether it finds out which of the known files are gone
  private int steps; // entries and names since the clock was read
  private int read; // number of entries
  private int predicted; // number of files that the last scan has found
  private int next; // index in files of the tracked file that is expected next
  private Map<Long, Integer> known; // numbers of files by owner; null if there are few
  private boolean strayed; // whether the last entry was not the predicted one
  private List<TrackedFile> found;
  private Deque<TrackedFile> unread; // known files not among the entries; null until those are read

  /**
   * Creates a scan of a directory.
   *
   * @param changed receives each tracked file that is new, or whose status has changed
   */
  DirectoryScan(WatchedDirectory directory, WorkBudget time, Consumer<TrackedFile> changed) {
    this.directory = directory;
    this.time = time;
    this.changed = changed;
    posix = directory.posix;
    skipped = new SkippedEntries(directory, time);
  }

  /** Sets the maximum number of entries that a scan reads, and of known files. */
  void setMaxEntries(int maxEntries) {
    this.maxEntries = maxEntries;
    skipped.setMaxEntries(maxEntries);
  }

  WatchedDirectory directory() {
    return directory;
  }

  /** Returns the known files of the directory, in the order of the last complete scan. */
  List<TrackedFile> files() {
    return files;
  }

  /** Returns the known file with a name, or null if there is none. */
  TrackedFile file(String name) {
    return fileByName.get(name);
  }

  /** Returns the entries that are skipped, see {@link SkippedEntries}. */
  List<EntryStatus> skipped() {
    return skipped.list(fileByName::containsKey).stream()
        .filter(status -> file(status.name().name()) == null) // found since that listing
        .toList();
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

  /** Returns whether a scan was interrupted, or the next one has to read other entries. */
  boolean isUnfinished() {
    return isUnderWay || position != 0;
  }

  /** Makes the next scan find all files changed. */
  void invalidate() {
    files.forEach(tracked -> tracked.status = null);
    young = true;
  }

  /**
   * Begins a scan of the directory, or goes on with one that was interrupted. If the directory
   * can't be read, and not for a passing reason, all files count as removed.
   *
   * @param time the time in nanoseconds of {@link System#nanoTime}
   * @param deadline when the scan is interrupted, likewise
   * @return the outcome, without anything if the scan was interrupted
   */
  Outcome run(long time, long deadline) {
    this.deadline = deadline;
    steps = 0;
    if (!isUnderWay) {
      begin(time);
    }
    if (unread == null) {
      readEntries(time);
    }
    if (unread != null) {
      while (!unread.isEmpty() && hasTime()) {
        lookUp(unread.remove());
      }
      if (unread.isEmpty()) {
        return end();
      }
    }
    return new Outcome(List.of(), null);
  }

  private void begin(long time) {
    isUnderWay = true;
    scans++;
    if (position == 0) {
      scanned = posix.status(ITSELF);
      lookedUp = time;
      long age = System.currentTimeMillis() * 1_000_000 - (scanned == null ? 0 : scanned.changed());
      young = Math.abs(age) < YOUNG_NANOS;
    }
    read = 0;
    next = 0;
    predicted = files.size();
    known = fileByName.size() < maxEntries / 2 ? null : countByOwner();
    strayed = false;
    found = new ArrayList<>(files.size());
    isBehindFirst = position != 0;
    looksForAll = !isBehindFirst || time - allLookedUp >= ALL_LOOKED_UP_NANOS;
    allLookedUp = looksForAll ? time : allLookedUp;
    crowded = isBehindFirst;
    problem = null;
  }

  private void readEntries(long time) {
    try {
      position = posix.list(position, this::read);
      if (position < 0 || read >= maxEntries) { // the maximum may have been lowered meanwhile
        crowded |= position > 0;
        position = Math.max(0, position);
        retry = null;
        unread = unread();
      }
    } catch (PosixException e) {
      position = 0;
      looksForAll = true;
      problem = e;
      retry = e.isPassing() ? Retry.after(retry, time) : null;
      if (e.isPassing()) {
        unread = unread();
      } else {
        found.forEach(tracked -> tracked.scan = 0);
        found.clear();
        unread = new ArrayDeque<>();
      }
    }
  }

  /** Reads an entry. Returns whether to go on. */
  private boolean read(PosixDirectory.DirectoryEntry entry) {
    compare(entry);
    return ++read < maxEntries && hasTime();
  }

  private boolean hasTime() {
    return ++steps % ENTRIES_PER_CLOCK != 0 || time.now() - deadline < 0;
  }

  private Deque<TrackedFile> unread() {
    return !looksForAll || found.size() == fileByName.size()
        ? new ArrayDeque<>()
        : fileByName.values().stream()
            .filter(tracked -> tracked.scan != scans)
            .collect(Collectors.toCollection(ArrayDeque::new));
  }

  private Outcome end() {
    isUnderWay = false;
    unread = null;
    List<TrackedFile> gone = List.of();
    if (looksForAll) {
      files = found;
      gone = removeGone();
    }
    young |= crowded && !gone.isEmpty(); // there is room for other files now
    return new Outcome(gone, faults());
  }

  /** Returns the faults of the directory itself. */
  private List<Fault> faults() {
    Place place = Place.of(directory.name);
    List<Fault> faults = new ArrayList<>();
    if (problem != null && problem.isDenied()) {
      faults.add(Fault.of(FaultKind.DIRECTORY_DENIED, place));
    } else if (problem != null) {
      FaultKind kind =
          retry == null ? FaultKind.DIRECTORY_UNREADABLE : FaultKind.DIRECTORY_UNAVAILABLE;
      faults.add(Fault.of(kind, place, problem.getMessage()));
    }
    if (crowded) {
      faults.add(Fault.of(FaultKind.CROWDED, place, maxEntries));
    }
    return faults;
  }

  private void compare(PosixDirectory.DirectoryEntry entry) {
    if (entry.isHidden() || (isBehindFirst && entry.isLink())) {
      return;
    }
    TrackedFile tracked = find(entry);
    if (tracked == null) {
      if (known != null && !hasRoom(entry.name())) {
        crowded = true;
        return;
      }
      if (!entry.isRegular() && !isRegular(entry.status())) {
        return;
      }
      if (fileByName.size() >= maxEntries) {
        crowded = true;
        return;
      }
      tracked = new TrackedFile(directory, directory.named(entry.name()));
      fileByName.put(entry.name(), tracked);
      files.add(tracked);
      changed.accept(tracked);
    } else if (!entry.isRegular() || entry.inode() != tracked.servedInode()) {
      if (!compare(tracked, entry.status())) {
        return;
      }
    }
    // a directory that changes during the scan may list a name twice
    if (looksForAll && tracked.scan != scans) {
      add(tracked);
    }
  }

  private Map<Long, Integer> countByOwner() {
    Map<Long, Integer> count = new HashMap<>();
    for (TrackedFile tracked : fileByName.values()) {
      if (tracked.owner != null) {
        count.merge(tracked.owner.id, 1, Integer::sum);
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

  private void lookUp(TrackedFile tracked) {
    if (compare(tracked, tracked.currentStatus())) {
      add(tracked);
    }
  }

  /** Compares a known file with its current status. Returns whether it is still a regular file. */
  private boolean compare(TrackedFile tracked, FileStatus status) {
    if (!isRegular(status)) {
      return false;
    }
    if (!status.equals(tracked.status)) {
      changed.accept(tracked);
    }
    return true;
  }

  private void add(TrackedFile tracked) {
    tracked.scan = scans;
    tracked.place = found.size();
    found.add(tracked);
  }

  /**
   * Returns the tracked file of an entry, or null if the name is new.
   *
   * <p>File systems list a directory in the same order each time, except for added and removed
   * entries. Therefore the tracked file after the last one found is tried first, by comparing the
   * bytes of the name in place. If it does not match, the tracked file is looked up by name; doing
   * that for every entry would double the time of the scan. After such a look-up, the prediction
   * continues after the found tracked file if exactly one tracked file was skipped, or if the
   * previous entry was not the predicted one either. So one entry that has moved does not disturb
   * the prediction.
   */
  private TrackedFile find(PosixDirectory.DirectoryEntry entry) {
    if (next < predicted) {
      TrackedFile expected = files.get(next);
      if (entry.hasName(expected.bytes)) {
        strayed = false;
        next++;
        return expected;
      }
    }
    TrackedFile tracked = fileByName.get(entry.name());
    if (tracked != null && tracked.scan == scans - 1) {
      if (strayed || tracked.place == next + 1) {
        next = tracked.place + 1;
      }
      strayed = true;
    }
    return tracked;
  }

  private static boolean isRegular(FileStatus status) {
    return status != null && status.isRegular();
  }

  private List<TrackedFile> removeGone() {
    if (found.size() == fileByName.size()) {
      return List.of();
    }
    List<TrackedFile> gone =
        fileByName.values().stream().filter(tracked -> tracked.scan != scans).toList();
    gone.forEach(tracked -> {
      tracked.isRemoved = true;
      fileByName.remove(tracked.name.name());
    });
    return gone;
  }
}
