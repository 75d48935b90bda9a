package org.jmmv.reader.watch;

import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.function.Predicate;
import org.jmmv.posix.PosixException;

/**
 * Asks the kernel which files are open for writing, between requests. Each question takes 5 to 13
 * µs, so at most 200 files a second are asked about, in turn: a file that is open every 2 s, others
 * less and less often, and every minute in the end.
 */
final class WriterRounds {
  /** The minimum time between two rounds. */
  private static final long ROUND_NANOS = 500_000_000;

  private static final int MAX_ASKED = 100;
  private static final int MAX_LOOKED_AT = 1_000;

  private final SequencedSet<TrackedFile> files = new LinkedHashSet<>();
  private final InstantSource clock;
  private long last; // when the last round began
  private long due; // when the next one is

  /**
   * Creates an object without files.
   *
   * @param time the time now
   */
  WriterRounds(InstantSource clock, long time) {
    this.clock = clock;
    last = time - ROUND_NANOS;
    due = time;
  }

  /** Adds a file, about which the next round asks. */
  void add(TrackedFile tracked) {
    if (files.add(tracked)) {
      due = last + ROUND_NANOS;
    }
  }

  void remove(TrackedFile tracked) {
    files.remove(tracked);
  }

  /** Returns whether there are files to ask about. */
  boolean haveFiles() {
    return !files.isEmpty();
  }

  /** Returns when the next round is due, if there are files. */
  long due() {
    return due;
  }

  /**
   * Asks about some files if a round is due.
   *
   * @param enqueue receives files that are to be served or withdrawn now
   */
  void some(long now, Predicate<TrackedFile> enqueue) {
    if (haveFiles() && now - due >= 0) {
      last = now;
      long next = ask(now, MAX_ASKED, MAX_LOOKED_AT, enqueue);
      due = Math.max(next, now + ROUND_NANOS);
    }
  }

  /** Asks about files that were never asked about, as long as there is time. */
  void atStart(WorkBudget time, Predicate<TrackedFile> enqueue) {
    for (int i = files.size(); i > 0 && !time.isOver(); i -= MAX_ASKED) {
      ask(time.now(), MAX_ASKED, MAX_ASKED, enqueue);
    }
  }

  /** Asks about some files, and returns when the next file is to be asked about. */
  private long ask(long now, int maxAsked, int maxLookedAt, Predicate<TrackedFile> enqueue) {
    int asked = 0;
    int left = files.size();
    long next = Long.MAX_VALUE;
    for (int i = Math.min(left, maxLookedAt); i > 0 && asked < maxAsked; i--, left--) {
      TrackedFile tracked = files.removeFirst();
      files.add(tracked);
      if (tracked.status != null && now - tracked.presence.due() >= 0) {
        asked++;
        ask(tracked, now, enqueue);
      }
      next = Math.min(next, tracked.presence.due());
    }
    return left > 0 ? now : next;
  }

  private void ask(TrackedFile tracked, long now, Predicate<TrackedFile> enqueue) {
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
