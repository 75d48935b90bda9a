package org.jmmv.reader.watch;

import static java.util.Comparator.comparing;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jmmv.posix.PosixDirectory;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.FileName;

/** One of the directories of a {@link DirectoryWatcher}: its settings, its files and its scans. */
final class WatchedDirectory {
  final Path path;
  final FileName name;
  final PosixDirectory posix;
  final FaultBook.Page page = new FaultBook.Page();
  private final WorkBudget time;
  private final Consumer<TrackedFile> changed;
  private final KnownFiles files = new KnownFiles();
  private final SkippedEntries skipped;
  private final ScanSchedule schedule;
  private DirectorySettings settings;
  private int maxEntries;
  private DirectoryScan scan; // null: none is under way
  private boolean wasScanned;

  /**
   * Creates an object for a directory, which need not exist. Nothing is read.
   *
   * @param rank as in {@link FileName}
   * @param listings the time for listing skipped entries
   * @param changed receives each tracked file that is new, or whose status has changed
   */
  WatchedDirectory(
      Path path, long rank, WorkBudget time, TimeShare listings, Consumer<TrackedFile> changed) {
    this.path = path;
    this.time = time;
    this.changed = changed;
    name = FileName.ofDirectory(rank, path);
    posix = new PosixDirectory(path);
    schedule = new ScanSchedule(posix);
    skipped = new SkippedEntries(this, time, listings);
  }

  /**
   * Sets what the administrator has set for the directory, and the maximum number of entries that a
   * scan reads, and of known files.
   */
  void set(DirectorySettings nextSettings, int nextMaxEntries) {
    settings = nextSettings;
    maxEntries = nextMaxEntries;
  }

  DirectorySettings settings() {
    return settings;
  }

  int maxEntries() {
    return maxEntries;
  }

  long rank() {
    return name.rank();
  }

  /** Returns what identifies a file of this directory. */
  FileName named(String file) {
    return new FileName(name.rank(), name.directory(), file);
  }

  /** Returns whether the directory is missing, or could not be read by the last scan. */
  boolean isUnreadable() {
    return page.faults().stream()
        .anyMatch(counted -> counted.fault().kind().severity() == FaultKind.Severity.ERROR);
  }

  // ---------------------------------------------------------------- scans

  /** Returns when a scan is due. */
  ScanSchedule schedule() {
    return schedule;
  }

  /** Makes the next scan find all files changed. */
  void invalidate() {
    files().forEach(TrackedFile::invalidate);
    schedule.invalidate();
  }

  /** Returns whether a scan may find changes. */
  boolean isDue(long now) {
    return scan != null || schedule.isDue(now);
  }

  /** Returns whether a scan was interrupted, or the next one has to read other entries. */
  boolean isUnfinished() {
    return scan != null || schedule.isUnfinished();
  }

  /**
   * Begins a scan of the directory, or goes on with one that was interrupted.
   *
   * @param deadline when the scan is interrupted
   * @return the outcome; null if the scan was interrupted
   */
  DirectoryScan.Outcome scan(long now, long deadline) {
    if (scan == null) {
      scan = new DirectoryScan(this, time, changed);
    }
    DirectoryScan.Outcome outcome = scan.run(now, deadline);
    if (outcome != null) {
      scan = null;
      wasScanned = true;
    }
    return outcome;
  }

  /** Returns whether a scan has come to its end, at least of the entries that are read at once. */
  boolean wasScanned() {
    return wasScanned;
  }

  // ---------------------------------------------------------------- files

  /** Returns the known files, which scans keep up to date. */
  KnownFiles known() {
    return files;
  }

  /** Returns the known files, in the order of the last complete scan. */
  List<TrackedFile> files() {
    return files.list();
  }

  /** Returns the entries that are skipped. */
  SkippedEntries skipped() {
    return skipped;
  }

  /**
   * Returns the next entries, in the byte order of their names. Those that are skipped are listed
   * again at the beginning.
   *
   * @param after the name after which they come; empty: at the beginning
   * @param max the maximum number of entries
   */
  List<EntryStatus> statuses(String after, int max) {
    if (after.isEmpty()) {
      skipped.list();
    }
    return Stream.concat(
            files.after(after).stream().limit(max).map(EntryStatus::of),
            skipped.listed().filter(status -> status.name().name().compareTo(after) > 0))
        .sorted(comparing(EntryStatus::name))
        .limit(max)
        .toList();
  }
}
