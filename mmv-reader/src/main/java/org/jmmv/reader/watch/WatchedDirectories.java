package org.jmmv.reader.watch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jmmv.reader.fault.FileName;

/**
 * The directories of a {@link DirectoryWatcher}, each with its scan. A directory keeps its rank,
 * which is part of the names of its files, as long as the order of the directories permits.
 */
final class WatchedDirectories {
  /** The distance between the ranks of directories, so that others fit in between. */
  private static final long RANK_GAP = 1L << 40;

  private final Path standard;
  private final int maxEntries;
  private final WorkBudget time;
  private final Consumer<TrackedFile> changed;
  private List<DirectoryScan> list = List.of();
  private long versionBefore; // the sum of the versions when the list was last replaced

  /**
   * Creates an empty list.
   *
   * @param standard the path of a directory whose settings have none
   * @param maxEntries the maximum number of entries to read of all directories
   * @param changed as in {@link DirectoryScan}
   */
  WatchedDirectories(
      Path standard, int maxEntries, WorkBudget time, Consumer<TrackedFile> changed) {
    this.standard = standard;
    this.maxEntries = maxEntries;
    this.time = time;
    this.changed = changed;
  }

  /**
   * Replaces the directories and their settings, as in {@link DirectoryWatcher#set}.
   *
   * @return those that are not in the list any more
   */
  List<DirectoryScan> set(List<DirectorySettings> wanted) {
    List<DirectoryScan> next = new ArrayList<>();
    long last = -1;
    for (int i = 0; i < wanted.size(); i++) {
      Path path = path(wanted.get(i));
      DirectoryScan known = find(path);
      if (known == null || rank(known) <= last || (rank(known) == 0) != (i == 0)) {
        long rank = i == 0 ? 0 : rankBetween(last, wanted.subList(i + 1, wanted.size()));
        known = new DirectoryScan(new WatchedDirectory(path, rank), time, changed);
      }
      last = rank(known);
      known.directory().set(wanted.get(i));
      known.setMaxEntries(Math.max(1, maxEntries / wanted.size()));
      next.add(known);
    }
    List<DirectoryScan> removed =
        list.stream().filter(directory -> !next.contains(directory)).toList();
    versionBefore = version() + 1;
    list = next;
    return removed;
  }

  private Path path(DirectorySettings settings) {
    return settings.path().orElse(standard);
  }

  private static long rank(DirectoryScan directory) {
    return directory.directory().rank();
  }

  /** Returns the directory with a path, or null. */
  private DirectoryScan find(Path path) {
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

  /** Returns a number that grows when entries come and go, see {@link DirectoryScan#version}. */
  long version() {
    return versionBefore + list.stream().mapToLong(DirectoryScan::version).sum();
  }

  /** Returns the directories in the order of their ranks. */
  List<DirectoryScan> list() {
    return list;
  }

  /** Returns the directory of a file; it must be in the list. */
  DirectoryScan of(FileName name) {
    for (DirectoryScan directory : list) {
      if (rank(directory) == name.rank()) {
        return directory;
      }
    }
    throw new IllegalArgumentException(name.toString());
  }

  /** Returns the known files of all directories, in the order of the last scans. */
  Stream<TrackedFile> files() {
    return list.stream().flatMap(directory -> directory.files().stream());
  }
}
