package org.jmmv.reader.watch;

import java.util.List;
import java.util.function.Consumer;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvFileReader;
import org.jmmv.reader.watch.LoadState.LeftOut;
import org.jmmv.reader.watch.LoadState.OverBudget;
import org.jmmv.reader.watch.LoadState.Served;
import org.jmmv.reader.watch.LoadState.Unavailable;
import org.jmmv.reader.watch.LoadState.Unfinished;
import org.jmmv.reader.watch.LoadState.Waiting;

/**
 * Finds changes in the files themselves. It compares the generations of 64 files and checks their
 * processes, and it compares the sizes and times of 16 files, of each file at most once a second.
 * The latter is necessary because libpcp_mmv uses the time in seconds as the generation: a file
 * rewritten within the same second may have the same generation. All files take turns, whatever
 * their state, so the time of a sweep is bounded. In addition, every sweep looks at 64 of the files
 * in flux, and at the sizes and times of 16 that are too short; their users take turns.
 */
final class Sweep {
  /** Requests that follow each other immediately do not pay for a sweep each. */
  private static final long SWEEP_NANOS = 1_000_000;

  /**
   * Files of a sweep: a request waits for each. A sweep of all files checks this number between two
   * readings of the clock.
   */
  private static final int FILES = 64;

  /**
   * The number of files whose sizes and times a sweep compares, of all and of those that are too
   * short: a request waits for a statx(2) for each.
   */
  private static final int STATUSES = 16;

  /**
   * The minimum time between two comparisons of a file's size and time: with few files, each
   * request would compare all of them.
   */
  private static final long STATUS_NANOS = 1_000_000_000;

  /** How long a file may be unfinished until that is a fault. */
  private static final long UNFINISHED_NANOS = 5_000_000_000L;

  private final Budget budget;
  private final Ledger ledger;
  private final Consumer<TrackedFile> enqueue;
  private List<TrackedFile> files = List.of();
  private int checked; // index of the file that was checked last
  private int toCompare; // index of the file whose status is compared next
  private long last; // when a sweep last began
  private long statusRound; // when statuses were last compared from the first file on

  /**
   * Creates a sweep.
   *
   * @param enqueue receives files that may have changed
   */
  Sweep(Budget budget, Ledger ledger, Consumer<TrackedFile> enqueue, long time) {
    this.budget = budget;
    this.ledger = ledger;
    this.enqueue = enqueue;
    last = time - SWEEP_NANOS;
    statusRound = time - STATUS_NANOS;
  }

  /** Replaces the files. */
  void set(List<TrackedFile> all) {
    files = all;
  }

  /**
   * Checks some files, unless there was a sweep within the last millisecond, and compares sizes and
   * times of some.
   *
   * @param isFull whether all files are checked now, as far as the turn has time
   */
  void run(WorkBudget time, long now, boolean isFull) {
    if (!isFull && now - last < SWEEP_NANOS) {
      return;
    }
    last = now;
    statusRound = isFull ? now - STATUS_NANOS : statusRound;
    next(ledger.inFlux(), FILES, tracked -> look(tracked, now));
    next(
        ledger.tooShort(),
        STATUSES,
        tracked -> {
          if (tracked.hasOtherStatus()) {
            enqueue.accept(tracked);
          } else {
            look(tracked, now);
          }
        });
    int max = isFull ? files.size() : Math.min(FILES, files.size());
    for (int i = 0; i < max; i++) {
      if (i > 0 && i % FILES == 0 && time.isOver()) {
        break;
      }
      checked = checked + 1 < files.size() ? checked + 1 : 0;
      look(files.get(checked), now);
    }
    compareStatuses(now);
  }

  /** Looks at the next of some files, which stay among them. */
  private static void next(Backlog unfinished, int max, Consumer<TrackedFile> look) {
    for (int i = Math.min(max, unfinished.count()); i > 0; i--) {
      TrackedFile tracked = unfinished.take();
      unfinished.end(0);
      look.accept(tracked);
    }
  }

  /** Compares the sizes and times of some files. No file is compared twice in a second. */
  private void compareStatuses(long now) {
    for (int i = Math.min(STATUSES, files.size()); i > 0; i--) {
      if (toCompare >= files.size()) {
        if (now - statusRound < STATUS_NANOS) {
          return;
        }
        statusRound = now;
        toCompare = 0;
      }
      TrackedFile tracked = files.get(toCompare++);
      if (tracked.hasOtherStatus()) {
        enqueue.accept(tracked);
      }
    }
  }

  /** Lets a file be examined if it may have changed, or reports that it is unfinished for 5 s. */
  private void look(TrackedFile tracked, long now) {
    if (hasChanged(tracked, now)) {
      enqueue.accept(tracked);
    } else if (tracked.state()
            instanceof Unfinished(MmvFileReader reader, var cause, long since, boolean isReported)
        && !isReported
        && now - since >= UNFINISHED_NANOS) {
      ledger.transition(tracked, new Unfinished(reader, cause, since, true));
    }
  }

  /**
   * Returns whether the generations or the process of a file have changed, or what kept it from
   * being served.
   */
  private boolean hasChanged(TrackedFile tracked, long now) {
    return switch (tracked.state()) {
      case Served(MmvFile file, _) -> !file.isCurrent();
      case Unfinished(MmvFileReader reader, _, _, _) -> reader != null && reader.hasChanged();
      case LeftOut(MmvFileReader reader, _, _) -> reader != null && reader.hasChanged();
      case OverBudget(MmvCounts counts, _) -> budget.canMakeRoom(tracked.owner(), counts);
      case Unavailable(Retry retry, _, _) -> retry.isDue(now);
      case Waiting _ -> false; // compareStatuses finds its changes
    };
  }
}
