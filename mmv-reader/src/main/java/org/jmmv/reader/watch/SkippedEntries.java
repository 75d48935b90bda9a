package org.jmmv.reader.watch;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jmmv.posix.FileStatus;
import org.jmmv.posix.PosixDirectory;
import org.jmmv.posix.PosixException;

/**
 * The directory entries that are skipped without being read: those whose names begin with a dot,
 * and those that are not regular files. A scan keeps nothing about them. They are listed when a
 * client asks for them, which may take as much time as scans may; then the last list is used.
 */
final class SkippedEntries {
  /** The maximum number of entries. Anybody can create millions of them. */
  static final int MAX = 1_000;

  private final WatchedDirectory directory;
  private final KnownFiles files;
  private final WorkBudget time;
  private final TimeShare share;
  private int left; // number of entries that may still be read
  private List<EntryStatus> entries = List.of();

  SkippedEntries(WatchedDirectory directory, KnownFiles files, WorkBudget time, TimeShare share) {
    this.directory = directory;
    this.files = files;
    this.time = time;
    this.share = share;
  }

  /**
   * Lists the skipped ones among the first entries of the directory, in its order, at most {@value
   * #MAX}. A file that no scan has found yet is among them, as {@link FileState#WAITING}, if it is
   * a symbolic link.
   *
   * @return whether they have changed since the last time
   */
  boolean list() {
    long start = time.now();
    if (share.left(start) <= 0) {
      return false;
    }
    // by name: a directory that changes while it is listed may list a name twice
    Map<String, EntryStatus> found = new LinkedHashMap<>();
    left = directory.maxEntries();
    try {
      directory.posix.list(
          0,
          entry -> {
            if (entry.isHidden() || !entry.isRegular()) {
              String name = entry.name();
              if (files.get(name) == null) {
                found.put(name, EntryStatus.ofSkipped(directory.named(name), state(entry)));
              }
            }
            return --left > 0 && found.size() < MAX;
          });
    } catch (PosixException e) {
      found.clear(); // a scan reports why the directory can't be read
    }
    List<EntryStatus> before = entries;
    entries = List.copyOf(found.values());
    share.spend(time.now() - start);
    return !entries.equals(before);
  }

  /** Returns the entries of the last listing, without those that a scan has found since. */
  Stream<EntryStatus> listed() {
    return entries.stream().filter(status -> files.get(status.name().name()) == null);
  }

  private static FileState state(PosixDirectory.DirectoryEntry entry) {
    if (entry.isHidden()) {
      return FileState.HIDDEN;
    }
    FileStatus status = entry.status();
    if (status == null) {
      return FileState.DANGLING;
    }
    return switch (status.type()) {
      case REGULAR -> FileState.WAITING;
      case DIRECTORY -> FileState.DIRECTORY;
      case FIFO -> FileState.FIFO;
      case SOCKET -> FileState.SOCKET;
      case LINK, DEVICE -> FileState.DEVICE;
    };
  }
}
