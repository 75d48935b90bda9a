package org.jmmv.reader.watch;

import java.io.IOException;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.function.Consumer;

/**
 * Asks the kernel which files are open for writing, for requests and at the start. Each question
 * takes 5 to 13 µs. {@link WorkBudget} bounds the time for them, so files are asked about in turn:
 * one that is open every 2 s, others less and less often, and every minute in the end. At the start
 * all files are asked about, as long as there is time.
 */
final class WriterRounds {
  private final SequencedSet<TrackedFile> files = new LinkedHashSet<>();
  private final InstantSource clock;
  private final WorkBudget time;
  private final TimeShare share;

  /** Creates an object without files. */
  WriterRounds(InstantSource clock, WorkBudget time) {
    this.clock = clock;
    this.time = time;
    share = time.shareForQuestions();
  }

  /** Adds a file, about which one of the next requests asks. */
  void add(TrackedFile tracked) {
    files.add(tracked);
  }

  void remove(TrackedFile tracked) {
    files.remove(tracked);
  }

  /**
   * Asks about some files, as far as there is time for questions.
   *
   * @param now the time, or shortly before
   * @param enqueue receives files that are to be served or withdrawn now
   */
  void some(long now, Consumer<TrackedFile> enqueue) {
    long left = files.isEmpty() ? 0 : time.isStart() ? time.deadline() - now : share.left(now);
    if (left <= 0) {
      return;
    }
    long start = time.now();
    long at = start;
    for (int i = files.size(); i > 0 && at - start < left; i--) {
      TrackedFile tracked = files.removeFirst();
      files.add(tracked);
      if (tracked.presence.isDue(start)) {
        ask(tracked, start, enqueue);
      }
      at = time.now();
    }
    if (!time.isStart()) { // at the start, all work of the turn is counted together
      share.spend(at - start);
      time.addLooking(at - start);
    }
  }

  private void ask(TrackedFile tracked, long now, Consumer<TrackedFile> enqueue) {
    Presence presence = tracked.presence;
    try {
      presence.answer(
          tracked.directory.posix.openForWriting(tracked.name.name(), tracked.status()),
          tracked.status(),
          now,
          clock.instant());
    } catch (IOException e) {
      presence.postpone(now);
    }
    if (presence.admitsFile() != tracked.isServed()) {
      enqueue.accept(tracked);
    }
  }
}
