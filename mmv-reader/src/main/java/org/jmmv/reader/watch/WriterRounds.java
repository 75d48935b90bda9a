package org.jmmv.reader.watch;

import java.io.IOException;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.function.Consumer;

/**
 * Asks the kernel which files are open for writing, at the start and for requests. Each question
 * takes 5 to 13 µs, so at most 200 files a second are asked about, in turn: a file that is open
 * every 2 s, others less and less often, and every minute in the end. The first round asks about
 * all files, as long as there is time.
 */
final class WriterRounds {
  /** The minimum time between two rounds: each request would wait for a question otherwise. */
  private static final long ROUND_NANOS = 500_000_000;

  /** A round has one question for each 5 ms since the last round. */
  private static final long NANOS_PER_QUESTION = 5_000_000;

  /**
   * How many files a round may look at for each question: thousands that are not due would delay a
   * request.
   */
  private static final int LOOKED_AT_PER_QUESTION = 10;

  /**
   * The questions of the shortest round, which are asked even if no time is left. The clock is read
   * after each such number.
   */
  private static final long QUESTIONS = ROUND_NANOS / NANOS_PER_QUESTION;

  private final SequencedSet<TrackedFile> files = new LinkedHashSet<>();
  private final InstantSource clock;
  private long last; // when the last round began

  /**
   * Creates an object without files.
   *
   * @param time the time now
   */
  WriterRounds(InstantSource clock, long time) {
    this.clock = clock;
    last = time - Long.MAX_VALUE / 2; // the first round has a question for each file
  }

  /** Adds a file, about which the next round asks. */
  void add(TrackedFile tracked) {
    files.add(tracked);
  }

  void remove(TrackedFile tracked) {
    files.remove(tracked);
  }

  /**
   * Asks about some files, unless there was a round within the last half second.
   *
   * @param now the time now
   * @param enqueue receives files that are to be served or withdrawn now
   */
  void some(WorkBudget time, long now, Consumer<TrackedFile> enqueue) {
    if (files.isEmpty() || now - last < ROUND_NANOS) {
      return;
    }
    long max = (now - last) / NANOS_PER_QUESTION;
    long asked = 0;
    boolean hasTime = true;
    for (long i = Math.min(files.size(), LOOKED_AT_PER_QUESTION * max); hasTime && i > 0; i--) {
      TrackedFile tracked = files.removeFirst();
      files.add(tracked);
      if (tracked.presence.isDue(now)) {
        ask(tracked, now, enqueue);
        asked++;
        hasTime = asked < max && (asked % QUESTIONS != 0 || !time.isOver());
      }
    }
    last = now;
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
