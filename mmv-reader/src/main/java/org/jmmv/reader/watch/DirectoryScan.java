package org.jmmv.reader.watch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jmmv.pcp.User;
import org.jmmv.posix.FileStatus;
import org.jmmv.posix.PosixDirectory;
import org.jmmv.posix.PosixException;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.Place;

/**
 * One scan of a directory: it lists the directory and compares the entries with the known files,
 * the {@link TrackedFile}s.
 *
 * <p>A scan has to be fast, because requests wait for it: the time per unchanged served file
 * matters. For such a file the scan allocates nothing and makes no system call; the name and the
 * inode number are compared in the buffer that getdents64(2) has filled. A regular file with the
 * inode number of the served file is the same file, because the kernel does not reuse the inode
 * number of a file that is still mapped; but it may be another one if another directory has the
 * path now. All other files are compared by their status, which takes one statx(2) per file.
 *
 * <p>A scan reads at most as many entries as {@link DirectoryWatcher} permits, whatever they are,
 * and as many files are known, at most half of them of one user. The next scan goes on behind the
 * last entry that was read, and no longer looks at symbolic links, which would take most of the
 * time. Known files that were not among the entries are looked up by name. So are all known files
 * if the directory can't be opened for a passing reason, such as a lack of descriptors. A scan that
 * takes longer than it may is interrupted, and later goes on.
 */
final class DirectoryScan {
  /** Entries between two readings of the clock. */
  private static final int ENTRIES_PER_CLOCK = 32;

  /**
   * The outcome of a scan.
   *
   * @param removed files whose file is no longer there
   * @param faults faults of the directory itself
   */
  record Outcome(List<TrackedFile> removed, List<Fault> faults) {}

  private final WatchedDirectory directory;
  private final PosixDirectory posix;
  private final KnownFiles files;
  private final ScanSchedule schedule;
  private final WorkBudget time;
  private final Consumer<TrackedFile> changed;
  private SkippedEntries skipped;
  private final boolean isBehindFirst; // whether it reads entries behind those of the first scan
  private long deadline;
  private int steps; // entries and names since the clock was read
  private int read; // number of entries
  private boolean isCrowded; // whether there are too many entries for a scan
  private PosixException problem; // why the directory can't be read; null if it can
  private Deque<TrackedFile> unread; // known files not among the entries; null until those are read

  /**
   * Begins a scan.
   *
   * @param changed receives each tracked file that is new, or whose status has changed
   */
  DirectoryScan(
      WatchedDirectory directory,
      KnownFiles files,
      ScanSchedule schedule,
      WorkBudget time,
      Consumer<TrackedFile> changed) {
    this.directory = directory;
    this.files = files;
    this.schedule = schedule;
    this.time = time;
    this.changed = changed;
    posix = directory.posix;
    skipped = new SkippedEntries(directory, files);
    isBehindFirst = schedule.position() != 0;
    isCrowded = isBehindFirst;
    if (!isBehindFirst) {
      schedule.begin();
    }
    files.beginScan();
  }

  /**
   * Goes on. If the directory can't be read, and not for a passing reason, all files count as
   * removed.
   *
   * @param now the time in nanoseconds of {@link System#nanoTime}
   * @param end when the scan is interrupted, likewise
   * @return the outcome; null if the scan was interrupted
   */
  Outcome run(long now, long end) {
    deadline = end;
    steps = 0;
    if (unread == null) {
      readEntries(now);
    }
    if (unread == null) {
      return null;
    }
    while (!unread.isEmpty() && hasTime()) {
      TrackedFile tracked = unread.remove();
      if (compare(tracked, tracked.currentStatus())) {
        files.setFound(tracked);
      }
    }
    return unread.isEmpty() ? end() : null;
  }

  private void readEntries(long now) {
    try {
      long next = posix.list(schedule.position(), this::read);
      isCrowded |= next > 0 && read >= directory.maxEntries();
      schedule.readTo(Math.max(0, next));
      if (next < 0 || read >= directory.maxEntries()) { // which may be lower than at the beginning
        unread = new ArrayDeque<>(files.missing());
      }
    } catch (PosixException e) {
      problem = e;
      schedule.fail(e, now);
      if (!e.isPassing()) {
        files.clearFound();
        skipped = new SkippedEntries(directory, files);
      }
      unread = new ArrayDeque<>(e.isPassing() ? files.missing() : List.of());
    }
  }

  /**
   * Returns the entries that were skipped; empty if the scan has not read the first ones, which may
   * be the same as before.
   */
  Optional<SkippedEntries> skipped() {
    boolean isKnown = !isBehindFirst && (problem == null || !problem.isPassing());
    return isKnown ? Optional.of(skipped) : Optional.empty();
  }

  /** Reads an entry. Returns whether to go on. */
  private boolean read(PosixDirectory.DirectoryEntry entry) {
    if (!compare(entry) && (entry.isHidden() || !entry.isRegular())) {
      skipped.add(entry);
    }
    return ++read < directory.maxEntries() && hasTime();
  }

  private boolean hasTime() {
    return ++steps % ENTRIES_PER_CLOCK != 0 || time.now() - deadline < 0;
  }

  private Outcome end() {
    List<TrackedFile> removed = files.removeMissing();
    if (isCrowded && !removed.isEmpty()) {
      schedule.setYoung(); // there is room for other files now
    }
    return new Outcome(removed, faults());
  }

  /** Returns the faults of the directory itself. */
  private List<Fault> faults() {
    Place place = Place.of(directory.name);
    List<Fault> faults = new ArrayList<>();
    if (problem != null && problem.isDenied()) {
      FileStatus status = schedule.status();
      Object permissions = status == null ? "of one above it" : status.permissions();
      faults.add(Fault.of(FaultKind.DIRECTORY_DENIED, place, permissions));
    } else if (problem != null) {
      FaultKind kind =
          problem.isPassing() ? FaultKind.DIRECTORY_UNAVAILABLE : FaultKind.DIRECTORY_UNREADABLE;
      faults.add(Fault.of(kind, place, problem.getMessage()));
    }
    if (isCrowded) {
      faults.add(Fault.of(FaultKind.CROWDED, place, directory.maxEntries()));
    }
    return faults;
  }

  /** Compares an entry with the known files. Returns whether it is one of them now. */
  private boolean compare(PosixDirectory.DirectoryEntry entry) {
    if (entry.isHidden() || (isBehindFirst && entry.isLink())) {
      return false;
    }
    TrackedFile tracked = files.find(entry);
    if (tracked == null) {
      tracked = add(entry);
      if (tracked == null) {
        return false;
      }
    } else if (!entry.isRegular()
        || schedule.isOtherDirectory()
        || !tracked.isServedAs(entry.inode())) {
      if (!compare(tracked, entry.status())) {
        return false;
      }
    }
    files.setFound(tracked);
    return true;
  }

  /** Adds a file if the new entry is one, and there is room for it; otherwise returns null. */
  private TrackedFile add(PosixDirectory.DirectoryEntry entry) {
    if (files.count() >= directory.maxEntries() / 2 && !hasRoom(entry.name())) {
      isCrowded = true;
      return null;
    }
    if (!entry.isRegular() && !isRegular(entry.status())) {
      return null;
    }
    if (files.count() >= directory.maxEntries()) {
      isCrowded = true;
      return null;
    }
    TrackedFile tracked = new TrackedFile(directory, directory.named(entry.name()));
    files.add(tracked);
    changed.accept(tracked);
    return tracked;
  }

  /** Returns whether the owner of a new entry has less than half of the files that can be known. */
  private boolean hasRoom(String name) {
    FileStatus entry = posix.entryStatus(name);
    return entry != null
        && files.countOneMore(User.of(entry.owner())) <= directory.maxEntries() / 2;
  }

  /** Compares a known file with its current status. Returns whether it is still a regular file. */
  private boolean compare(TrackedFile tracked, FileStatus status) {
    if (!isRegular(status)) {
      return false;
    }
    if (tracked.isInvalid() || !status.equals(tracked.status())) {
      changed.accept(tracked);
    }
    return true;
  }

  private static boolean isRegular(FileStatus status) {
    return status != null && status.isRegular();
  }
}
