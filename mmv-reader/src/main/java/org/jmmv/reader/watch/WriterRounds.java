package org.jmmv.reader.watch;

import java.io.IOException;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.function.Consumer;

/**
 * Asks the kernel which files are open for writing, at the start and for requests. Each question
 * takes 5 to 13 µs. {@link WorkBudget} bounds the time for them, so files are asked about in turn:
 * one that is open every 2 s, others less and less often, and every minute in the end. The round at
 * the start asks about all files, as long as there is time.
 */
final class WriterRounds {
  /** The minimum time between two rounds: each request would wait for a question otherwise. */
  private static final long ROUND_NANOS = 500_000_000;

  private final SequencedSet<TrackedFile> files = new LinkedHashSet<>();
  private final InstantSource clock;
  private final WorkBudget time;
  private final TimeShare share;
  private long last; // when the last round began

  /** Creates an object without files. */
  WriterRounds(InstantSource clock, WorkBudget time) {
    this.clock = clock;
    this.time = time;
    share = time.shareForQuestions();
    last = time.now() - ROUND_NANOS;
  }

  /** Adds a file, about which one of the next rounds asks. */
  void add(TrackedFile tracked) {
    files.add(tracked);
  }

  void remove(TrackedFile tracked) {
    files.remove(tracked);
  }

  /**
   * Asks about some files, unless there was a round within the last half second.
   *
   * @param now the time, or shortly before
   * @param enqueue receives files that are to be served or withdrawn now
   */
  void some(long now, Consumer<TrackedFile> enqueue) {
    if (files.isEmpty() || now - last < ROUND_NANOS) {
      return;
    }
    long start = time.now();
    long end = time.isStart() ? time.deadline() : start + share.left(start);
    if (end - start <= 0) {
      return;
    }
    last = start;
    long at = start;
    for (int i = files.size(); i > 0 && at - end < 0; i--) {
      TrackedFile tracked = files.removeFirst();
      files.add(tracked);
      if (tracked.presence.isDue(start)) {
        ask(tracked, start, enqueue);
      }
      at = time.now();
    }
    if (!time.isStart()) { // whose turn counts all its work
      share.spend(at - start);
      time.spent(at - start);
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
