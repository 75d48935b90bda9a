package org.jmmv.reader.watch;

import static java.util.Comparator.comparing;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jmmv.pcp.User;
import org.jmmv.posix.FileStatus;
import org.jmmv.posix.PosixDirectory;
import org.jmmv.posix.PosixException;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.Place;

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
   * @param removed files whose file is no longer there
   * @param faults faults of the directory itself; null if the scan was interrupted
   */
  record Outcome(List<TrackedFile> removed, List<Fault> faults) {}

  private final WatchedDirectory directory;
  private final PosixDirectory posix;
  private final WorkBudget time;
  private final SkippedEntries skipped;
  private final Consumer<TrackedFile> changed;
  private int maxEntries; // MAX_ENTRIES, or the share of one of several directories
  private final KnownFiles files = new KnownFiles();
  private FileStatus scanned; // the directory's status when it was last read from the beginning
  private boolean isInvalid = true; // whether no scan has begun since invalidate()
  private boolean young; // whether a later change may leave that status as it is
  private long lookedUp; // when the directory was last looked up by its path
  private long allLookedUp; // when all known files were last looked for
  private long position; // of the entry that is read next
  private boolean hasEnded; // whether any scan has come to its end
  private boolean crowded; // whether there are too many entries for a scan
  private PosixException problem; // why the directory can't be read; null if it can
  private Retry retry; // when a scan is due after a passing problem; null if there is none

  // state of the current scan
  private boolean isUnderWay;
  private long deadline;
  private boolean isBehindFirst; // whether it reads entries behind those of the first scan
  private boolean looksForAll; // whether it finds out which of the known files were removed
  private int steps; // entries and names since the clock was read
  private int read; // number of entries
  private Map<User, Integer> countByOwner; // of known files; null if there are few
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
    return files.list();
  }

  /** Returns the known file with a name, or null if there is none. */
  TrackedFile file(String name) {
    return files.get(name);
  }

  /** Returns a number that grows when entries come and go, and when a scan looks for such. */
  long version() {
    return files.version() + skipped.version();
  }

  /** Returns the entries that are skipped, see {@link SkippedEntries}. */
  List<EntryStatus> skipped() {
    skipped.list(name -> file(name) != null);
    return listed().toList();
  }

  /** Returns those of the last listing. */
  Stream<EntryStatus> listed() {
    return skipped.listed().stream()
        .filter(status -> file(status.name().name()) == null); // found since that listing
  }

  /**
   * Returns the next entries, in the byte order of their names. Those that are skipped are listed
   * again at the beginning.
   *
   * @param after the name after which they come; empty: at the beginning
   * @param max the maximum number of entries
   */
  List<EntryStatus> statuses(String after, int max) {
    List<EntryStatus> others =
        after.isEmpty()
            ? skipped()
            : listed().filter(status -> status.name().name().compareTo(after) > 0).toList();
    return Stream.concat(
            files.after(after).stream().limit(max).map(EntryStatus::of), others.stream())
        .sorted(comparing(EntryStatus::name))
        .limit(max)
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

  /**
   * Returns whether a scan was interrupted, or the next one has to read other entries, or all again
   * after {@link #invalidate}.
   */
  boolean isUnfinished() {
    return isUnderWay || position != 0 || isInvalid;
  }

  /** Returns whether a scan has come to its end, at least of the entries that are read at once. */
  boolean hasEnded() {
    return hasEnded;
  }

  /** Makes the next scan find all files changed. */
  void invalidate() {
    files.list().forEach(TrackedFile::invalidate);
    isInvalid = true;
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
    files.beginScan();
    if (position == 0) {
      isInvalid = false;
      scanned = posix.status(ITSELF);
      lookedUp = time;
      long age = System.currentTimeMillis() * 1_000_000 - (scanned == null ? 0 : scanned.changed());
      young = Math.abs(age) < YOUNG_NANOS;
    }
    read = 0;
    countByOwner = files.count() < maxEntries / 2 ? null : files.countByOwner();
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
        files.clearFound();
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
    return new ArrayDeque<>(looksForAll ? files.missing() : List.of());
  }

  private Outcome end() {
    isUnderWay = false;
    hasEnded = true;
    unread = null;
    List<TrackedFile> removed = looksForAll ? files.removeMissing() : List.of();
    young |= crowded && !removed.isEmpty(); // there is room for other files now
    return new Outcome(removed, faults());
  }

  /** Returns the faults of the directory itself. */
  private List<Fault> faults() {
    Place place = Place.of(directory.name);
    List<Fault> faults = new ArrayList<>();
    if (problem != null && problem.isDenied()) {
      Object permissions = scanned == null ? "of one above it" : scanned.permissions();
      faults.add(Fault.of(FaultKind.DIRECTORY_DENIED, place, permissions));
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
    TrackedFile tracked = files.find(entry);
    if (tracked == null) {
      if (countByOwner != null && !hasRoom(entry.name())) {
        crowded = true;
        return;
      }
      if (!entry.isRegular() && !isRegular(entry.status())) {
        return;
      }
      if (files.count() >= maxEntries) {
        crowded = true;
        return;
      }
      tracked = new TrackedFile(directory, directory.named(entry.name()));
      files.add(tracked);
      changed.accept(tracked);
    } else if (!entry.isRegular() || entry.inode() != tracked.servedInode()) {
      if (!compare(tracked, entry.status())) {
        return;
      }
    }
    if (looksForAll) {
      files.setFound(tracked);
    }
  }

  /** Returns whether the owner of a new entry has less than half of the files that can be known. */
  private boolean hasRoom(String name) {
    FileStatus entry = posix.entryStatus(name);
    return entry != null
        && countByOwner.merge(User.of(entry.owner()), 1, Integer::sum) <= maxEntries / 2;
  }

  private void lookUp(TrackedFile tracked) {
    if (compare(tracked, tracked.currentStatus())) {
      files.setFound(tracked);
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

  private static boolean isRegular(FileStatus status) {
    return status != null && status.isRegular();
  }
}
