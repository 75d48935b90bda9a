package org.jmmv.reader.watch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jmmv.pcp.User;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvFileReader;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.Place;
import org.jmmv.reader.watch.LoadState.LeftOut;
import org.jmmv.reader.watch.LoadState.OverBudget;
import org.jmmv.reader.watch.LoadState.Served;
import org.jmmv.reader.watch.LoadState.Unavailable;
import org.jmmv.reader.watch.LoadState.Unfinished;
import org.jmmv.reader.watch.LoadState.Waiting;

/**
 * The books about the files of all directories: what is charged to the {@link Budget}, which
 * mappings there are, which files are unfinished, and what has changed since the last {@link
 * Change}. Files enter a state only by {@link #transition}, which keeps them.
 */
final class Ledger {
  /**
   * The work of merging a file without records, in records: else any number of empty files would be
   * merged at once.
   */
  private static final int RECORDS_OF_FILE = 5;

  private final Budget budget;
  private final FaultBook book;
  private final WriterRounds writers;
  private final Backlog inFlux = new Backlog();
  private final Backlog tooShort = new Backlog();
  private int mappedInVain; // number of mapped files that are not served

  /**
   * What unmaps the files that are not used any more. That may take some milliseconds if the file
   * was removed, because the kernel then frees its blocks. It keeps none of the metadata: no limit
   * counts what waits here.
   */
  private final Deque<Runnable> toUnmap = new ArrayDeque<>();

  // the change
  private final List<MmvFile> withdrawn = new ArrayList<>();
  private final List<MmvFile> loaded = new ArrayList<>();
  private int records;

  Ledger(Budget budget, FaultBook book, WriterRounds writers) {
    this.budget = budget;
    this.book = book;
    this.writers = writers;
  }

  /** Returns the unfinished files that have a header. */
  Backlog inFlux() {
    return inFlux;
  }

  /** Returns the unfinished files that have no header yet. */
  Backlog tooShort() {
    return tooShort;
  }

  /**
   * Enters a state that {@link Examination} has found. A file that can be served makes room in the
   * budget if necessary, or is left out. What was served before is withdrawn in any case. If too
   * many files are mapped that are not served, one in flux is tried again after longer and longer
   * pauses.
   */
  void enter(TrackedFile tracked, LoadState found, long time) {
    LoadState next = found;
    if (found.reader() != null
        && tracked.state().reader() == null
        && mappedInVain == Limits.MAX_MAPPED_IN_VAIN) {
      found.reader().close();
      next =
          found instanceof Unfinished
              ? new Unavailable(Retry.after(tracked.state().retry(), time), found.shown(), null)
              : new LeftOut(null, found.shown(), found.fault());
    }
    if (found instanceof Served(MmvFile file, _)) {
      MmvCounts counts = MmvCounts.of(file.schema());
      budget.release(tracked);
      if (!makeRoom(tracked.owner(), counts)) {
        file.close();
        next = overBudget(tracked, counts);
      }
    }
    transition(tracked, next);
  }

  /**
   * Makes room for a file of a user. If there is none, and another user uses more than a share,
   * that user's files are left out, those that were loaded last first.
   *
   * @return whether there is room
   */
  private boolean makeRoom(User user, MmvCounts counts) {
    while (!budget.hasRoom(user, counts)) {
      TrackedFile other = budget.toLeaveOut(user, counts);
      if (other == null) {
        return false;
      }
      leaveOut(other, FaultKind.ROOM_NEEDED, budget.obstacle(counts));
    }
    return true;
  }

  /**
   * Leaves out files until the others are within the budget: those whose names are the last, as at
   * a start. Files that use nothing of an exceeded limit stay.
   */
  void leaveOutExcess(List<TrackedFile> files) {
    List<TrackedFile> last = new ArrayList<>(files);
    last.sort(Comparator.comparing((TrackedFile tracked) -> tracked.name).reversed());
    for (TrackedFile tracked : last) {
      String limit = budget.exceededBy(tracked);
      if (limit != null) {
        leaveOut(tracked, FaultKind.OVER_LIMIT, limit);
      }
    }
  }

  private void leaveOut(TrackedFile tracked, FaultKind kind, String limit) {
    Fault fault = Fault.of(kind, Place.of(tracked.name), limit);
    transition(tracked, new OverBudget(budget.release(tracked), fault));
  }

  /** Returns the state of a file for which the budget has no room. */
  OverBudget overBudget(TrackedFile tracked, MmvCounts counts) {
    Place place = Place.of(tracked.name);
    return new OverBudget(counts, Fault.of(FaultKind.OVER_LIMIT, place, budget.obstacle(counts)));
  }

  /** Changes the state of a file, and keeps the books about it. */
  void transition(TrackedFile tracked, LoadState to) {
    LoadState from = tracked.state();
    if (from instanceof Served(MmvFile file, _)) {
      withdraw(file);
    }
    if (to instanceof Served(MmvFile file, _)) {
      MmvCounts counts = MmvCounts.of(file.schema());
      budget.charge(tracked, tracked.owner(), counts);
      loaded.add(file);
      records += RECORDS_OF_FILE + counts.records();
    } else if (!(to instanceof Unfinished waiting) || waiting.isReported()) {
      budget.release(tracked);
    }
    watch(from.reader(), to.reader());
    set(inFlux, tracked, to instanceof Unfinished && to.reader() != null);
    set(tooShort, tracked, to instanceof Unfinished && to.reader() == null);
    if (to.dependsOnWriter() && tracked.presence.needsWriter()) {
      writers.add(tracked);
    } else {
      writers.remove(tracked);
    }
    tracked.enter(to);
    boolean isKnown = from instanceof Unfinished before && before.isReported();
    if (to.fault() != null && !(isKnown && to instanceof Unfinished)) {
      book.report(tracked.history, to.fault());
    }
  }

  private static void set(Backlog files, TrackedFile tracked, boolean isOneOf) {
    if (!isOneOf) {
      files.remove(tracked);
    } else if (!files.has(tracked)) {
      files.add(tracked);
    }
  }

  /** Withdraws a file that is not there any more. */
  void remove(TrackedFile tracked) {
    transition(tracked, new Waiting());
  }

  /** Withdraws a file that was removed, or whose values could not be read. */
  void withdraw(TrackedFile tracked, long time) {
    if (tracked.mark.isRemoved()
        || !(tracked.state() instanceof Served(MmvFile file, _))
        || !file.isTruncated()) {
      remove(tracked);
      return;
    }
    boolean isWhole = file.isCurrent() && file.status().equalsButForTimes(tracked.currentStatus());
    FaultKind kind = isWhole ? FaultKind.UNREADABLE_PAGE : FaultKind.VALUES_TRUNCATED;
    Fault fault = Fault.of(kind, Place.of(tracked.name));
    transition(
        tracked,
        isWhole
            ? new Unavailable(Retry.after(null, time), FileState.UNREADABLE, fault)
            : new LeftOut(null, FileState.TRUNCATED, fault));
  }

  private void withdraw(MmvFile file) {
    if (loaded.remove(file)) {
      toUnmap.add(file.closing()); // nobody else knows the file yet
    } else {
      withdrawn.add(file);
      records += RECORDS_OF_FILE + MmvCounts.of(file.schema()).records();
    }
  }

  /** Keeps the mapping of a file that is not served, in the place of another one. */
  @SuppressWarnings("ReferenceEquality") // the same mapping
  private void watch(MmvFileReader before, MmvFileReader after) {
    if (before != after) {
      mappedInVain += (after == null ? 0 : 1) - (before == null ? 0 : 1);
      if (before != null) {
        toUnmap.add(before::close);
      }
    }
  }

  /** Returns whether mappings that are not used any more wait to be unmapped. */
  boolean hasToUnmap() {
    return !toUnmap.isEmpty();
  }

  /** Unmaps one of the files that wait for it, if there are any. */
  void unmapNext() {
    if (!toUnmap.isEmpty()) {
      toUnmap.remove().run();
    }
  }

  /** Unmaps all files that are not served any more. */
  void unmapAll() {
    takeChange(() -> false);
    while (!toUnmap.isEmpty()) {
      unmapNext();
    }
  }

  /** Returns the number of records of the change. */
  int records() {
    return records;
  }

  /** Returns whether anything has changed since the last change. */
  boolean hasChange() {
    return !withdrawn.isEmpty() || !loaded.isEmpty() || book.hasPending();
  }

  /**
   * Returns what has changed since the last change. When the next method of this object is called,
   * it is merged, so that files that it has withdrawn may be unmapped.
   */
  Change takeChange(BooleanSupplier hasMore) {
    List<MmvFile> before = inOrder(withdrawn);
    List<MmvFile> after = inOrder(loaded);
    before.forEach(file -> toUnmap.add(file.closing()));
    Change change = new Change(before, after, book.takePending(), records, hasMore.getAsBoolean());
    withdrawn.clear();
    loaded.clear();
    records = 0;
    return change;
  }

  private static List<MmvFile> inOrder(List<MmvFile> files) {
    return files.stream().sorted(Comparator.comparing(MmvFile::id)).toList();
  }
}
