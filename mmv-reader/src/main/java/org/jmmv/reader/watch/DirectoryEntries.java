package org.jmmv.reader.watch;

import static java.util.Comparator.comparing;
import static java.util.function.Predicate.not;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jmmv.reader.fault.FileName;

/**
 * The entries of the directories of a {@link DirectoryWatcher} as they are now, and the faults that
 * they and the directories have.
 */
public final class DirectoryEntries {
  private final WatchedDirectories directories;
  private long version;

  DirectoryEntries(WatchedDirectories directories) {
    this.directories = directories;
  }

  /**
   * Returns a number that grows when {@link #statuses(int)} may have other names, or another order.
   * It also grows with each scan of a directory, which takes place when the directory has changed.
   */
  public long version() {
    return version;
  }

  /** Called when entries may have come or gone, or have another order. */
  void change() {
    version++;
  }

  /**
   * Returns the status of every entry of the directories: first of the files that are served, then
   * of other files, in the order of the last scans, and last of the entries that are skipped. Of
   * the latter there are at most 1,000 for each directory, among the entries that a scan reads at
   * once. If listing them has taken a quarter of the time lately, they are those of the last
   * listing. The time grows linearly with the number of entries.
   *
   * @param max the maximum number of entries
   */
  public List<EntryStatus> statuses(int max) {
    directories.list().forEach(this::listSkipped);
    return listed(max);
  }

  private void listSkipped(DirectoryFiles directory) {
    version += directory.skipped().list() ? 1 : 0;
  }

  /** Returns the {@link #statuses(int)}, with the skipped entries of the last listing. */
  public List<EntryStatus> listed(int max) {
    return Stream.of(
            directories.files().stream().filter(TrackedFile::isServed).map(EntryStatus::of),
            directories.files().stream().filter(not(TrackedFile::isServed)).map(EntryStatus::of),
            directories.list().stream().flatMap(directory -> directory.skipped().listed()))
        .flatMap(statuses -> statuses)
        .limit(max)
        .toList();
  }

  /**
   * Returns the status of the next entries, in the order of their names. A caller that needs all
   * keeps only the last name, and asks for the next: entries may come and go between two calls. The
   * time grows linearly with {@code max}, except at the beginning of a directory, where the entries
   * that are skipped are listed as by {@link #statuses(int)}.
   *
   * @param after the name after which they come; null: the first ones
   * @param max the maximum number of entries
   */
  public List<EntryStatus> statuses(FileName after, int max) {
    List<EntryStatus> found = new ArrayList<>();
    for (DirectoryFiles directory : directories.list()) {
      long rank = directory.directory().name.rank();
      if (found.size() < max && (after == null || rank >= after.rank())) {
        String name = after == null || rank > after.rank() ? "" : after.name();
        if (name.isEmpty()) {
          listSkipped(directory);
        }
        int left = max - found.size();
        Stream.concat(
                directory.known().after(name).stream().limit(left).map(EntryStatus::of),
                directory
                    .skipped()
                    .listed()
                    .filter(status -> status.name().name().compareTo(name) > 0))
            .sorted(comparing(EntryStatus::name))
            .limit(left)
            .forEach(found::add);
      }
    }
    return found;
  }

  /** Returns the status of each directory. */
  public List<DirectoryStatus> directories() {
    return directories
        .each()
        .map(directory -> new DirectoryStatus(directory.path, directory.page.faults()))
        .toList();
  }

  /** Returns the number of directories that are missing or can't be read. */
  public long unreadableDirectories() {
    return directories.each().filter(WatchedDirectory::isUnreadable).count();
  }
}
