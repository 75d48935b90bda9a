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
 * The MMV files of a directory. It finds new, changed and removed files, and reports them to a
 * listener.
 *
 * <p>Files whose names begin with a dot and entries that are not regular files are skipped;
 * symbolic links are followed. Files are examined in byte order of their names. A file that can't
 * be served is examined again when its generation, size or time changes. While an application
 * starts, its file is too short for a header, or in flux (the generation numbers differ or are 0).
 * This is reported as a fault only if it lasts for 5 s.
 *
 * <p>Changes are detected in two ways. A scan of the directory finds files that were added, removed
 * or replaced; it takes place when the directory's time has changed. A sweep, at most one per
 * millisecond, finds changes in the files themselves. It compares the generations of 512 files and
 * checks their processes, and it compares the sizes and times of 16 files. The latter is necessary
 * because libpcp_mmv uses the time in seconds as the generation: a file rewritten within the same
 * second may have the same generation. All files take turns, whatever their state, so the time of a
 * sweep is bounded. In addition, every sweep checks all files in flux if there are at most 64 of
 * them.
 *
 * <p>Not thread-safe. All work is done in the caller's thread, within calls of the methods.
 */
public final class MmvDirectory implements AutoCloseable {
  private static final long SWEEP_NANOS = 1_000_000;

  /** The number of files that a sweep checks. */
  private static final int FILES_PER_SWEEP = 512;

  /** The number of files that a sweep checks if the same request has already waited for a scan. */
  private static final int FILES_AFTER_SCAN = 64;

  /** The number of files whose sizes and times a sweep compares. */
  private static final int STATUSES_PER_SWEEP = 16;

  /** The maximum number of files in flux that every sweep checks. */
  private static final int MAX_WATCHED = 64;

  private static final long PATIENCE_NANOS = 5_000_000_000L;

  /**
   * A change of the set of files. Both lists are in byte order of the files' names.
   *
   * @param withdrawn files that are no longer served; they must not be read after {@link
   *     Listener#changed} has returned
   * @param loaded files that are served from now on. A file that was rewritten is in both lists, as
   *     two objects
   */
  public record Change(List<MmvFile> withdrawn, List<MmvFile> loaded) {}

  /** Receives changes and faults, during calls of the directory's methods. */
  public interface Listener {
    /** The set of files has changed. */
    void changed(Change change);

    /** A file has a fault, or the directory, in which case the fault's file name is empty. */
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
   * Creates an object for a directory, which need not exist yet. Nothing is read before the first
   * {@link #refresh}.
   *
   * @param directory the path, which is encoded with the character set {@code sun.jnu.encoding}
   * @param budget the limits of what is served, and the counts
   * @param listener receives changes and faults
   */
  public MmvDirectory(Path directory, Budget budget, Listener listener) {
    this(directory, budget, listener, System::nanoTime);
  }

  /** As the public constructor, with a clock in the place of {@link System#nanoTime}. */
  MmvDirectory(Path directory, Budget budget, Listener listener, LongSupplier nanoTime) {
    posix = new PosixDirectory(directory);
    scan = new DirectoryScan(posix, budget);
    this.budget = budget;
    this.listener = listener;
    this.nanoTime = nanoTime;
    swept = nanoTime.getAsLong() - SWEEP_NANOS;
  }

  /**
   * Checks for changes: scans the directory if its time has changed, and sweeps the files unless
   * there was a sweep within the last millisecond.
   */
  public void refresh() {
    boolean hasScanned = scanIfDue();
    long time = nanoTime.getAsLong();
    if (time - swept >= SWEEP_NANOS) {
      sweep(time, hasScanned ? FILES_AFTER_SCAN : FILES_PER_SWEEP);
    }
    tell();
  }

  /** As {@link #refresh}, but always checks the generations and processes of all files. */
  public void refreshAll() {
    scanIfDue();
    sweep(nanoTime.getAsLong(), Integer.MAX_VALUE);
    tell();
  }

  /** Returns whether any file is in flux: its application is writing the metadata. */
  public boolean isInFlux() {
    return !inFlux.isEmpty();
  }

  /**
   * Checks the generation and the process of a served file, and examines the file if one of them
   * has changed.
   */
  public void check(MmvFile file) {
    Slot slot = scan.slot(file.name());
    if (slot != null && isServed(slot, file) && !isGood(file)) {
      examine(slot, nanoTime.getAsLong());
      tell();
    }
  }

  /** Withdraws a file after {@link FileCutOff}. The file is examined again when it changes. */
  public void drop(MmvFile file) {
    Slot slot = scan.slot(file.name());
    if (slot != null && isServed(slot, file)) {
      slot.status = file.mapping().status();
      enter(slot, new Closed());
      report(slot, List.of(fault(slot, "a part of the file can't be read")));
      tell();
    }
  }

  /** Withdraws all files and reads them again. */
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
      // the removed files first, to make room in the budget
      outcome.gone().forEach(slot -> enter(slot, new Closed()));
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

  /** Visits the files in turn: each call continues where the last one has ended. */
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

  /**
   * Examines a file if its generations, its process or the budget have changed; reports a file that
   * has been unfinished for 5 s.
   */
  private void look(Slot slot, long time) {
    boolean hasChanged =
        switch (slot.state()) {
          case Served(MmvFile file, _) -> !isGood(file);
          case InFlux(Watch watch, _) -> watch.hasChanged();
          case Refused(Watch watch) -> watch.hasChanged();
          case ProcessGone(Watch watch) -> watch.hasChanged();
          case OverBudget(Watch watch, MmvCounts counts) ->
              watch.hasChanged() || budget.hasRoom(counts);
          case TooShort _, Closed _ -> false; // lookAtStatus finds their changes
        };
    if (hasChanged) {
      examine(slot, time);
    } else if (time - slot.unfinishedSince(time) >= PATIENCE_NANOS) {
      report(slot, List.of(unfinished(slot)));
    }
  }

  /** Examines a file if its status (size, times, inode) has changed. */
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

  /** Opens and maps a file, and enters the state that results. */
  private void examine(Slot slot, long time) {
    MmvMapping mapping;
    try {
      mapping = new MmvMapping(posix.map(slot.name, budget.limits().fileSize()));
    } catch (IOException e) {
      slot.status = posix.status(slot.name);
      enter(slot, new Closed());
      if (slot.status != null) { // null: the file was removed, and the next scan finds that
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
        mapping.close(); // the file was written to, but its metadata is the same
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
    enter(slot, new Closed()); // returns the file's counts to the budget
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

  /** Releases the resources of a slot's state, and enters another state. */
  private void enter(Slot slot, State next) {
    switch (slot.state()) {
      case Served(MmvFile file, MmvCounts counts) -> {
        budget.giveBack(counts);
        if (loaded.remove(file)) {
          file.close(); // the listener does not know the file yet
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

  /** Reports the faults that the file's last examination did not have. */
  private void report(Slot slot, List<MmvFault> faults) {
    for (MmvFault fault : faults) {
      if (!slot.reported.contains(fault)) {
        listener.fault(fault);
      }
    }
    slot.reported = Set.copyOf(faults);
  }
}
