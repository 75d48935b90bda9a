package org.jmmv.reader.watch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jmmv.pcp.FairQueue;

/**
 * The files that their applications are writing. Their users take turns, so that a user with
 * thousands of them does not keep another one's file from being found complete.
 */
final class UnfinishedFiles {
  private final FairQueue<TrackedFile> queue = new FairQueue<>();
  private final Map<TrackedFile, FairQueue.Connection<TrackedFile>> files = new HashMap<>();

  /** Adds a file, or removes it. */
  void set(TrackedFile tracked, boolean isUnfinished) {
    if (!isUnfinished) {
      FairQueue.Connection<TrackedFile> place = files.remove(tracked);
      if (place != null) {
        queue.close(place);
      }
    } else if (!files.containsKey(tracked)) {
      FairQueue.Connection<TrackedFile> place = queue.open(tracked.owner(), tracked);
      files.put(tracked, place);
      queue.add(place);
    }
  }

  /** Returns the next files, each at most once. */
  List<TrackedFile> next(int max) {
    List<TrackedFile> next = new ArrayList<>();
    for (int left = Math.min(max, files.size()); left > 0 && !queue.isEmpty(); left--) {
      FairQueue.Connection<TrackedFile> place = queue.take();
      queue.end(place, 1, true);
      if (files.containsKey(place.subject())) {
        next.add(place.subject());
      }
    }
    return next;
  }

  /** Returns whether one has a header already. */
  boolean hasInFlux() {
    return files.keySet().stream().anyMatch(tracked -> tracked.state().reader() != null);
  }
}
