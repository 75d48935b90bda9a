package org.jmmv.reader.watch;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.FileName;
import org.jmmv.reader.fault.Place;

/**
 * The directories of a {@link DirectoryWatcher}. A directory keeps its rank, which is part of the
 * names of its files, as long as the order of the directories permits. They are scanned as long as
 * there is time for scans, in turns, so that one that changes all the time does not delay the
 * others.
 */
final class WatchedDirectories {
  /** The distance between the ranks of directories, so that others fit in between. */
  private static final long RANK_GAP = 1L << 40;

  /**
   * The minimum time for scans at once, 10 ms. To go on with a scan costs up to 1 ms: file systems
   * read and sort a block of entries for it.
   */
  static final long MIN_NANOS = 10_000_000;

  /**
   * What {@link #set} has changed.
   *
   * @param removed directories that are not in the list any more
   * @param changed those that have other settings
   */
  record Difference(List<DirectoryFiles> removed, List<DirectoryFiles> changed) {}

  private final Path standard;
  private final int maxEntries;
  private final WorkBudget time;
  private final InstantSource clock;
  private final TimeShare scans;
  private final FaultBook book;
  private final FormerNames former = new FormerNames();
  private final Consumer<TrackedFile> changed;
  private final Consumer<List<TrackedFile>> removed;
  private List<DirectoryFiles> list = List.of();
  private int last = -1; // index of the directory that was looked at last

  /**
   * Creates an empty list.
   *
   * @param standard the path of a directory whose settings have none
   * @param maxEntries the maximum number of entries to read of all directories
   * @param clock the time of day
   * @param changed as in {@link DirectoryFiles}
   * @param removed receives files that were removed
   */
  WatchedDirectories(
      Path standard,
      int maxEntries,
      WorkBudget time,
      InstantSource clock,
      FaultBook book,
      Consumer<TrackedFile> changed,
      Consumer<List<TrackedFile>> removed) {
    this.standard = standard;
    this.maxEntries = maxEntries;
    this.time = time;
    this.clock = clock;
    this.book = book;
    this.changed = changed;
    this.removed = removed;
    scans = time.shareForScans();
  }

  /** Replaces the directories and their settings, as in {@link DirectoryWatcher#set}. */
  Difference set(List<DirectorySettings> wanted) {
    List<DirectoryFiles> others = new ArrayList<>();
    List<DirectoryFiles> next = new ArrayList<>();
    long last = -1;
    for (int i = 0; i < wanted.size(); i++) {
      Path path = path(wanted.get(i));
      DirectoryFiles known = find(path);
      if (known == null || rank(known) <= last || (rank(known) == 0) != (i == 0)) {
        long rank = i == 0 ? 0 : rankBetween(last, wanted.subList(i + 1, wanted.size()));
        known = new DirectoryFiles(new WatchedDirectory(path, rank, former), time, clock, changed);
      }
      last = rank(known);
      if (known.set(wanted.get(i), Math.max(1, maxEntries / wanted.size()))) {
        others.add(known);
      }
      next.add(known);
    }
    List<DirectoryFiles> removed =
        list.stream().filter(directory -> !next.contains(directory)).toList();
    list = next;
    return new Difference(removed, others);
  }

  private Path path(DirectorySettings settings) {
    return settings.path().orElse(standard);
  }

  private static long rank(DirectoryFiles directory) {
    return directory.directory().name.rank();
  }

  /** Returns the directory with a path, or null. */
  private DirectoryFiles find(Path path) {
    return list.stream().filter(one -> one.directory().path.equals(path)).findAny().orElse(null);
  }

  /**
   * Returns a rank behind another one, and if possible before those of later directories, which
   * then keep theirs.
   */
  private long rankBetween(long last, List<DirectorySettings> later) {
    long next =
        later.stream()
            .map(settings -> find(path(settings)))
            .filter(known -> known != null && rank(known) > last + 1)
            .mapToLong(WatchedDirectories::rank)
            .findFirst()
            .orElse(last + 2 * RANK_GAP);
    return last + (next - last) / 2;
  }

  /** Returns the directories in the order of their ranks. */
  List<DirectoryFiles> list() {
    return list;
  }

  /** Returns the directories without their files. */
  Stream<WatchedDirectory> each() {
    return list.stream().map(DirectoryFiles::directory);
  }

  /** Returns the directory of a file; null if it is not in the list any more. */
  DirectoryFiles of(FileName name) {
    for (DirectoryFiles directory : list) {
      if (rank(directory) == name.rank()) {
        return directory;
      }
    }
    return null;
  }

  /** Returns whether entries of a directory have not been read yet. */
  boolean areUnfinished() {
    for (int i = 0; i < list.size(); i++) { // an iterator would be garbage of each request
      if (list.get(i).isUnfinished()) {
        return true;
      }
    }
    return false;
  }

  /** Returns the known files of all directories, in the order of the last scans. */
  List<TrackedFile> files() {
    List<TrackedFile> files = new ArrayList<>();
    list.forEach(directory -> files.addAll(directory.known().list()));
    return files;
  }

  /** Lets scans take their time at once again. */
  void resetScanTime(long now) {
    scans.refill(now);
  }

  /**
   * Scans again and again at a start, for up to twice the time that a request may wait: what has
   * not been found can't be read. That time is not counted, so the first request can scan, too.
   */
  void scanAtStart(long start) {
    long now = start;
    do {
      scan(now, WorkBudget.SCAN_NANOS);
      now = time.now();
      resetScanTime(now);
    } while (areUnfinished() && now - start < 2 * time.maxWait());
  }

  /**
   * Scans the directories that have changed.
   *
   * @param now the time now
   * @param nanos how long at most
   * @return whether any directory was scanned
   */
  boolean scan(long now, long nanos) {
    boolean hasScanned = false;
    long start = now;
    for (int i = list.size(); i > 0; i--) {
      long left = Math.min(now + nanos - start, scans.left(start));
      if (left < MIN_NANOS) {
        break;
      }
      last = (last + 1) % list.size(); // of which there may be fewer now
      DirectoryFiles directory = list.get(last);
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
      book.report(directory.history, outcome.faults());
      if (wasUnreadable && !directory.isUnreadable()) {
        book.publish(Fault.of(FaultKind.DIRECTORY_READABLE, Place.of(directory.name)));
      }
      if (!outcome.removed().isEmpty()) {
        removed.accept(outcome.removed());
      }
    }
    long end = time.now();
    scans.spend(end - start);
    time.addLooking(end - start);
    return end;
  }
}
