package org.jmmv.reader.watch;

import static java.util.stream.Collectors.toCollection;

import java.util.ArrayDeque;
import java.util.Deque;

/** The files that were found by the first scan of each directory, until they have been examined. */
final class StartFiles {
  private Deque<TrackedFile> unread; // and some that have been examined; null: not scanned yet

  /**
   * Returns whether all of them have been examined. What an examination has found does not matter,
   * and once true, this stays true: later files, and files that change, do not count.
   */
  boolean areRead(WatchedDirectories directories) {
    if (unread == null && directories.list().stream().allMatch(DirectoryScan::hasEnded)) {
      unread = directories.files().collect(toCollection(ArrayDeque::new));
    }
    while (unread != null && !unread.isEmpty() && !isUnread(unread.element())) {
      unread.remove();
    }
    return unread != null && unread.isEmpty();
  }

  /** Returns whether a file waits to be examined for the first time. */
  private static boolean isUnread(TrackedFile tracked) {
    return tracked.isWaiting && tracked.loads == 0;
  }
}
