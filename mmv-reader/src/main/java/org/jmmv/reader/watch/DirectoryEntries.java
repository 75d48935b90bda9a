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
   * Returns a number that grows when {@link #names} may have other names, or another order, and
   * with each scan of a directory, which takes place when the directory has changed.
   */
  public long version() {
    return version;
  }

  /** Called when entries may have come or gone, or have another order. */
  void change() {
    version++;
  }

  /**
   * Returns the names of the entries of the directories: first of the files that are served, then
   * of other files, in the order of the last scans, and last of the entries that are skipped. Of
   * the latter there are at most 1,000 for each directory, among the entries that a scan reads at
   * once. The time grows linearly with the number of entries.
   *
   * @param max the maximum number of names
   */
  public List<FileName> names(int max) {
    List<TrackedFile> files = directories.files();
    return Stream.of(
            files.stream().filter(TrackedFile::isServed).map(file -> file.name),
            files.stream().filter(not(TrackedFile::isServed)).map(file -> file.name),
            directories.list().stream().flatMap(directory -> directory.skipped().names()))
        .flatMap(names -> names)
        .limit(max)
        .toList();
  }

  /**
   * Returns the status of an entry as it is now.
   *
   * @param name one of the {@link #names} of this {@link #version}
   */
  public EntryStatus status(FileName name) {
    DirectoryFiles directory = directories.of(name);
    TrackedFile file = directory.known().get(name.name());
    return file == null ? directory.skipped().status(name) : EntryStatus.of(file);
  }

  /**
   * Returns the status of the next entries, in the order of their names. A caller that needs all
   * keeps only the last name, and asks for the next: entries may come and go between two calls. The
   * time grows linearly with {@code max}.
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
        int left = max - found.size();
        SkippedEntries skipped = directory.skipped();
        Stream.concat(
                directory.known().after(name).stream().limit(left).map(EntryStatus::of),
                skipped
                    .names()
                    .filter(other -> other.name().compareTo(name) > 0)
                    .sorted()
                    .limit(left)
                    .map(skipped::status))
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
        .map(directory ->
            new DirectoryStatus(
                directory.path, directory.history.faults(), !directory.isUnreadable()))
        .toList();
  }

  /** Returns the number of directories that are missing or can't be read. */
  public long unreadableDirectories() {
    return directories.each().filter(WatchedDirectory::isUnreadable).count();
  }
}
