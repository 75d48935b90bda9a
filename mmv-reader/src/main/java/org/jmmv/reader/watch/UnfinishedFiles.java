package org.jmmv.reader.watch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import org.jmmv.pcp.FairQueue;
import org.jmmv.pcp.User;

/**
 * Files that their applications are writing. Their users take turns, so that a user with thousands
 * of them does not keep another one's file from being found complete.
 */
final class UnfinishedFiles {
  private final FairQueue<SequencedSet<TrackedFile>> queue = new FairQueue<>();
  private final Map<User, FairQueue.Connection<SequencedSet<TrackedFile>>> users = new HashMap<>();
  private final Map<TrackedFile, SequencedSet<TrackedFile>> files = new HashMap<>(); // of the user

  boolean isEmpty() {
    return files.isEmpty();
  }

  /** Has a file be among these, or not. */
  void set(TrackedFile tracked, boolean isUnfinished) {
    if (!isUnfinished) {
      remove(tracked);
    } else if (!files.containsKey(tracked)) {
      add(tracked);
    }
  }

  private void add(TrackedFile tracked) {
    FairQueue.Connection<SequencedSet<TrackedFile>> user =
        users.computeIfAbsent(tracked.owner(), owner -> queue.open(owner, new LinkedHashSet<>()));
    user.subject().add(tracked);
    files.put(tracked, user.subject());
    queue.add(user);
  }

  private void remove(TrackedFile tracked) {
    SequencedSet<TrackedFile> ofUser = files.remove(tracked);
    if (ofUser != null) {
      ofUser.remove(tracked);
    }
  }

  /** Returns the next files. One may be there twice if its user has few, and others have many. */
  List<TrackedFile> next(int max) {
    List<TrackedFile> next = new ArrayList<>();
    int count = Math.min(max, files.size());
    while (next.size() < count) {
      FairQueue.Connection<SequencedSet<TrackedFile>> user = queue.take();
      if (user.subject().isEmpty()) {
        queue.end(user, 0, false);
        queue.close(user);
        users.values().remove(user);
      } else {
        TrackedFile first = user.subject().removeFirst();
        user.subject().addLast(first);
        next.add(first);
        queue.end(user, 1, true);
      }
    }
    return next;
  }
}
