package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.HEADER_SIZE;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jmmv.reader.Slot.Closed;
import org.jmmv.reader.Slot.InFlux;
import org.jmmv.reader.Slot.OverBudget;
import org.jmmv.reader.Slot.ProcessGone;
import org.jmmv.reader.Slot.Refused;
import org.jmmv.reader.Slot.Served;
import org.jmmv.reader.Slot.State;
import org.jmmv.reader.Slot.TooShort;
import org.jmmv.reader.Slot.Watch;
import org.jmmv.reader.posix.FileStatus;
import org.jmmv.reader.posix.PosixDirectory;
import org.jmmv.reader.posix.PosixProcess;

/**
 * The files of a directory that can be served, kept up to date.
 *
 * <p>Names are taken in byte order. Those that begin with a dot are skipped, and so is what is not
 * a regular file (symbolic links are followed). A file that can't be served is examined again when
 * its generation, size or time changes. A file in flux (its generations differ or are 0) or too
 * short for a header is normal while an application starts, and is reported only after 5 s.
 *
 * <p>Changes are found in two ways. The directory is scanned when its time has changed, which shows
 * files that come, go or are replaced. A sweep, at most one each millisecond, looks at what the
 * files themselves show: generations and processes of 512 files, sizes and times of 16 (a file that
 * is rewritten in place within one second may carry the generation it had). The files take turns,
 * whatever their state, so a sweep costs the same whatever the directory holds. Files in flux are
 * looked at in every sweep as long as there are at most 64 of them.
 *
 * <p>Everything happens in the caller's thread, in {@link #refresh} and the other methods.
 */
public final class MmvDirectory implements AutoCloseable {
  private static final long SWEEP_NANOS = 1_000_000;

  /** How many files a sweep looks at. */
  private static final int FILES_PER_SWEEP = 512;

  /** The same, if the request has waited for a scan already. */
  private static final int FILES_AFTER_SCAN = 64;

  /** How many files a sweep compares the sizes and times of. */
  private static final int STATUSES_PER_SWEEP = 16;

  /** How many files in flux a sweep looks at out of turn. */
  private static final int MAX_WATCHED = 64;

  private static final long PATIENCE_NANOS = 5_000_000_000L;

  /**
   * A change of the set of files. Both lists are in byte order of the files' names.
   *
   * @param withdrawn files that must not be read any more when {@link Listener#changed} has
   *     returned
   * @param loaded files that can be read from now on; a file that was rewritten is in both lists,
   *     as two objects
   */
  public record Change(List<MmvFile> withdrawn, List<MmvFile> loaded) {}

  /** Receives what happens to the files, during calls of the directory's methods. */
  public interface Listener {
    /** The set of files has changed. */
    void changed(Change change);

    /** A file is faulty, or the directory (then the file's name is empty). */
    void fault(MmvFault fault);
  }

  private final PosixDirectory posix;
  private final Budget budget;
  private final Listener listener;
  private final LongSupplier nanoTime;
  private final DirectoryScan scan;
  private final Turns turns = new Turns();
  private final Turns statusTurns = new Turns();
  private final Set<Slot> inFlux = new LinkedHashSet<>();
  private final List<MmvFile> withdrawn = new ArrayList<>();
  private final List<MmvFile> loaded = new ArrayList<>();
  private long swept;

  /**
   * A directory, which need not exist yet. Nothing is read before the first {@link #refresh}.
   *
   * @param directory its path; the chars stand for bytes as {@code sun.jnu.encoding} says
   * @param budget what may be served in all
   */
  public MmvDirectory(Path directory, Budget budget, Listener listener) {
    this(directory, budget, listener, System::nanoTime);
  }

  /** With a clock like {@link System#nanoTime}. */
  MmvDirectory(Path directory, Budget budget, Listener listener, LongSupplier nanoTime) {
    posix = new PosixDirectory(directory);
    scan = new DirectoryScan(posix, budget);
    this.budget = budget;
    this.listener = listener;
    this.nanoTime = nanoTime;
    swept = nanoTime.getAsLong() - SWEEP_NANOS;
  }

  /**
   * Looks for changes: of the directory now, and of the files unless there was a sweep within the
   * last millisecond.
   */
  public void refresh() {
    boolean hasScanned = scanIfDue();
    long time = nanoTime.getAsLong();
    if (time - swept >= SWEEP_NANOS) {
      sweep(time, hasScanned ? FILES_AFTER_SCAN : FILES_PER_SWEEP);
    }
    tell();
  }

  /** As {@link #refresh}, but looks at the generation and the process of every file now. */
  public void refreshAll() {
    scanIfDue();
    sweep(nanoTime.getAsLong(), Integer.MAX_VALUE);
    tell();
  }

  /** Whether the application of any file is still writing its metrics. */
  public boolean isInFlux() {
    return !inFlux.isEmpty();
  }

  /** Looks at the generation and the process of a served file now. */
  public void check(MmvFile file) {
    Slot slot = scan.slot(file.name());
    if (slot != null && isServed(slot, file) && !isGood(file)) {
      examine(slot, nanoTime.getAsLong());
      tell();
    }
  }

  /** Withdraws a file whose values could not be read. It is examined again when it changes. */
  public void drop(MmvFile file) {
    Slot slot = scan.slot(file.name());
    if (slot != null && isServed(slot, file)) {
      slot.status = file.mapping().status();
      enter(slot, new Closed());
      report(slot, List.of(fault(slot, "a part of the file can't be read")));
      tell();
    }
  }

  /** Loads every file anew. */
  public void reload() {
    releaseAll();
    refreshAll();
  }

  @Override
  public void close() {
    releaseAll();
    tell();
  }

  private void releaseAll() {
    scan.slots().forEach(slot -> enter(slot, new Closed()));
    scan.clear();
  }

  private void tell() {
    if (withdrawn.isEmpty() && loaded.isEmpty()) {
      return;
    }
    withdrawn.sort(Comparator.comparing(MmvFile::name));
    loaded.sort(Comparator.comparing(MmvFile::name));
    listener.changed(new Change(List.copyOf(withdrawn), List.copyOf(loaded)));
    withdrawn.forEach(MmvFile::close);
    withdrawn.clear();
    loaded.clear();
  }

  private boolean scanIfDue() {
    boolean isDue = scan.isDue();
    if (isDue) {
      DirectoryScan.Outcome outcome = scan.run();
      outcome.faults().forEach(listener::fault);
      long time = nanoTime.getAsLong();
      outcome.gone().forEach(slot -> enter(slot, new Closed())); // makes room in the budget
      outcome.changed().forEach(slot -> examine(slot, time));
    }
    return isDue;
  }

  private void sweep(long time, int files) {
    swept = time;
    if (inFlux.size() <= MAX_WATCHED) {
      List.copyOf(inFlux).forEach(slot -> look(slot, time));
    }
    turns.take(files, slot -> look(slot, time));
    statusTurns.take(STATUSES_PER_SWEEP, slot -> lookAtStatus(slot, time));
  }

  /** Takes the files in turn, some at each call. */
  private final class Turns {
    private int next; // index in the order of the last scan

    void take(int most, Consumer<Slot> visitor) {
      List<Slot> slots = scan.slots();
      for (int i = Math.min(most, slots.size()); i > 0; i--) {
        next = next < slots.size() ? next : 0;
        visitor.accept(slots.get(next++));
      }
    }
  }

  /** Examines a file if its mapping, its process or the budget show that it has changed. */
  private void look(Slot slot, long time) {
    boolean hasChanged =
        switch (slot.state()) {
          case Served(MmvFile file, _) -> !isGood(file);
          case InFlux(Watch watch, _) -> watch.hasChanged();
          case Refused(Watch watch) -> watch.hasChanged();
          case ProcessGone(Watch watch) -> watch.hasChanged();
          case OverBudget(Watch watch, MmvCounts counts) ->
              watch.hasChanged() || budget.hasRoom(counts);
          case TooShort _, Closed _ -> false; // their status shows it
        };
    if (hasChanged) {
      examine(slot, time);
    } else if (time - slot.unfinishedSince(time) >= PATIENCE_NANOS) {
      report(slot, List.of(unfinished(slot)));
    }
  }

  /** Examines a file if its size or time has changed. */
  private void lookAtStatus(Slot slot, long time) {
    if (!posix.hasStatus(slot.name, slot.status) && posix.status(slot.name) != null) {
      examine(slot, time);
    }
  }

  private static boolean isServed(Slot slot, MmvFile file) {
    return slot.state() instanceof Served served && served.file() == file;
  }

  private static boolean isGood(MmvFile file) {
    return file.isCurrent() && isRunning(file.schema());
  }

  private static boolean isRunning(MmvSchema schema) {
    return !schema.has(MmvSchema.FLAG_PROCESS)
        || schema.pid() == 0
        || (schema.pid() > 0 && PosixProcess.processExists(schema.pid()));
  }

  /** Finds out whether a file can be served. */
  private void examine(Slot slot, long time) {
    MmvMapping mapping;
    try {
      mapping = new MmvMapping(posix.map(slot.name, budget.limits().fileSize()));
    } catch (IOException e) {
      slot.status = posix.status(slot.name);
      enter(slot, new Closed());
      if (slot.status != null) { // otherwise it has gone, and the next scan will find out
        report(slot, List.of(fault(slot, "can't be opened: " + e.getMessage())));
      }
      return;
    }
    slot.status = mapping.status();
    if (!mapping.hasHeader()) {
      mapping.close();
      enter(slot, new TooShort(slot.unfinishedSince(time)));
      return;
    }
    Watch watch = null;
    try {
      watch = Watch.of(mapping);
      examine(slot, watch, time);
    } catch (MappingCutOff e) {
      if (watch == null) { // the header is gone
        mapping.close();
        enter(slot, new Closed());
      } else {
        enter(slot, new Refused(watch));
      }
      report(slot, List.of(fault(slot, e.getMessage())));
    }
  }

  private void examine(Slot slot, Watch watch, long time) throws MappingCutOff {
    MmvMapping mapping = watch.mapping();
    try {
      MmvSchema schema = MmvFile.readSchema(slot.name, mapping, budget.limits());
      if (schema == null) {
        enter(slot, new InFlux(watch, slot.unfinishedSince(time)));
      } else if (!isRunning(schema)) {
        enter(slot, new ProcessGone(watch));
      } else if (slot.state() instanceof Served(MmvFile file, _)
          && file.schema().digest() == schema.digest()
          && isSameFile(file.mapping().status(), mapping.status())) {
        mapping.close(); // written to, but with the same metadata
      } else {
        serve(slot, schema, watch);
      }
    } catch (MmvFormatException e) {
      enter(slot, new Refused(watch));
      report(slot, List.of(e.fault()));
    }
  }

  private static boolean isSameFile(FileStatus before, FileStatus now) {
    return before.inode() == now.inode()
        && before.device() == now.device()
        && before.size() == now.size();
  }

  private void serve(Slot slot, MmvSchema schema, Watch watch) {
    enter(slot, new Closed()); // gives back what the file has of the budget
    MmvCounts counts = MmvCounts.of(schema);
    String over = budget.take(counts);
    if (over != null) {
      enter(slot, new OverBudget(watch, counts));
      report(slot, List.of(fault(slot, "over " + over + " in all, left out")));
      return;
    }
    MmvFile file = new MmvFile(schema, watch.mapping());
    enter(slot, new Served(file, counts));
    loaded.add(file);
    report(slot, schema.faults());
  }

  /** Releases what the slot's state holds, and enters another one. */
  private void enter(Slot slot, State next) {
    switch (slot.state()) {
      case Served(MmvFile file, MmvCounts counts) -> {
        budget.giveBack(counts);
        if (loaded.remove(file)) {
          file.close(); // nobody has been told of it
        } else {
          withdrawn.add(file);
        }
      }
      case InFlux(Watch watch, _) -> {
        watch.mapping().close();
        inFlux.remove(slot);
      }
      case Refused(Watch watch) -> watch.mapping().close();
      case ProcessGone(Watch watch) -> watch.mapping().close();
      case OverBudget(Watch watch, _) -> watch.mapping().close();
      case TooShort _, Closed _ -> {}
    }
    slot.enter(next);
    if (next instanceof InFlux) {
      inFlux.add(slot);
    }
  }

  private static MmvFault unfinished(Slot slot) {
    return fault(
        slot,
        slot.state() instanceof InFlux(Watch watch, _)
            ? "in flux for 5 s: generations "
                + Long.toUnsignedString(watch.generation1())
                + " and "
                + Long.toUnsignedString(watch.generation2())
            : "too short for 5 s: " + slot.status.size() + " bytes, a header has " + HEADER_SIZE);
  }

  private static MmvFault fault(Slot slot, String reason) {
    return new MmvFault(slot.name, "", 0, reason);
  }

  /** Reports faults that the file did not have the last time. */
  private void report(Slot slot, List<MmvFault> faults) {
    for (MmvFault fault : faults) {
      if (!slot.reported.contains(fault)) {
        listener.fault(fault);
      }
    }
    slot.reported = Set.copyOf(faults);
  }
}
