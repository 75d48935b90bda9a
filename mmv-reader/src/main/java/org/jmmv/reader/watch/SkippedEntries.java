package org.jmmv.reader.watch;

import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.stream.Stream;
import org.jmmv.posix.FileStatus;
import org.jmmv.posix.PosixDirectory.DirectoryEntry;
import org.jmmv.reader.fault.FileName;

/**
 * The directory entries that a scan skips without reading them: those whose names begin with a dot,
 * and those that are not regular files. What they are is found out when they are listed, because
 * what a link leads to can change without a change of the directory.
 */
final class SkippedEntries {
  /** The maximum number of entries: anybody can create millions of them. */
  static final int MAX = 1_000;

  private final WatchedDirectory directory;
  private final KnownFiles files;

  // a directory that changes while it is read may have a name twice
  private final SequencedSet<FileName> names = new LinkedHashSet<>();

  /**
   * Creates a list without entries.
   *
   * @param files the files that are not skipped
   */
  SkippedEntries(WatchedDirectory directory, KnownFiles files) {
    this.directory = directory;
    this.files = files;
  }

  /** Adds an entry behind the others, unless there are {@value #MAX}. */
  void add(DirectoryEntry entry) {
    if (names.size() < MAX) {
      names.add(directory.named(entry.name()));
    }
  }

  /** Returns the names, in the order of the directory. */
  Stream<FileName> names() {
    return names.stream().filter(name -> files.get(name.name()) == null);
  }

  /** Returns the status of an entry as it is now. */
  EntryStatus status(FileName name) {
    return EntryStatus.ofSkipped(name, state(name.name()));
  }

  private FileState state(String name) {
    if (name.startsWith(".")) {
      return FileState.HIDDEN;
    }
    FileStatus status = directory.posix.status(name);
    if (status == null) {
      return FileState.DANGLING;
    }
    return switch (status.type()) {
      case REGULAR -> FileState.WAITING; // no scan has found what the link leads to
      case DIRECTORY -> FileState.DIRECTORY;
      case FIFO -> FileState.FIFO;
      case SOCKET -> FileState.SOCKET;
      case LINK, DEVICE -> FileState.DEVICE;
    };
  }
}
