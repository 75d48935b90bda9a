package org.jmmv.reader.watch;

import java.util.List;
import java.util.function.Predicate;
import org.jmmv.reader.MappedHeader;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.watch.LoadState.Closed;
import org.jmmv.reader.watch.LoadState.Ended;
import org.jmmv.reader.watch.LoadState.Linked;
import org.jmmv.reader.watch.LoadState.OverBudget;
import org.jmmv.reader.watch.LoadState.Refused;
import org.jmmv.reader.watch.LoadState.Served;
import org.jmmv.reader.watch.LoadState.Unavailable;
import org.jmmv.reader.watch.LoadState.Unfinished;
import org.jmmv.reader.watch.LoadState.Waiting;
import org.jmmv.reader.watch.Owner.Charge;

/**
 * Finds changes in the files themselves. It compares the generations of 512 files and checks their
 * processes, and it compares the sizes and times of 16 files, of each file at most once a second.
 * The latter is necessary because libpcp_mmv uses the time in seconds as the generation: a file
 * rewritten within the same second may have the same generation. All files take turns, whatever
 * their state, so the time of a sweep is bounded. In addition, every sweep checks all files in flux
 * if there are at most 64 of them.
 */
final class Sweep {
  private static final long SWEEP_NANOS = 1_000_000;

  /** The number of files that a sweep checks. */
  private static final int FILES = 512;

  /** The number of files that a sweep checks if the same request has already waited for a scan. */
  private static final int FILES_AFTER_SCAN = 64;

  /** The number of changed files after which a sweep ends. */
  private static final int MAX_CHANGED = 64;

  /** A sweep of more files reads the clock once for so many of them. */
  private static final int FILES_PER_CLOCK = 64;

  /** The number of files whose sizes and times a sweep compares. */
  private static final int STATUSES = 16;

  /** The minimum time between two comparisons of a file's size and time. */
  private static final long STATUS_NANOS = 1_000_000_000;

  /** The maximum number of files in flux that every sweep checks. */
  private static final int MAX_WATCHED = 64;

  /** How long a file may be unfinished until that is a fault. */
  private static final long UNFINISHED_NANOS = 5_000_000_000L;

  private final Budget budget;
  private final Ledger ledger;
  private final Predicate<TrackedFile> enqueue;
  private final RoundRobin turns = new RoundRobin();
  private final RoundRobin statusTurns = new RoundRobin();
  private List<DirectoryScan> directories = List.of();
  private long last; // when a sweep last began
  private long statusRound; // when statuses were last compared from the first file on

  /**
   * Creates a sweep of no directories.
   *
   * @param enqueue receives files that may have changed, and returns whether they are examined
   */
  Sweep(Budget budget, Ledger ledger, Predicate<TrackedFile> enqueue, long time) {
    this.budget = budget;
    this.ledger = ledger;
    this.enqueue = enqueue;
    last = time - SWEEP_NANOS;
    statusRound = time - STATUS_NANOS;
  }

  /** Replaces the directories. */
  void set(List<DirectoryScan> next) {
    directories = next;
    turns.restart(next);
    statusTurns.restart(next);
  }

  /** Checks some files, unless there was a sweep within the last millisecond. */
  void some(WorkBudget time, long now, boolean hasScanned) {
    if (now - last >= SWEEP_NANOS) {
      run(time, now, hasScanned ? FILES_AFTER_SCAN : FILES, MAX_CHANGED);
    }
  }

  /** Checks all files, as far as the turn has time, and compares sizes and times of some. */
  void all(WorkBudget time, long now) {
    statusRound = now - STATUS_NANOS;
    run(time, now, Integer.MAX_VALUE, Integer.MAX_VALUE);
  }

  private void run(WorkBudget time, long now, int files, int maxChanged) {
    last = now;
    if (!ledger.inFlux().isEmpty() && ledger.inFlux().size() <= MAX_WATCHED) {
      List.copyOf(ledger.inFlux()).forEach(tracked -> look(tracked, now));
    }
    int known = 0;
    for (int i = 0; i < directories.size(); i++) { // an iterator would be garbage
      known += directories.get(i).files().size();
    }
    int changed = 0;
    for (int i = 0; i < Math.min(files, known) && changed < maxChanged; i++) {
      if (i >= FILES && i % FILES_PER_CLOCK == 0 && time.isOver()) {
        break;
      }
      changed += look(turns.next(), now) ? 1 : 0;
    }
    compareStatuses(now, Math.min(STATUSES, known));
  }

  /** Compares the sizes and times of some files. No file is compared twice in a second. */
  private void compareStatuses(long now, int files) {
    for (int i = files; i > 0; i--) {
      if (statusTurns.isRoundOver()) {
        if (now - statusRound < STATUS_NANOS) {
          return;
        }
        statusRound = now;
      }
      TrackedFile tracked = statusTurns.next();
      if (tracked.hasOtherStatus()) {
        var _ = enqueue.test(tracked);
      }
    }
  }

  /**
   * Lets a file be examined if it may have changed, or reports that it has been unfinished for 5 s.
   *
   * @return whether it is examined
   */
  private boolean look(TrackedFile tracked, long now) {
    if (hasChanged(tracked, now)) {
      return enqueue.test(tracked);
    }
    if (tracked.state()
            instanceof Unfinished(MappedHeader header, var cause, long since, boolean isReported, _)
        && !isReported
        && now - since >= UNFINISHED_NANOS) {
      ledger.transition(tracked, new Unfinished(header, cause, since, true, Charge.NONE));
    }
    return false;
  }

  /**
   * Returns whether the generations, the process or the size of a file have changed, or what kept
   * it from being served.
   */
  private boolean hasChanged(TrackedFile tracked, long now) {
    return switch (tracked.state()) {
      case Served(MmvFile file, _) -> !file.isCurrent();
      case Unfinished(MappedHeader header, _, _, boolean isReported, _) ->
          header != null ? header.hasChanged() : !isReported && tracked.hasOtherStatus();
      case Refused(MappedHeader header, _, _) -> header.hasChanged();
      case Ended(MappedHeader header, _) -> header.hasChanged();
      case OverBudget(MmvCounts counts, _) -> budget.canMakeRoom(tracked.owner, counts);
      case Linked(FileId file, _) -> ledger.hasRoom(tracked, file);
      case Unavailable(Retry retry, _) -> retry.isDue(now);
      case Closed _, Waiting _ -> false; // compareStatuses finds their changes
    };
  }
}
