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

  private final FaultBook book;
  private final Consumer<List<TrackedFile>> removed;
  private List<DirectoryScan> directories = List.of();
  private int next; // index of the directory that is scanned first if several have to be

  /**
   * Creates scans of no directories.
   *
   * @param removed receives files that were removed
   */
  ScanRounds(FaultBook book, Consumer<List<TrackedFile>> removed) {
    this.book = book;
    this.removed = removed;
  }

  /** Replaces the directories. */
  void set(List<DirectoryScan> others) {
    directories = others;
    next = 0;
  }

  /** Returns whether entries of a directory have not been read yet. */
  boolean isUnfinished() {
    for (int i = 0; i < directories.size(); i++) { // for each request: no iterator
      if (directories.get(i).isUnfinished()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Scans again and again at a start, for up to twice the time that a request may wait: what has
   * not been found can't be read. That time is not counted, so the first request can scan, too.
   */
  void runAtStart(WorkBudget time, long start) {
    long now = start;
    do {
      run(time, now, WorkBudget.SCAN_NANOS);
      now = time.now();
      time.resetScanTime(now);
    } while (isUnfinished() && now - start < 2 * time.maxWait());
  }

  /**
   * Scans the directories that have changed.
   *
   * @param now the time now
   * @param nanos how long at most
   * @return whether any directory was scanned
   */
  boolean run(WorkBudget time, long now, long nanos) {
    boolean hasScanned = false;
    long start = now;
    for (int i = directories.size(); i > 0; i--) {
      long left = Math.min(now + nanos - start, time.scanTime(start));
      if (left < MIN_NANOS) {
        break;
      }
      DirectoryScan directory = directories.get(next);
      next = (next + 1) % directories.size();
      if (directory.isDue(start)) {
        start = scan(directory, time, start, start + left);
        hasScanned = true;
      }
    }
    return hasScanned;
  }

  /** Scans a directory until a deadline, and returns the time at the end. */
  private long scan(DirectoryScan directory, WorkBudget time, long start, long deadline) {
    DirectoryScan.Outcome outcome = directory.run(start, deadline);
    if (outcome.faults() != null) {
      WatchedDirectory scanned = directory.directory();
      boolean wasUnreadable = scanned.isUnreadable();
      book.report(scanned.page, outcome.faults());
      if (wasUnreadable && !scanned.isUnreadable()) {
        book.publish(Fault.of(FaultKind.DIRECTORY_READABLE, Place.of(scanned.name)));
      }
    }
    if (!outcome.removed().isEmpty()) {
      removed.accept(outcome.removed());
    }
    long end = time.now();
    time.scanned(end - start);
    return end;
  }
}
