package org.jmmv.reader.watch;

import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.function.Consumer;
import org.jmmv.posix.PosixException;

/**
 * Asks the kernel which files are open for writing, when a request comes. Each question takes 5 to
 * 13 µs, so at most 200 files a second are asked about, in turn: a file that is open every 2 s,
 * others less and less often, and every minute in the end. The first round asks about all files, as
 * long as there is time.
 */
final class WriterRounds {
  /** The minimum time between two rounds. */
  private static final long ROUND_NANOS = 500_000_000;

  /** A round has one question for so much time since the last round. */
  private static final long NANOS_PER_QUESTION = 5_000_000;

  /** How many files a round may look at for each question. */
  private static final int LOOKED_AT_PER_QUESTION = 10;

  /** The clock is read once for so many questions. They are also asked if no time is left. */
  private static final int QUESTIONS_PER_CLOCK = 100;

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
    last = time - Long.MAX_VALUE / 2; // the first round has a question for each file
    due = time;
  }

  /** Adds a file, about which the next round asks. */
  void add(TrackedFile tracked) {
    files.add(tracked);
    due = last + ROUND_NANOS;
  }

  void remove(TrackedFile tracked) {
    files.remove(tracked);
  }

  /**
   * Asks about some files if a round is due.
   *
   * @param now the time now
   * @param enqueue receives files that are to be served or withdrawn now
   */
  void some(WorkBudget time, long now, Consumer<TrackedFile> enqueue) {
    if (files.isEmpty() || now - due < 0) {
      return;
    }
    long max = (now - last) / NANOS_PER_QUESTION;
    long asked = 0;
    int left = files.size();
    long next = Long.MAX_VALUE; // when a file is to be asked about
    boolean hasTime = true;
    for (long i = Math.min(left, LOOKED_AT_PER_QUESTION * max); hasTime && i > 0; i--) {
      TrackedFile tracked = files.removeFirst();
      files.add(tracked);
      left--;
      if (now - tracked.presence.due() >= 0) {
        ask(tracked, now, enqueue);
        asked++;
        hasTime = asked < max && (asked % QUESTIONS_PER_CLOCK != 0 || !time.isOver());
      }
      next = Math.min(next, tracked.presence.due());
    }
    last = now;
    due = Math.max(left > 0 ? now : next, now + ROUND_NANOS);
  }

  private void ask(TrackedFile tracked, long now, Consumer<TrackedFile> enqueue) {
    Presence presence = tracked.presence;
    try {
      presence.answer(
          tracked.directory.posix.openForWriting(tracked.name.name(), tracked.status()),
          tracked.status(),
          now,
          clock.instant());
    } catch (PosixException e) {
      presence.postpone(now);
    }
    if (presence.admitsFile() != tracked.isServed()) {
      enqueue.accept(tracked);
    }
  }
}
