package org.jmmv.reader.watch;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jmmv.reader.FileTruncated;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FileName;

/** A {@link DirectoryWatcher} whose turns are polled to the end, as the catalogue does. */
final class TestWatcher implements AutoCloseable {
  /** More than the files of tests have. */
  static final Limits LIMITS =
      limits(1 << 30, 1000, 100_000, 100_000, 4_194_304, 100_000, 1000, 4095, 50, 800);

  /** Limits of a number for each {@link Limit}, in the order of the constants. */
  static Limits limits(int... numbers) {
    List<Limit> order = List.of(Limit.values());
    return Limits.of(limit -> numbers[order.indexOf(limit)]);
  }

  /** The time of day in an hour: a directory that has just changed would be scanned again. */
  static final InstantSource LATER =
      InstantSource.offset(InstantSource.system(), Duration.ofHours(1));

  final DirectoryWatcher watcher;
  final WorkBudget time;
  private final Budget budget;
  private final Consumer<Change> merge;

  TestWatcher(Path path, Budget budget, Consumer<Change> merge, LongSupplier time, int maxEntries) {
    this(path, budget, merge, time, InstantSource.system(), maxEntries);
  }

  TestWatcher(
      Path path,
      Budget budget,
      Consumer<Change> merge,
      LongSupplier time,
      InstantSource clock,
      int maxEntries) {
    this.budget = budget;
    this.merge = merge;
    this.time = new WorkBudget(budget, time);
    watcher = new DirectoryWatcher(path, budget, this.time, clock, maxEntries);
  }

  private void poll() {
    Change change;
    do {
      change = watcher.poll();
      time.merge(change, merge);
    } while (change.hasMore());
  }

  void refresh() {
    time.beginRequest(false);
    poll();
  }

  void refreshAll() {
    time.beginRequest(true);
    poll();
  }

  void load() {
    time.beginStart();
    poll();
  }

  void reload() {
    watcher.reload();
    refreshAll();
  }

  void catchUp(long nanos) {
    time.beginPause(nanos);
    poll();
  }

  /** Checks a file as a request does that concerns it. */
  void check(MmvFile file) {
    if (!file.isCurrent()) {
      watcher.recheck(file);
      poll();
    }
  }

  /** Withdraws a file as a request does after {@link FileTruncated}. */
  void drop(MmvFile file) {
    watcher.withdraw(file);
    poll();
  }

  List<Fault> record(MmvFile file, List<Fault> faults) {
    return watcher.record(file, faults, faults);
  }

  /** Replaces the directories. */
  void set(List<DirectorySettings> directories) {
    set(budget.limits(), directories);
  }

  void set(Limits limits, List<DirectorySettings> directories) {
    watcher.set(limits, directories);
  }

  List<EntryStatus> statuses(int max) {
    return watcher.entries().names(max).stream().map(watcher.entries()::status).toList();
  }

  List<EntryStatus> statuses(FileName after, int max) {
    return watcher.entries().statuses(after, max);
  }

  boolean hasBacklog() {
    return watcher.hasBacklog();
  }

  boolean isInFlux() {
    return watcher.isInFlux();
  }

  @Override
  public void close() {
    watcher.close();
  }
}
