package org.jmmv.reader.watch;

import org.jmmv.pcp.User;
import org.jmmv.posix.FileStatus;

/**
 * Examines the files that may have changed, one after the other in the order of the {@link
 * Backlog}. When the turn's time is over, an examination goes on in the next turn.
 */
final class Loader {
  private final Budget budget;
  private final WorkBudget time;
  private final Ledger ledger;
  private final Backlog backlog = new Backlog();
  private Examination examination; // null between two files
  private long nanos; // that it has taken so far

  Loader(Budget budget, WorkBudget time, Ledger ledger) {
    this.budget = budget;
    this.time = time;
    this.ledger = ledger;
  }

  /** Returns whether no file is examined, or waits for that. */
  boolean isIdle() {
    return backlog.isEmpty();
  }

  /** Returns whether a file waits to be examined for the first time. */
  boolean isUnread(TrackedFile tracked) {
    return tracked.loads() == 0 && backlog.has(tracked);
  }

  /** Lets a file be examined that may have changed. */
  void add(TrackedFile tracked) {
    if (tracked.mark.isRemoved() || backlog.has(tracked)) {
      return;
    }
    FileStatus entry = tracked.directory.posix.entryStatus(tracked.name.name());
    if (entry != null) { // otherwise the file was removed, and a scan finds that
      tracked.setOwner(User.of(entry.owner()));
      backlog.add(tracked);
    }
  }

  /** Examines the next file, until the turn's time is over. There must be one. */
  void run() {
    long start = time.now();
    if (examination == null) {
      examination = new Examination(backlog.take(), budget, ledger, start);
      nanos = 0;
    }
    Examination.Found found = examination.goOn(() -> !time.isOver());
    if (found != null) {
      TrackedFile tracked = examination.tracked();
      tracked.examined(found.status(), found.state() != null);
      if (found.state() != null) {
        ledger.enter(tracked, found.state(), start);
      }
      backlog.remove(tracked);
      if (nanos > 0 && isReplaced(tracked)) {
        add(tracked);
      }
    }
    nanos += time.now() - start;
    if (found != null) {
      endTurn();
    }
  }

  /** Returns whether the name is that of another file by now, which a scan may have found. */
  private static boolean isReplaced(TrackedFile tracked) {
    FileStatus read = tracked.status();
    FileStatus now = tracked.currentStatus();
    return read != null && now != null && !FileId.of(now).equals(FileId.of(read));
  }

  private void endTurn() {
    examination = null;
    backlog.end(nanos);
  }

  /** Forgets a file that waits, or is examined. */
  void forget(TrackedFile tracked) {
    backlog.remove(tracked);
    if (examination != null && examination.tracked() == tracked) {
      restart();
    }
  }

  /** Gives up what was examined of a directory with former settings. The file still waits. */
  void restart(WatchedDirectory directory) {
    if (examination != null && examination.tracked().directory == directory) {
      restart();
    }
  }

  private void restart() {
    examination.close();
    endTurn();
  }
}
