package org.jmmv.reader.watch;

import java.time.InstantSource;
import java.util.function.Consumer;

/** The entries of a directory, which scans keep up to date. */
final class DirectoryFiles {
  private final WatchedDirectory directory;
  private final WorkBudget time;
  private final Consumer<TrackedFile> changed;
  private final KnownFiles files = new KnownFiles();
  private SkippedEntries skipped; // of the last scan
  private final ScanSchedule schedule;
  private DirectoryScan scan; // null: none is under way
  private boolean wasScanned;

  /**
   * Creates an object without files.
   *
   * @param clock the time of day
   * @param changed receives each tracked file that is new, or whose status has changed
   */
  DirectoryFiles(
      WatchedDirectory directory,
      WorkBudget time,
      InstantSource clock,
      Consumer<TrackedFile> changed) {
    this.directory = directory;
    this.time = time;
    this.changed = changed;
    schedule = new ScanSchedule(directory.posix, clock);
    skipped = new SkippedEntries(directory, files);
  }

  WatchedDirectory directory() {
    return directory;
  }

  /**
   * Sets what the administrator has set for the directory, and its share of the entries. If that is
   * larger now, entries are read that were too many.
   *
   * @return whether other settings are replaced
   */
  boolean set(DirectorySettings settings, int maxEntries) {
    if (maxEntries > directory.maxEntries() && directory.isCrowded()) {
      schedule.invalidate();
    }
    return directory.set(settings, maxEntries);
  }

  /** Makes the next scan find all files changed, which are then read again. */
  void setOutdated() {
    files.list().forEach(TrackedFile::setOutdated);
    invalidate();
  }

  /** Makes the next scan find all files changed. */
  void invalidate() {
    files.list().forEach(TrackedFile::invalidate);
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
      scan = new DirectoryScan(directory, files, schedule, time, changed);
    }
    DirectoryScan.Outcome outcome = scan.run(now, deadline);
    if (outcome != null) {
      skipped = scan.skipped().orElse(skipped);
      scan = null;
      wasScanned = true;
    }
    return outcome;
  }

  /** Returns whether a scan has come to its end, at least of the entries that are read at once. */
  boolean wasScanned() {
    return wasScanned;
  }

  KnownFiles known() {
    return files;
  }

  SkippedEntries skipped() {
    return skipped;
  }
}
