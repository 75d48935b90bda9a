package org.jmmv.reader.watch;

import java.nio.file.Path;
import org.jmmv.posix.PosixDirectory;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.FileName;

/** One of the directories of a {@link DirectoryWatcher}, and its settings. */
final class WatchedDirectory {
  final Path path;
  final FileName name;
  final PosixDirectory posix;
  final FaultBook.History history = new FaultBook.History();
  final FormerNames former; // of all directories
  private DirectorySettings settings;
  private int maxEntries;

  /**
   * Creates an object for a directory, which need not exist. Nothing is read.
   *
   * @param rank as in {@link FileName}
   */
  WatchedDirectory(Path path, long rank, FormerNames former) {
    this.path = path;
    this.former = former;
    name = FileName.ofDirectory(rank, path);
    posix = new PosixDirectory(path);
  }

  /**
   * Sets what the administrator has set for the directory, and the maximum number of entries that a
   * scan reads, and of known files.
   *
   * @return whether other settings are replaced
   */
  boolean set(DirectorySettings nextSettings, int nextMaxEntries) {
    boolean isReplaced = settings != null && !settings.equals(nextSettings);
    settings = nextSettings;
    maxEntries = nextMaxEntries;
    return isReplaced;
  }

  DirectorySettings settings() {
    return settings;
  }

  int maxEntries() {
    return maxEntries;
  }

  /** Returns what identifies a file of this directory. */
  FileName named(String file) {
    return new FileName(name.rank(), name.directory(), file);
  }

  /** Returns whether there are more entries than the last scan could read. */
  boolean isCrowded() {
    return history.faults().stream()
        .anyMatch(counted -> counted.fault().kind() == FaultKind.CROWDED);
  }

  /** Returns whether the directory is missing, or could not be read by the last scan. */
  boolean isUnreadable() {
    return history.faults().stream()
        .anyMatch(counted -> counted.fault().kind().severity() == FaultKind.Severity.ERROR);
  }
}
