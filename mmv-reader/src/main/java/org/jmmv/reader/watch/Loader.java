package org.jmmv.reader.watch;

import org.jmmv.posix.FileStatus;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.watch.LoadState.Served;
import org.jmmv.reader.watch.LoadState.Waiting;

/**
 * Examines the files that may have changed, one after the other in the order of the {@link
 * Backlog}. When the turn's time is over, an examination goes on in the next turn.
 *
 * <p>This is the one place that decides how often a file is examined: one that has taken more than
 * 50 ms is not examined again before ten times that time is over. If it changes or is replaced
 * meanwhile, it is withdrawn. So the files of a user leave time for others, however often they
 * change.
 */
final class Loader {
  private static final long EXPENSIVE_NANOS = 50_000_000;
  private static final int REST = 10;

  private final Budget budget;
  private final WorkBudget time;
  private final Ledger ledger;
  private final Backlog backlog = new Backlog();
  private Examination examination; // null between two files
  private long nanos; // at work on it so far

  Loader(Budget budget, WorkBudget time, Ledger ledger) {
    this.budget = budget;
    this.time = time;
    this.ledger = ledger;
  }

  /** Returns whether no file is examined, or waits for that. */
  boolean isIdle() {
    return backlog.isEmpty();
  }

  /**
   * Lets a file be examined that may have changed.
   *
   * @return whether it will be
   */
  boolean add(TrackedFile tracked) {
    if (tracked.isWaiting || tracked.isRemoved) {
      return false;
    }
    FileStatus entry = tracked.directory.posix.entryStatus(tracked.name.name());
    FileStatus file = entry != null && entry.isLink() ? tracked.currentStatus() : entry;
    if (file == null) {
      return false; // the file was removed, and a scan finds that
    }
    FileId id = FileId.of(file);
    if (tracked.rest != null && !tracked.rest.isDue(time.now())) {
      if (tracked.state() instanceof Served(MmvFile served, _)
          && !(served.isCurrent() && id.equals(tracked.file))) {
        tracked.status = null; // a later sweep finds that it has changed
        ledger.transition(tracked, new Waiting());
      }
      return false;
    }
    tracked.owner = budget.owner(entry.owner());
    tracked.file = id;
    backlog.add(tracked, file.size());
    return true;
  }

  /**
   * Examines the next file, until the turn's time is over. There must be one.
   *
   * @param start the time now
   * @return the time at the end
   */
  long run(long start) {
    long begun = time.workTime();
    if (examination == null) {
      examination = new Examination(backlog.first(), budget, ledger, start);
      nanos = 0;
    }
    TrackedFile tracked = examination.tracked();
    Examination.Found found = examination.goOn(() -> !time.isOver());
    if (found != null) {
      examination = null;
      backlog.remove(tracked);
      enter(tracked, found);
    }
    long end = time.now();
    nanos += time.workTime() - begun;
    if (found != null) {
      tracked.rest = nanos < EXPENSIVE_NANOS ? null : new Retry(end, REST * nanos);
    }
    return end;
  }

  private void enter(TrackedFile tracked, Examination.Found found) {
    tracked.status = found.status();
    if (found.status() != null) {
      tracked.modified = found.status().modifiedTime();
    }
    if (found.state() != null) {
      tracked.isToReload = false;
      tracked.loads++;
      ledger.enter(tracked, found.state());
    }
  }

  /** Forgets a file that waits, or is examined. */
  void forget(TrackedFile tracked) {
    if (examination != null && examination.tracked() == tracked) {
      restart();
    }
    backlog.remove(tracked);
  }

  /**
   * Has the file that is being examined read, not only compared with what is served. One that is
   * being read goes on: otherwise reloads that follow each other would never let it come to an end.
   */
  void reload() {
    if (examination != null && examination.isComparing()) {
      restart();
    }
  }

  /** Gives up what was examined so far, with former settings. The file still waits. */
  void restart() {
    if (examination != null) {
      examination.close();
      examination = null;
    }
  }
}
