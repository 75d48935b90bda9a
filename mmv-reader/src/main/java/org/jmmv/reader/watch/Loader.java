package org.jmmv.reader.watch;

import java.io.IOException;
import org.jmmv.posix.FileStatus;
import org.jmmv.posix.MappedFile;
import org.jmmv.posix.PosixDirectory;
import org.jmmv.posix.PosixException;
import org.jmmv.reader.Fault;
import org.jmmv.reader.FaultKind;
import org.jmmv.reader.FileName;
import org.jmmv.reader.Limit;
import org.jmmv.reader.MappedHeader;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvFormatException;
import org.jmmv.reader.Place;
import org.jmmv.reader.watch.LoadState.Closed;
import org.jmmv.reader.watch.LoadState.Ended;
import org.jmmv.reader.watch.LoadState.Linked;
import org.jmmv.reader.watch.LoadState.Refused;
import org.jmmv.reader.watch.LoadState.Served;
import org.jmmv.reader.watch.LoadState.Unavailable;
import org.jmmv.reader.watch.LoadState.Unfinished;
import org.jmmv.reader.watch.Owner.Charge;

/** Examines files: maps and reads them. It changes nothing; {@link Ledger} enters the states. */
final class Loader {
  /**
   * What was found.
   *
   * @param status the status of the examined file; null if it was removed
   */
  record Examined(LoadState state, FileStatus status) {}

  private final Budget budget;
  private final Ledger ledger;

  Loader(Budget budget, Ledger ledger) {
    this.budget = budget;
    this.ledger = ledger;
  }

  /**
   * Returns the status of a served file that need not be read again, although its times have
   * changed, as they do about every half minute when an application stores values through a
   * mapping. Returns null if the file has to be examined.
   */
  FileStatus unchangedStatus(TrackedFile tracked) {
    if (tracked.isToReload
        || !(tracked.state() instanceof Served(MmvFile file, _))
        || file.isTruncated()
        || !file.isCurrent()) {
      return null;
    }
    FileStatus now = tracked.currentStatus();
    return now != null && now.equalsButForTimes(tracked.status) && file.hasSameMetadata()
        ? now
        : null;
  }

  /** Opens, maps and reads a file. If it is mapped then, the returned state has the mapping. */
  Examined examine(TrackedFile tracked, long time) {
    LoadState unopened = unopened(tracked);
    if (unopened != null) {
      return new Examined(unopened, tracked.currentStatus());
    }
    MappedFile mapped;
    try {
      PosixDirectory posix = tracked.directory.posix;
      mapped = posix.map(tracked.name.name(), budget.limits().of(Limit.FILE_SIZE));
    } catch (IOException e) {
      FileStatus status = tracked.currentStatus();
      return new Examined(unreadable(tracked, status, e, time), status);
    }
    FileStatus status = mapped.status();
    FileId file = FileId.of(status);
    if (!ledger.hasRoom(tracked, file)) { // it was replaced meanwhile
      mapped.close();
      return new Examined(linked(tracked, file), status);
    }
    return new Examined(read(tracked, mapped, time), status);
  }

  /** Returns the state of a file that is not to be opened; null if it is. */
  private LoadState unopened(TrackedFile tracked) {
    if (!tracked.directory.settings().rules().admits(tracked.bytes)) {
      return new Closed(FileState.EXCLUDED, null);
    }
    if (tracked.state().charge().isNone()
        && !budget.canMakeRoom(tracked.owner, MmvCounts.ONE_FILE)) {
      return ledger.overBudget(tracked, MmvCounts.ONE_FILE);
    }
    return ledger.hasRoom(tracked, tracked.file) ? null : linked(tracked, tracked.file);
  }

  private static Linked linked(TrackedFile tracked, FileId file) {
    return new Linked(file, fault(tracked, FaultKind.TOO_MANY_NAMES, Ledger.MAX_NAMES));
  }

  private LoadState unreadable(TrackedFile tracked, FileStatus status, IOException e, long time) {
    PosixException error = e instanceof PosixException posix ? posix : null;
    if (status == null) {
      return new Closed(FileState.UNREADABLE, null); // the next scan finds that it was removed
    }
    if (error != null && error.isPassing()) {
      Retry failed = tracked.state() instanceof Unavailable(Retry retry, _) ? retry : null;
      return new Unavailable(
          Retry.after(failed, time), fault(tracked, FaultKind.UNREADABLE, e.getMessage()));
    }
    if (error == null && status.size() > budget.limits().of(Limit.FILE_SIZE)) {
      return new Closed(FileState.OVER_LIMIT, fault(tracked, FaultKind.TOO_LARGE, e.getMessage()));
    }
    return new Closed(
        FileState.UNREADABLE,
        error != null && error.isDenied()
            ? fault(tracked, FaultKind.DENIED, status.permissions())
            : fault(tracked, FaultKind.UNREADABLE, e.getMessage()));
  }

  /** Returns the state of a file that was removed, or truncated while its values were read. */
  LoadState withdrawn(TrackedFile tracked) {
    boolean isTruncated =
        !tracked.isRemoved
            && tracked.state() instanceof Served(MmvFile file, _)
            && file.isTruncated();
    return new Closed(
        FileState.TRUNCATED, isTruncated ? fault(tracked, FaultKind.VALUES_TRUNCATED) : null);
  }

  private LoadState read(TrackedFile tracked, MappedFile mapped, long time) {
    FileName name = tracked.name;
    MappedHeader header = null;
    try {
      header = MappedHeader.of(name, mapped);
      MmvFile file = header.read(name, budget.limits(), tracked.presence);
      tracked.presence.begin(FileId.of(mapped.status()), file.schema(), time);
      if (tracked.presence.getAsBoolean()) {
        return new Served(file, new Charge(tracked.owner, MmvCounts.of(file.schema())));
      }
      return new Ended(
          header, tracked.presence.isStale() ? FileState.STALE : FileState.PROCESS_ENDED);
    } catch (MmvFormatException e) {
      Fault fault = e.fault();
      if (fault.kind().isUnfinished()) {
        return unfinished(tracked, header, fault, time);
      }
      FileState shown =
          fault.kind() == FaultKind.TRUNCATED ? FileState.TRUNCATED : FileState.REFUSED;
      return header == null ? new Closed(shown, fault) : new Refused(header, shown, fault);
    }
  }

  private static Unfinished unfinished(
      TrackedFile tracked, MappedHeader header, Fault cause, long time) {
    return tracked.state() instanceof Unfinished before
        ? new Unfinished(header, cause, before.since(), before.isReported(), before.charge())
        : new Unfinished(header, cause, time, false, tracked.state().charge());
  }

  private static Fault fault(TrackedFile tracked, FaultKind kind, Object... arguments) {
    return Fault.of(kind, Place.of(tracked.name), arguments);
  }
}
