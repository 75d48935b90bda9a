package org.jmmv.reader.watch;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.jmmv.posix.FileStatus;
import org.jmmv.posix.MappedFile;
import org.jmmv.posix.PosixException;
import org.jmmv.reader.MetadataComparison;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvFileReader;
import org.jmmv.reader.MmvFormatException;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.FileName;
import org.jmmv.reader.fault.Place;
import org.jmmv.reader.watch.LoadState.LeftOut;
import org.jmmv.reader.watch.LoadState.Served;
import org.jmmv.reader.watch.LoadState.Unavailable;
import org.jmmv.reader.watch.LoadState.Unfinished;

/**
 * The examination of a file: it is mapped and read, in as many turns as that takes. Nothing is
 * changed; {@link Ledger} enters the state that was found. Until then, the file is served as
 * before, if it is current.
 *
 * <p>A served file of which at most the times have changed is compared first, and not read if its
 * metadata is the same: the times change about every half minute when an application stores values
 * through a mapping, and a reload has all files examined.
 */
final class Examination {
  /**
   * What was found.
   *
   * @param state null: the state of before, because the metadata is the same
   * @param status the status of the examined file; null if it was removed
   */
  record Found(LoadState state, FileStatus status) {}

  private final TrackedFile tracked;
  private final Budget budget;
  private final Ledger ledger;
  private final long start;
  private final FileName name;
  private FileStatus status;
  private MetadataComparison comparison; // null: the file is read
  private MmvFileReader reader; // null: not mapped yet

  /** Creates an examination that begins at a time, as of {@link WorkBudget#now}. */
  Examination(TrackedFile tracked, Budget budget, Ledger ledger, long start) {
    this.tracked = tracked;
    this.budget = budget;
    this.ledger = ledger;
    this.start = start;
    name = tracked.name;
    MmvFile served = served();
    status = served == null ? null : tracked.currentStatus();
    if (status != null && status.equalsButForTimes(tracked.status())) {
      comparison = served.comparison();
    }
  }

  /**
   * Returns the file that is served, if its values can be read and its settings are the current
   * ones; otherwise null.
   */
  private MmvFile served() {
    return tracked.state() instanceof Served(MmvFile file, _)
            && !tracked.isOutdated()
            && !file.isTruncated()
            && file.isCurrent()
        ? file
        : null;
  }

  TrackedFile tracked() {
    return tracked;
  }

  /**
   * Goes on. If the file is mapped in the state that is found, the state has the mapping.
   *
   * @param mayGoOn is asked every few milliseconds; false ends the turn
   * @return null if there is more to do
   */
  Found goOn(BooleanSupplier mayGoOn) {
    if (comparison != null) {
      if (served() != null && !comparison.run(mayGoOn)) {
        return null;
      }
      if (served() != null && comparison.isSame()) {
        return new Found(null, status);
      }
      comparison = null;
    }
    LoadState state = reader == null ? map() : null;
    if (state == null) {
      state = read(mayGoOn);
    }
    return state == null ? null : new Found(state, status);
  }

  /** Maps the file. Returns null if it is to be read. */
  private LoadState map() {
    status = tracked.currentStatus();
    LoadState unopened = unopened();
    if (unopened != null) {
      return unopened;
    }
    MappedFile mapped;
    try {
      mapped = tracked.directory.posix.map(name.name(), budget.limits().of(Limit.FILE_SIZE));
    } catch (IOException e) {
      status = tracked.currentStatus();
      return unreadable(e);
    }
    status = mapped.status();
    try {
      reader =
          MmvFileReader.of(name, mapped, budget.limits().ofOneFile(), tracked.presence::admitsFile);
      return null;
    } catch (MmvFormatException e) {
      mapped.close();
      return refused(e.fault());
    }
  }

  /** Returns the state of a file that is not to be opened; null if it is. */
  private LoadState unopened() {
    if (status == null) {
      return new LeftOut(null, FileState.UNREADABLE, null); // it was removed
    }
    if (!tracked.directory.settings().rules().admits(tracked.bytes)) {
      return new LeftOut(null, FileState.EXCLUDED, null);
    }
    if (!budget.isCharged(tracked) && !budget.canMakeRoom(tracked.owner(), MmvCounts.ONE_FILE)) {
      return ledger.overBudget(tracked, MmvCounts.ONE_FILE);
    }
    return null;
  }

  private LoadState unreadable(IOException e) {
    PosixException error = e instanceof PosixException posix ? posix : null;
    if (status == null) {
      return new LeftOut(null, FileState.UNREADABLE, null); // it was removed
    }
    if (error != null && error.isPassing()) {
      return unavailable(fault(FaultKind.UNREADABLE, e.getMessage()));
    }
    if (error == null && status.size() > budget.limits().of(Limit.FILE_SIZE)) {
      return new LeftOut(null, FileState.OVER_LIMIT, fault(FaultKind.TOO_LARGE, e.getMessage()));
    }
    return new LeftOut(
        null,
        FileState.UNREADABLE,
        error != null && error.isDenied()
            ? fault(FaultKind.DENIED, status.permissions())
            : fault(FaultKind.UNREADABLE, e.getMessage()));
  }

  /** Returns the state of a file that is examined again although it has not changed. */
  private LoadState unavailable(Fault fault) {
    return new Unavailable(
        Retry.after(tracked.state().retry(), start), FileState.UNREADABLE, fault);
  }

  /** Reads on. Returns null if there is more to read. */
  private LoadState read(BooleanSupplier mayGoOn) {
    try {
      MmvFile file = reader.read(mayGoOn);
      if (file == null) {
        return null;
      }
      Presence presence = tracked.presence;
      presence.begin(FileId.of(status), file.schema().header(), start);
      return presence.admitsFile()
          ? new Served(file)
          : new LeftOut(
              reader, presence.isStale() ? FileState.STALE : FileState.PROCESS_ENDED, null);
    } catch (MmvFormatException e) {
      return refused(e.fault());
    }
  }

  /** Returns the state of a file of which nothing can be read. */
  private LoadState refused(Fault fault) {
    if (fault.kind().isUnfinished()) {
      return tracked.state() instanceof Unfinished before
          ? new Unfinished(reader, fault, before.since(), before.isReported())
          : new Unfinished(reader, fault, start, false);
    }
    if (fault.kind() == FaultKind.TRUNCATED && status.equalsButForTimes(tracked.currentStatus())) {
      close();
      return unavailable(fault(FaultKind.UNREADABLE_PAGE));
    }
    FileState shown = fault.kind() == FaultKind.TRUNCATED ? FileState.TRUNCATED : FileState.REFUSED;
    return new LeftOut(reader, shown, fault);
  }

  private Fault fault(FaultKind kind, Object... arguments) {
    return Fault.of(kind, Place.of(name), arguments);
  }

  /** Gives an examination up that has not come to an end. */
  void close() {
    if (reader != null) {
      reader.close();
    }
  }
}
