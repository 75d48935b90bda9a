package org.jmmv.reader;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jmmv.posix.FileStatus;
import org.jmmv.posix.PosixDirectory;
import org.jmmv.posix.PosixException;
import org.jmmv.reader.TrackedFile.Closed;
import org.jmmv.reader.TrackedFile.Excluded;
import org.jmmv.reader.TrackedFile.InFlux;
import org.jmmv.reader.TrackedFile.Linked;
import org.jmmv.reader.TrackedFile.OverBudget;
import org.jmmv.reader.TrackedFile.ProcessGone;
import org.jmmv.reader.TrackedFile.Refused;
import org.jmmv.reader.TrackedFile.Served;
import org.jmmv.reader.TrackedFile.State;
import org.jmmv.reader.TrackedFile.TooShort;
import org.jmmv.reader.TrackedFile.Unavailable;
import org.jmmv.reader.TrackedFile.Waiting;
import org.jmmv.reader.TrackedFile.Watch;

/**
 * Examines files: maps and reads them, decides whether they are served, and collects what has
 * changed for the {@link MmvDirectories.Listener}. It keeps the counts that are limited for all
 * directories together.
 */
final class Loader {
  /** The maximum number of mapped files that are not served. */
  private static final int MAX_MAPPED_IN_VAIN = 10_000;

  /** The listener's work for a file without records, in records. */
  private static final int RECORDS_OF_FILE = 5;

  /** The maximum number of mappings that are not used any more, and wait to be unmapped. */
  private static final int MAX_TO_UNMAP = 5_000;

  /** The maximum number of names under which the same file is served. */
  private static final int MAX_LINKS = 8;

  /** The mappings that are kept for the JVM, which has about 200 after a start. */
  private static final int MAPPINGS_OF_JVM = 5_000;

  /** The maximum number of mappings of the process besides those of served files. */
  static final int OTHER_MAPPINGS = MAX_MAPPED_IN_VAIN + MAX_TO_UNMAP + MAPPINGS_OF_JVM;

  private static final long PATIENCE_NANOS = 5_000_000_000L;

  private final Budget budget;
  private final MmvDirectories.Listener listener;
  private final FaultBook book;
  private final Set<TrackedFile> inFlux = new LinkedHashSet<>();
  private final Deque<MmvMapping> toUnmap = new ArrayDeque<>();
  private final Map<FileId, Integer> mapped = new HashMap<>(); // the number of names
  private final List<MmvFile> withdrawn = new ArrayList<>();
  private final List<MmvFile> loaded = new ArrayList<>();
  private long changedRecords; // in withdrawn and loaded
  private int mappedInVain; // number of mapped files that are not served

  Loader(Budget budget, MmvDirectories.Listener listener, FaultBook book) {
    this.budget = budget;
    this.listener = listener;
    this.book = book;
  }

  /** Returns the files in flux. */
  Set<TrackedFile> inFlux() {
    return inFlux;
  }

  /** Returns whether mappings that are not used any more wait to be unmapped. */
  boolean hasToUnmap() {
    return !toUnmap.isEmpty();
  }

  /** Unmaps one of the mappings that wait for it. */
  void unmapNext() {
    toUnmap.remove().close();
  }

  /** Returns the number of records that {@link #tell} will pass to the listener. */
  long changedRecords() {
    return changedRecords;
  }

  /**
   * Unmaps a file that is not used any more when there is time: that may take some milliseconds if
   * the file was removed, because the kernel then frees its blocks.
   */
  private void unmap(MmvMapping mapping) {
    toUnmap.add(mapping);
    if (toUnmap.size() > MAX_TO_UNMAP) {
      toUnmap.remove().close();
    }
  }

  /** Returns whether there is anything to {@link #tell}. */
  boolean hasNews() {
    return !withdrawn.isEmpty() || !loaded.isEmpty() || book.hasPending();
  }

  void tell() {
    book.takePending().forEach(listener::fault);
    changedRecords = 0;
    if (withdrawn.isEmpty() && loaded.isEmpty()) {
      return;
    }
    withdrawn.sort(Comparator.comparing(MmvFile::id));
    loaded.sort(Comparator.comparing(MmvFile::id));
    listener.changed(new MmvDirectories.Change(List.copyOf(withdrawn), List.copyOf(loaded)));
    withdrawn.forEach(file -> unmap(file.mapping()));
    withdrawn.clear();
    loaded.clear();
  }

  /**
   * Returns whether the generations, the process or the size of a file have changed, or what kept
   * it from being served.
   */
  boolean hasChanged(TrackedFile tracked, long time) {
    return switch (tracked.state()) {
      case Served(MmvFile file) -> !file.isCurrent();
      case InFlux(Watch watch, _) -> watch.hasChanged();
      case Refused(Watch watch, _) -> watch.hasChanged();
      case ProcessGone(Watch watch) -> watch.hasChanged();
      case OverBudget(MmvCounts counts) -> budget.canMakeRoom(tracked.owner, counts);
      case Linked(FileId file) -> hasRoom(file);
      case Unavailable(Retry retry) -> retry.isDue(time);
      case TooShort _ -> !tracked.reportedUnfinished && tracked.hasOtherStatus();
      case Closed _, Excluded _, Waiting _ -> false; // compareStatuses finds their changes
    };
  }

  /** Reports a file that has been too short or in flux for 5 s. */
  void reportIfUnfinished(TrackedFile tracked, long time) {
    if (!tracked.reportedUnfinished && time - tracked.unfinishedSince(time) >= PATIENCE_NANOS) {
      tracked.reportedUnfinished = true; // whatever the application writes from now on
      giveBack(tracked);
      refuse(tracked, unfinished(tracked));
    }
  }

  /**
   * Returns whether a served file need not be read again: only its times have changed, as they do
   * about every half minute when an application stores values through a mapping.
   */
  boolean isUnchanged(TrackedFile tracked) {
    if (tracked.isToReload
        || !(tracked.state() instanceof Served(MmvFile file))
        || file.isTruncated()
        || !file.isCurrent()) {
      return false;
    }
    FileStatus now = tracked.directory.posix.status(tracked.name);
    if (now == null || !now.equalsButForTimes(tracked.status) || !file.hasSameMetadata()) {
      return false;
    }
    tracked.status = now;
    return true;
  }

  /**
   * Withdraws a served file that is no longer as it was read, but must not be read again yet. Its
   * status is forgotten, so that it is found to have changed later.
   */
  void withdrawIfOutdated(TrackedFile tracked) {
    if (tracked.state() instanceof Served(MmvFile file) && !file.isCurrent()) {
      tracked.status = null;
      enter(tracked, new Waiting());
    }
  }

  /** Opens and maps a file, and enters the state that results. */
  void examine(TrackedFile tracked, long time) {
    MmvDirectory directory = tracked.directory;
    PosixDirectory posix = directory.posix;
    if (!directory.settings().rules().admits(tracked.bytes)) {
      tracked.status = posix.status(tracked.name);
      enter(tracked, new Excluded());
      return;
    }
    if (tracked.held.files() == 0 && !budget.canMakeRoom(tracked.owner, MmvCounts.ONE_FILE)) {
      tracked.status = posix.status(tracked.name);
      leaveOut(tracked, MmvCounts.ONE_FILE);
      return;
    }
    if (!tracked.isMappedAs(tracked.file) && !hasRoom(tracked.file)) {
      tracked.status = posix.status(tracked.name);
      leaveOut(tracked, tracked.file);
      return;
    }
    MmvMapping mapping;
    try {
      mapping = new MmvMapping(posix.map(tracked.name, budget.limits().of(Limit.FILE_SIZE)));
    } catch (IOException e) {
      boolean passing = e instanceof PosixException error && error.isPassing();
      boolean denied = e instanceof PosixException error && error.isDenied();
      tracked.status = posix.status(tracked.name);
      enter(
          tracked,
          passing
              ? new Unavailable(Retry.after(tracked.retry(), time))
              : new Closed(isTooLarge(tracked, e) ? FileState.OVER_LIMIT : FileState.UNREADABLE));
      if (tracked.status == null) {
        return; // the file was removed, and the next scan finds that
      }
      refuse(
          tracked,
          denied
              ? fault(tracked, FaultKind.DENIED)
              : fault(
                  tracked,
                  isTooLarge(tracked, e) ? FaultKind.TOO_LARGE : FaultKind.UNREADABLE,
                  e.getMessage()));
      return;
    }
    tracked.status = mapping.status();
    if (!tracked.isMappedAs(mapping.file()) && !hasRoom(mapping.file())) { // replaced meanwhile
      mapping.close();
      leaveOut(tracked, mapping.file());
      return;
    }
    if (!mapping.hasHeader()) {
      mapping.close();
      enter(tracked, new TooShort(mapping.size(), tracked.unfinishedSince(time)));
      return;
    }
    Watch watch = null;
    try {
      watch = Watch.of(mapping);
      examine(tracked, watch, time);
    } catch (MappingTruncated e) {
      if (watch == null) { // the header is gone
        mapping.close();
        enter(tracked, new Closed(FileState.TRUNCATED));
      } else {
        enter(tracked, new Refused(watch, FileState.TRUNCATED));
      }
      refuse(tracked, fault(tracked, FaultKind.TRUNCATED));
    }
  }

  /** Returns whether a file was not mapped because of its size. */
  private boolean isTooLarge(TrackedFile tracked, IOException refusal) {
    return !(refusal instanceof PosixException)
        && tracked.status != null
        && tracked.status.size() > budget.limits().of(Limit.FILE_SIZE);
  }

  private void examine(TrackedFile tracked, Watch watch, long time) throws MappingTruncated {
    MmvMapping mapping = watch.mapping();
    tracked.isToReload = false;
    try {
      MmvSchema schema = MmvFile.readSchema(tracked.id, mapping, budget.limits());
      if (schema == null) {
        enter(tracked, new InFlux(watch, tracked.unfinishedSince(time)));
      } else if (!ignoresProcess(tracked) && schema.isProcessGone()) {
        enter(tracked, new ProcessGone(watch));
      } else {
        serve(tracked, schema, watch);
      }
    } catch (MmvFormatException e) {
      enter(tracked, new Refused(watch, FileState.REFUSED));
      refuse(tracked, e.fault());
    }
  }

  private static boolean ignoresProcess(TrackedFile tracked) {
    return tracked.directory.settings().rules().ignoresProcess();
  }

  private void serve(TrackedFile tracked, MmvSchema schema, Watch watch) {
    enter(tracked, new Closed(FileState.WAITING)); // gives the file's counts back to the budget
    MmvCounts counts = MmvCounts.of(schema);
    if (!makeRoom(tracked.owner, counts)) {
      watch.mapping().close();
      leaveOut(tracked, counts);
      return;
    }
    MmvFile file = new MmvFile(schema, watch.mapping(), ignoresProcess(tracked));
    enter(tracked, new Served(file));
    tracked.held = counts;
    tracked.payer = tracked.owner;
    tracked.payer.served.add(tracked);
    budget.take(tracked.payer, counts);
    loaded.add(file);
    changedRecords += RECORDS_OF_FILE + counts.records();
  }

  /**
   * Makes room for a file of an owner. If there is none, and another owner uses more than a share,
   * that owner's files are left out, those that were loaded last first.
   *
   * @return whether there is room
   */
  private boolean makeRoom(Owner owner, MmvCounts counts) {
    while (!budget.hasRoom(counts)) {
      Owner rival = budget.rival(owner, counts);
      if (rival == null) {
        return false;
      }
      TrackedFile last = rival.served.getLast();
      leaveOut(last, new OverBudget(last.held), FaultKind.ROOM_NEEDED, budget.obstacle(counts));
    }
    return true;
  }

  /**
   * Leaves out files until the others are within the budget: those whose names are the last, as at
   * a start.
   */
  void leaveOutExcess(List<TrackedFile> trackedFiles) {
    List<TrackedFile> last =
        trackedFiles.stream()
            .filter(tracked -> tracked.payer != null)
            .sorted(Comparator.<TrackedFile, FileName>comparing(tracked -> tracked.id).reversed())
            .toList();
    for (int i = 0; budget.isExceeded() && i < last.size(); i++) {
      TrackedFile tracked = last.get(i);
      leaveOut(
          tracked,
          new OverBudget(tracked.held),
          FaultKind.OVER_LIMIT,
          budget.obstacle(MmvCounts.NONE));
    }
  }

  /** Leaves out a file for which the budget has no room. */
  private void leaveOut(TrackedFile tracked, MmvCounts counts) {
    leaveOut(tracked, new OverBudget(counts), FaultKind.OVER_LIMIT, budget.obstacle(counts));
  }

  /** Leaves out another name of a file. */
  private void leaveOut(TrackedFile tracked, FileId file) {
    leaveOut(tracked, new Linked(file), FaultKind.TOO_MANY_NAMES, MAX_LINKS);
  }

  private void leaveOut(TrackedFile tracked, State state, FaultKind kind, Object limit) {
    enter(tracked, state);
    book.reportLimit(tracked.page, fault(tracked, kind, limit));
  }

  /** Returns whether a file may be mapped under one more name. */
  private boolean hasRoom(FileId file) {
    return mapped.getOrDefault(file, 0) < MAX_LINKS;
  }

  /** Withdraws a file whose directory is not served any more. */
  void close(TrackedFile tracked) {
    enter(tracked, new Closed(FileState.WAITING));
  }

  /** Withdraws a file that was removed, or truncated while it was read. */
  void withdraw(TrackedFile tracked) {
    boolean wasTruncated =
        tracked.state() instanceof Served(MmvFile file)
            && file.isTruncated()
            && tracked.directory.scan.tracked(tracked.name) == tracked;
    if (wasTruncated) {
      tracked.status = tracked.mapping().status();
    }
    enter(tracked, new Closed(FileState.TRUNCATED));
    if (wasTruncated) {
      refuse(tracked, fault(tracked, FaultKind.VALUES_TRUNCATED));
    }
  }

  /** Releases the resources of a tracked's state, and enters another state. */
  private void enter(TrackedFile tracked, State next) {
    if (tracked.mapping() != null) {
      mapped.computeIfPresent(
          tracked.mapping().file(), (_, names) -> names == 1 ? null : names - 1);
    }
    if (tracked.state() instanceof Served(MmvFile file)) {
      if (loaded.remove(file)) {
        unmap(file.mapping()); // the listener does not know the file yet
      } else {
        withdrawn.add(file);
        changedRecords += RECORDS_OF_FILE + tracked.held.records();
      }
      tracked.payer.served.remove(tracked);
    } else if (tracked.state().watch() != null) {
      unmap(tracked.state().watch().mapping());
      mappedInVain--;
      inFlux.remove(tracked);
    }
    if (next.watch() == null) {
      tracked.enter(next);
    } else if (mappedInVain < MAX_MAPPED_IN_VAIN) {
      mappedInVain++;
      tracked.enter(next);
      if (next instanceof InFlux) {
        inFlux.add(tracked);
      }
    } else {
      next.watch().mapping().close();
      tracked.enter(new Closed(next.shown()));
    }
    if (tracked.mapping() != null) {
      mapped.merge(tracked.mapping().file(), 1, Integer::sum);
    }
    if (!(tracked.state() instanceof InFlux || tracked.state() instanceof TooShort)) {
      giveBack(tracked);
    }
  }

  private void giveBack(TrackedFile tracked) {
    if (tracked.payer != null) {
      budget.giveBack(tracked.payer, tracked.held);
      tracked.held = MmvCounts.NONE;
      tracked.payer = null;
    }
  }

  /** Returns why a file that stays too short or in flux is not served. */
  private static Fault unfinished(TrackedFile tracked) {
    return switch (tracked.state()) {
      case TooShort(long size, _) ->
          fault(tracked, FaultKind.STAYS_TOO_SHORT, size, MmvLayout.HEADER_SIZE);
      case InFlux(Watch watch, _) when watch.magic() == 0 ->
          fault(tracked, FaultKind.STAYS_UNWRITTEN);
      case InFlux(Watch watch, _) ->
          fault(
              tracked,
              FaultKind.STAYS_IN_FLUX,
              Long.toUnsignedString(watch.generation1()),
              Long.toUnsignedString(watch.generation2()));
      default -> throw new IllegalStateException(tracked.state().toString());
    };
  }

  /** Returns a fault of a file as a whole. */
  private static Fault fault(TrackedFile tracked, FaultKind kind, Object... arguments) {
    return Fault.of(kind, Place.of(tracked.id), arguments);
  }

  /** Reports why a file is not served. */
  private void refuse(TrackedFile tracked, Fault fault) {
    book.report(tracked.page, List.of(fault));
  }
}
