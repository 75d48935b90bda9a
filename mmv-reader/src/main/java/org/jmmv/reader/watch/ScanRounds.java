package org.jmmv.reader.watch;

import java.util.List;
import java.util.function.Consumer;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.Place;

/**
 * Scans directories as long as there is time for scans. They take turns, so that one that changes
 * all the time does not delay the others.
 */
final class ScanRounds {
  /**
   * The minimum time for scans at once, 10 ms. To go on with a scan costs up to 1 ms: file systems
   * read and sort a block of entries for it.
   */
  static final long MIN_NANOS = 10_000_000;

  private final WatchedDirectories directories;
  private final WorkBudget time;
  private final TimeShare share;
  private final FaultBook book;
  private final Consumer<List<TrackedFile>> removed;
  private int last = -1; // index of the directory that was looked at last

  /**
   * Creates an object that has not scanned yet.
   *
   * @param removed receives files that were removed
   */
  ScanRounds(
      WatchedDirectories directories,
      WorkBudget time,
      FaultBook book,
      Consumer<List<TrackedFile>> removed) {
    this.directories = directories;
    this.time = time;
    this.book = book;
    this.removed = removed;
    share = time.shareForScans();
  }

  /** Lets scans take their time at once again. */
  void resetTime(long now) {
    share.refill(now);
  }

  /**
   * Scans again and again at a start, for up to twice the time that a request may wait: what has
   * not been found can't be read. That time is not counted, so the first request can scan, too.
   */
  void runAtStart(long start) {
    long now = start;
    do {
      run(now, WorkBudget.SCAN_NANOS);
      now = time.now();
      resetTime(now);
    } while (directories.areUnfinished() && now - start < 2 * time.maxWait());
  }

  /**
   * Scans the directories that have changed.
   *
   * @param now the time now
   * @param nanos how long at most
   * @return whether any directory was scanned
   */
  boolean run(long now, long nanos) {
    boolean hasScanned = false;
    long start = now;
    for (int i = directories.list().size(); i > 0; i--) {
      long left = Math.min(now + nanos - start, share.left(start));
      if (left < MIN_NANOS) {
        break;
      }
      last = (last + 1) % directories.list().size(); // of which there may be fewer now
      DirectoryFiles directory = directories.list().get(last);
      if (directory.isDue(start)) {
        start = scan(directory, start, start + left);
        hasScanned = true;
      }
    }
    return hasScanned;
  }

  /** Scans a directory until a deadline, and returns the time at the end. */
  private long scan(DirectoryFiles files, long start, long deadline) {
    DirectoryScan.Outcome outcome = files.scan(start, deadline);
    if (outcome != null) {
      WatchedDirectory directory = files.directory();
      boolean wasUnreadable = directory.isUnreadable();
      book.report(directory.page, outcome.faults());
      if (wasUnreadable && !directory.isUnreadable()) {
        book.publish(Fault.of(FaultKind.DIRECTORY_READABLE, Place.of(directory.name)));
      }
      if (!outcome.removed().isEmpty()) {
        removed.accept(outcome.removed());
      }
    }
    long end = time.now();
    share.spend(end - start);
    time.scanned(end - start);
    return end;
  }
}
