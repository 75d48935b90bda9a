package org.jmmv.reader.watch;

import java.time.InstantSource;
import java.util.SequencedSet;
import java.util.function.Predicate;
import org.jmmv.posix.PosixException;

/**
 * Asks the kernel which files are open for writing, between requests. Each question takes 5 to 13
 * µs, so at most 200 files a second are asked about, in turn: a file that is open every 2 s, others
 * less and less often, and every minute in the end.
 */
final class WriterRounds {
  /** The time between two rounds. */
  static final long ROUND_NANOS = 500_000_000;

  private static final int MAX_ASKED = 100;
  private static final int MAX_LOOKED_AT = 1_000;

  private final SequencedSet<TrackedFile> files;
  private final Predicate<TrackedFile> enqueue;
  private final InstantSource clock;
  private long last; // when the last round began

  /**
   * Creates an object.
   *
   * @param files the files to ask about, which this object reorders
   * @param enqueue receives files that are to be served or withdrawn now
   * @param time the time now
   */
  WriterRounds(
      SequencedSet<TrackedFile> files,
      Predicate<TrackedFile> enqueue,
      InstantSource clock,
      long time) {
    this.files = files;
    this.enqueue = enqueue;
    this.clock = clock;
    last = time - ROUND_NANOS;
  }

  /** Asks about some files, unless that was done lately. */
  void some(long now) {
    if (now - last >= ROUND_NANOS) {
      last = now;
      ask(now, MAX_ASKED, MAX_LOOKED_AT);
    }
  }

  /** Asks about files that were never asked about, as long as there is time. */
  void atStart(WorkBudget time) {
    for (int i = files.size(); i > 0 && !time.isOver(); i -= MAX_ASKED) {
      ask(time.now(), MAX_ASKED, MAX_ASKED);
    }
  }

  private void ask(long now, int maxAsked, int maxLookedAt) {
    int asked = 0;
    for (int i = Math.min(files.size(), maxLookedAt); i > 0 && asked < maxAsked; i--) {
      TrackedFile tracked = files.removeFirst();
      files.add(tracked);
      if (tracked.status != null && tracked.presence.isDue(now)) {
        asked++;
        ask(tracked, now);
      }
    }
  }

  private void ask(TrackedFile tracked, long now) {
    Presence presence = tracked.presence;
    try {
      presence.answer(
          tracked.directory.posix.openForWriting(tracked.name.name(), tracked.status),
          tracked.status,
          now,
          clock.instant());
    } catch (PosixException e) {
      presence.postpone(now);
    }
    if (presence.getAsBoolean() != tracked.isServed()) {
      var _ = enqueue.test(tracked);
    }
  }
}
