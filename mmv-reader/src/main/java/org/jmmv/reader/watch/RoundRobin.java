package org.jmmv.reader.watch;

import java.util.List;

/** Takes the files of all directories in turn, in the order of the last scans. */
final class RoundRobin {
  private List<DirectoryScan> directories = List.of();
  private int directory;
  private int next;

  /** Begins with the first file of other directories. */
  void restart(List<DirectoryScan> with) {
    directories = with;
    restart();
  }

  private void restart() {
    directory = 0;
    next = 0;
  }

  /** Returns whether the last file was taken. */
  boolean isRoundOver() {
    while (next >= directories.get(directory).files().size()) {
      if (directory == directories.size() - 1) {
        return true;
      }
      directory++;
      next = 0;
    }
    return false;
  }

  /** Returns the next file. There must be one in any directory. */
  TrackedFile next() {
    if (isRoundOver()) {
      restart();
      isRoundOver(); // passes over directories without files
    }
    return directories.get(directory).files().get(next++);
  }
}
