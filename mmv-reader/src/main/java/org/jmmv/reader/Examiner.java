package org.jmmv.reader;

import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jmmv.reader.Slot.Closed;
import org.jmmv.reader.Slot.Excluded;
import org.jmmv.reader.Slot.InFlux;
import org.jmmv.reader.Slot.Linked;
import org.jmmv.reader.Slot.OverBudget;
import org.jmmv.reader.Slot.ProcessGone;
import org.jmmv.reader.Slot.Refused;
import org.jmmv.reader.Slot.Served;
import org.jmmv.reader.Slot.State;
import org.jmmv.reader.Slot.TooShort;
import org.jmmv.reader.Slot.Unavailable;
import org.jmmv.reader.Slot.Waiting;
import org.jmmv.reader.Slot.Watch;
import org.jmmv.reader.posix.FileStatus;
import org.jmmv.reader.posix.PosixDirectory;
import org.jmmv.reader.posix.PosixException;

/**
 * Examines files: maps and reads them, decides whether they are served, and collects what has
 * changed for the {@link MmvDirectories.Listener}. It keeps the counts that are limited for all
 * directories together.
 */
final class Examiner {
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
  private final InstantSource clock;
  private final Set<Slot> inFlux = new LinkedHashSet<>();
  private final Deque<MmvMapping> toUnmap = new ArrayDeque<>();
  private final Map<FileId, Integer> mapped = new HashMap<>(); // the number of names
  private final List<MmvFile> withdrawn = new ArrayList<>();
  private final List<MmvFile> loaded = new ArrayList<>();
  private long changedRecords; // in withdrawn and loaded
  private Faults leftOut = new Faults(); // of files that have not been reported yet
  private int mappedInVain; // number of mapped files that are not served

  Examiner(Budget budget, MmvDirectories.Listener listener, InstantSource clock) {
    this.budget = budget;
    this.listener = listener;
    this.clock = clock;
  }

  /** Returns the files in flux. */
  Set<Slot> inFlux() {
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
    return !withdrawn.isEmpty() || !loaded.isEmpty() || !leftOut.isEmpty();
  }

  void tell() {
    leftOut.list().forEach(listener::fault);
    leftOut = new Faults();
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
  boolean hasChanged(Slot slot, long time) {
    return switch (slot.state()) {
      case Served(MmvFile file) -> !isGood(file);
      case InFlux(Watch watch, _) -> watch.hasChanged();
      case Refused(Watch watch, _) -> watch.hasChanged();
      case ProcessGone(Watch watch) -> watch.hasChanged();
      case OverBudget(MmvCounts counts) -> budget.canMakeRoom(slot.owner, counts);
      case Linked(FileId file) -> hasRoom(file);
      case Unavailable(Retry retry) -> retry.isDue(time);
      case TooShort _ -> !slot.reportedUnfinished && slot.hasOtherStatus();
      case Closed _, Excluded _, Waiting _ -> false; // compareStatuses finds their changes
    };
  }

  /** Reports a file that has been too short or in flux for 5 s. */
  void reportIfUnfinished(Slot slot, long time) {
    if (!slot.reportedUnfinished && time - slot.unfinishedSince(time) >= PATIENCE_NANOS) {
      slot.reportedUnfinished = true; // whatever the application writes from now on
      giveBack(slot);
      refuse(slot, unfinished(slot.state()));
    }
  }

  /** Returns whether a served file has its generation and its process. */
  boolean isGood(MmvFile file) {
    return file.isCurrent() && !file.id().directory().isProcessGone(file.schema());
  }

  /**
   * Returns whether a served file need not be read again: only its times have changed, as they do
   * about every half minute when an application stores values through a mapping.
   */
  boolean isUnchanged(Slot slot) {
    if (slot.isToReload
        || !(slot.state() instanceof Served(MmvFile file))
        || file.isCutOff()
        || !isGood(file)) {
      return false;
    }
    FileStatus now = slot.id.directory().posix.status(slot.name);
    if (now == null || !now.equalsButForTimes(slot.status) || !file.hasSameMetadata()) {
      return false;
    }
    slot.status = now;
    return true;
  }

  /**
   * Withdraws a served file that is no longer as it was read, but must not be read again yet. Its
   * status is forgotten, so that it is found to have changed later.
   */
  void withdrawIfOutdated(Slot slot) {
    if (slot.state() instanceof Served(MmvFile file) && !isGood(file)) {
      slot.status = null;
      enter(slot, new Waiting());
    }
  }

  /** Opens and maps a file, and enters the state that results. */
  void examine(Slot slot, long time) {
    MmvDirectory directory = slot.id.directory();
    PosixDirectory posix = directory.posix;
    if (!directory.settings().rules().admits(slot.bytes)) {
      slot.status = posix.status(slot.name);
      enter(slot, new Excluded());
      return;
    }
    if (slot.held.files() == 0 && !budget.canMakeRoom(slot.owner, MmvCounts.ONE_FILE)) {
      slot.status = posix.status(slot.name);
      leaveOut(slot, MmvCounts.ONE_FILE);
      return;
    }
    if (!slot.isMappedAs(slot.file) && !hasRoom(slot.file)) {
      slot.status = posix.status(slot.name);
      leaveOut(slot, slot.file);
      return;
    }
    MmvMapping mapping;
    try {
      mapping = new MmvMapping(posix.map(slot.name, budget.limits().fileSize()));
    } catch (IOException e) {
      boolean passing = e instanceof PosixException error && error.isPassing();
      slot.status = posix.status(slot.name);
      enter(
          slot,
          passing
              ? new Unavailable(Retry.after(slot.retry(), time))
              : new Closed(isTooLarge(slot, e) ? FileState.OVER_LIMIT : FileState.UNREADABLE));
      if (slot.status != null) { // null: the file was removed, and the next scan finds that
        refuse(slot, "can't be opened: " + e.getMessage());
      }
      return;
    }
    slot.status = mapping.status();
    if (!slot.isMappedAs(mapping.file()) && !hasRoom(mapping.file())) { // replaced meanwhile
      mapping.close();
      leaveOut(slot, mapping.file());
      return;
    }
    if (!mapping.hasHeader()) {
      mapping.close();
      enter(slot, new TooShort(mapping.size(), slot.unfinishedSince(time)));
      return;
    }
    Watch watch = null;
    try {
      watch = Watch.of(mapping);
      examine(slot, watch, time);
    } catch (MappingCutOff e) {
      if (watch == null) { // the header is gone
        mapping.close();
        enter(slot, new Closed(FileState.TRUNCATED));
      } else {
        enter(slot, new Refused(watch, FileState.TRUNCATED));
      }
      refuse(slot, e.getMessage());
    }
  }

  /** Returns whether a file was not mapped because of its size. */
  private boolean isTooLarge(Slot slot, IOException refusal) {
    return !(refusal instanceof PosixException)
        && slot.status != null
        && slot.status.size() > budget.limits().fileSize();
  }

  private void examine(Slot slot, Watch watch, long time) throws MappingCutOff {
    MmvMapping mapping = watch.mapping();
    slot.isToReload = false;
    try {
      MmvSchema schema = MmvFile.readSchema(slot.name, mapping, budget.limits());
      if (schema == null) {
        enter(slot, new InFlux(watch, slot.unfinishedSince(time)));
      } else if (slot.id.directory().isProcessGone(schema)) {
        enter(slot, new ProcessGone(watch));
      } else {
        serve(slot, schema, watch);
      }
    } catch (MmvFormatException e) {
      enter(slot, new Refused(watch, FileState.REFUSED));
      refuse(slot, e.fault());
    }
  }

  private void serve(Slot slot, MmvSchema schema, Watch watch) {
    enter(slot, new Closed(FileState.WAITING)); // gives the file's counts back to the budget
    MmvCounts counts = MmvCounts.of(schema);
    if (!makeRoom(slot.owner, counts)) {
      watch.mapping().close();
      leaveOut(slot, counts);
      return;
    }
    MmvFile file = new MmvFile(slot.id, schema, watch.mapping());
    enter(slot, new Served(file));
    slot.held = counts;
    slot.payer = slot.owner;
    slot.payer.served.add(slot);
    budget.take(slot.payer, counts);
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
      Slot last = rival.served.getLast();
      leaveOut(
          last,
          new OverBudget(last.held),
          "files of other users need room within " + budget.obstacle(counts));
    }
    return true;
  }

  /**
   * Leaves out files until the others are within the budget: those whose names are the last, as at
   * a start.
   */
  void leaveOutExcess(List<Slot> slots) {
    List<Slot> last =
        slots.stream()
            .filter(slot -> slot.payer != null)
            .sorted(Comparator.<Slot, FileName>comparing(slot -> slot.id).reversed())
            .toList();
    for (int i = 0; budget.isExceeded() && i < last.size(); i++) {
      Slot slot = last.get(i);
      leaveOut(slot, new OverBudget(slot.held), "over " + budget.obstacle(MmvCounts.NONE));
    }
  }

  /** Leaves out a file for which the budget has no room. */
  private void leaveOut(Slot slot, MmvCounts counts) {
    leaveOut(slot, new OverBudget(counts), "over " + budget.obstacle(counts));
  }

  /** Leaves out another name of a file. */
  private void leaveOut(Slot slot, FileId file) {
    leaveOut(
        slot,
        new Linked(file),
        "%d other names of the same file are in use, no more are served".formatted(MAX_LINKS));
  }

  private void leaveOut(Slot slot, State state, String obstacle) {
    enter(slot, state);
    String reason =
        notServed(obstacle).intern(); // tens of thousands of files may have the same one
    MmvFault fault = new MmvFault(slot.name, reason);
    slot.countFaults(List.of(fault), clock);
    if (!slot.reported.contains(fault)) {
      slot.reported = List.of(fault);
      if (leftOut.isFirst(obstacle)) {
        leftOut.add(obstacle, fault.of(slot.id.toString()));
      }
    }
  }

  /** Returns whether a file may be mapped under one more name. */
  private boolean hasRoom(FileId file) {
    return mapped.getOrDefault(file, 0) < MAX_LINKS;
  }

  /** Withdraws a file whose directory is not served any more. */
  void close(Slot slot) {
    enter(slot, new Closed(FileState.WAITING));
  }

  /** Withdraws a file that was removed, or truncated while it was read. */
  void withdraw(Slot slot) {
    boolean wasTruncated =
        slot.state() instanceof Served(MmvFile file)
            && file.isCutOff()
            && slot.id.directory().scan.slot(slot.name) == slot;
    if (wasTruncated) {
      slot.status = slot.mapping().status();
    }
    enter(slot, new Closed(FileState.TRUNCATED));
    if (wasTruncated) {
      refuse(slot, "truncated while its values were read");
    }
  }

  /** Releases the resources of a slot's state, and enters another state. */
  private void enter(Slot slot, State next) {
    if (slot.mapping() != null) {
      mapped.computeIfPresent(slot.mapping().file(), (_, names) -> names == 1 ? null : names - 1);
    }
    if (slot.state() instanceof Served(MmvFile file)) {
      if (loaded.remove(file)) {
        unmap(file.mapping()); // the listener does not know the file yet
      } else {
        withdrawn.add(file);
        changedRecords += RECORDS_OF_FILE + slot.held.records();
      }
      slot.payer.served.remove(slot);
    } else if (slot.state().watch() != null) {
      unmap(slot.state().watch().mapping());
      mappedInVain--;
      inFlux.remove(slot);
    }
    if (next.watch() == null) {
      slot.enter(next);
    } else if (mappedInVain < MAX_MAPPED_IN_VAIN) {
      mappedInVain++;
      slot.enter(next);
      if (next instanceof InFlux) {
        inFlux.add(slot);
      }
    } else {
      next.watch().mapping().close();
      slot.enter(new Closed(next.shown()));
    }
    if (slot.mapping() != null) {
      mapped.merge(slot.mapping().file(), 1, Integer::sum);
    }
    if (!(slot.state() instanceof InFlux || slot.state() instanceof TooShort)) {
      giveBack(slot);
    }
  }

  private void giveBack(Slot slot) {
    if (slot.payer != null) {
      budget.giveBack(slot.payer, slot.held);
      slot.held = MmvCounts.NONE;
      slot.payer = null;
    }
  }

  /** Returns why a file that is too short or in flux is not served. */
  private static String unfinished(State state) {
    String unfinished = "its application has not finished writing it (waited 5 s)";
    return switch (state) {
      case TooShort(long size, _) -> Header.tooShort(size) + "; or " + unfinished;
      case InFlux(Watch watch, _) when watch.magic() == 0 ->
          Header.noMagic(0) + "; or " + unfinished;
      case InFlux(Watch watch, _) ->
          "%s: its generations are %s and %s, but must be equal and not 0"
              .formatted(
                  unfinished,
                  Long.toUnsignedString(watch.generation1()),
                  Long.toUnsignedString(watch.generation2()));
      default -> throw new IllegalStateException(state.toString());
    };
  }

  /** Reports why a file is not served. */
  private void refuse(Slot slot, String reason) {
    refuse(slot, new MmvFault(slot.name, reason));
  }

  private void refuse(Slot slot, MmvFault fault) {
    report(
        slot,
        List.of(
            new MmvFault(fault.file(), fault.entry(), fault.offset(), notServed(fault.reason()))));
  }

  private static String notServed(String reason) {
    return reason + ". No metrics of it are served.";
  }

  /**
   * Reports faults of a file, except those that were among the last ones reported.
   *
   * @return whether any fault was reported
   */
  boolean report(Slot slot, List<MmvFault> faults) {
    slot.countFaults(faults, clock);
    List<MmvFault> added = faults.stream().filter(fault -> !slot.reported.contains(fault)).toList();
    slot.reported = List.copyOf(faults);
    added.forEach(fault -> listener.fault(fault.of(slot.id.toString())));
    return !added.isEmpty();
  }
}
