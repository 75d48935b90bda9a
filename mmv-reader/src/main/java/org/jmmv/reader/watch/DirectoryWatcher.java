package org.jmmv.reader.watch;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jmmv.reader.FileTruncated;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FileName;
import org.jmmv.reader.watch.LoadState.Served;

/**
 * The MMV files of one or several directories. {@link #poll} finds new, changed and removed files,
 * loads them, and returns what has changed.
 *
 * <p>Files whose names begin with a dot and entries that are not regular files are skipped;
 * symbolic links are followed, except behind the entries that a {@link DirectoryScan} reads first.
 * Files are examined in the order of {@link FileName}. A file that can't be served is examined
 * again when its generation, size or time changes; a file beyond a limit when there is room, or
 * when its size or time changes. A file or directory that can't be opened because no descriptor or
 * memory is left is tried again after 1 s, and then less and less often. While an application
 * starts, its file is too short for a header, or in flux (the generation numbers differ or are 0).
 * This is a fault only if it lasts for 5 s.
 *
 * <p>At most 100,000 directory entries are read at once, fewer with a heap of less than 500 MB, and
 * at most 10,000 files that are not served are mapped to watch their generations; others are looked
 * at again when their size or time has changed, and those in flux less and less often. All
 * directories together have these limits, the {@link Budget} and the time. Of the entries, each
 * directory has an equal share; in the budget, users have shares, whatever directories their files
 * are in. Directories take turns to be scanned.
 *
 * <p>Changes are detected in two ways. A {@linkplain DirectoryScan scan} of a directory finds files
 * that were added, removed or replaced; it takes place when the directory's time has changed. A
 * {@link Sweep}, at most one per millisecond, finds changes in the files themselves.
 *
 * <p>A served file of which at most the times have changed is not read again if its metadata is the
 * same.
 *
 * <p>Not thread-safe. All work is done in the caller's thread, within calls of the methods.
 */
public final class DirectoryWatcher implements AutoCloseable {
  /**
   * The maximum number of entries that a scan reads, and of known files. Several directories have
   * equal shares of it. One for each 5 KB of the heap: with the longest names, they take a quarter
   * of it. 100,000 of them would end a process with a heap of 96 MiB.
   */
  static final int MAX_ENTRIES = (int) Math.min(100_000, Runtime.getRuntime().maxMemory() / 5_000);

  private final Budget budget;
  private final WorkBudget time;
  private final FaultBook book;
  private final Ledger ledger;
  private final Sweep sweep;
  private final WriterRounds writers;
  private final Loader loader;
  private final Consumer<TrackedFile> enqueue; // made once, not for each request
  private final Deque<TrackedFile> toWithdraw = new ArrayDeque<>(); // removed or truncated files
  private final WatchedDirectories directories;
  private final DirectoryEntries entries;
  private Deque<TrackedFile> startFiles; // and some that are read; null: not all found yet
  private boolean isStarted;

  /**
   * Creates an object for one directory, which need not exist yet. Nothing is read before the first
   * {@link #poll}.
   *
   * @param standard the path of the directory, and later that of a directory whose settings have
   *     none. It is encoded with the character set {@code sun.jnu.encoding}
   * @param budget the limits of what is served, and the counts
   * @param time the time that may be spent
   */
  public DirectoryWatcher(Path standard, Budget budget, WorkBudget time) {
    this(standard, budget, time, InstantSource.system(), MAX_ENTRIES);
  }

  /**
   * As the public constructor, for tests.
   *
   * @param clock the time of day
   * @param maxEntries the maximum number of entries to read of all directories
   */
  DirectoryWatcher(
      Path standard, Budget budget, WorkBudget time, InstantSource clock, int maxEntries) {
    this.budget = budget;
    this.time = time;
    book = new FaultBook(clock);
    writers = new WriterRounds(clock, time);
    ledger = new Ledger(budget, book, writers);
    loader = new Loader(budget, time, ledger);
    enqueue = loader::add;
    directories =
        new WatchedDirectories(standard, maxEntries, time, clock, book, enqueue, this::removed);
    entries = new DirectoryEntries(directories);
    sweep = new Sweep(budget, ledger, enqueue, time.now());
    set(budget.limits(), List.of(DirectorySettings.DEFAULT));
  }

  /**
   * Replaces the limits, the directories and their settings. The next calls of {@link #poll} read
   * the files of directories again that have other settings now, or if the limits are other ones,
   * all files. If more is served than these permit, files are left out. Files of a directory that
   * is not in the list any more are withdrawn by the next {@link #poll}. So are those of one that
   * has changed its place relative to others in the list, or has become or was the first: their
   * names are other ones now (see {@link FileName}), so they are found anew.
   *
   * @param wanted at least one; no two have the same path
   */
  public void set(Limits limits, List<DirectorySettings> wanted) {
    boolean areNew = !limits.equals(budget.limits());
    budget.setLimits(limits);
    WatchedDirectories.Difference difference = directories.set(wanted);
    difference.removed().forEach(this::close);
    for (DirectoryFiles outdated : areNew ? directories.list() : difference.changed()) {
      loader.restart(outdated.directory());
      outdated.setOutdated();
    }
    if (areNew) {
      ledger.leaveOutExcess(directories.files());
    }
    directories.resetScanTime(time.now());
    findOrder();
  }

  private void close(DirectoryFiles directory) {
    for (TrackedFile tracked : directory.known().list()) {
      loader.forget(tracked);
      ledger.remove(tracked);
    }
    toWithdraw.removeIf(tracked -> {
      boolean isThere = tracked.directory == directory.directory();
      if (isThere) {
        ledger.remove(tracked);
      }
      return isThere;
    });
  }

  /**
   * Makes the next calls of {@link #poll} examine all files again, also those that do not seem to
   * have changed. A file that is just being examined goes on: otherwise reloads that follow each
   * other would never let it come to an end.
   */
  public void reload() {
    directories.resetScanTime(time.now());
    directories.list().forEach(DirectoryFiles::invalidate);
    entries.change();
  }

  /**
   * Works until nothing is left, the turn's time is over, or there is enough to be merged. The
   * first call of a turn also looks for changes: it scans the directories whose times have changed,
   * sweeps the files, and for a request asks which of them are open for writing. The caller has the
   * change {@linkplain WorkBudget#merge merged}, and then calls this method again if {@link
   * Change#hasMore}.
   */
  public Change poll() {
    WorkBudget.Occasion begun = time.takeNew();
    if (begun != null) {
      look(begun);
    }
    if (hasWork() || ledger.hasChange()) {
      long start = time.now();
      work();
      time.addLoading(time.now() - start);
    }
    isStarted = isStarted || areStartFilesRead();
    if (!ledger.hasChange() && !hasWork()) {
      return Change.NONE;
    }
    Change change = ledger.takeChange(() -> hasWork() && !time.isOver());
    if (change.hasFiles()) {
      entries.change();
    }
    return change;
  }

  /** Returns whether the files that the first scan of each directory has found are examined. */
  private boolean areStartFilesRead() {
    if (startFiles == null && directories.list().stream().allMatch(DirectoryFiles::wasScanned)) {
      startFiles = new ArrayDeque<>(directories.files());
    }
    while (startFiles != null && !startFiles.isEmpty() && !loader.isUnread(startFiles.element())) {
      startFiles.remove();
    }
    return startFiles != null && startFiles.isEmpty();
  }

  private void look(WorkBudget.Occasion occasion) {
    long now = time.now();
    switch (occasion) {
      case REQUEST, FULL_REQUEST -> {
        scan(now, WorkBudget.SCAN_NANOS);
        if (!toWithdraw.isEmpty()) {
          long start = time.now();
          withdrawRemoved();
          time.addLoading(time.now() - start);
        }
        sweep.run(time, now, occasion == WorkBudget.Occasion.FULL_REQUEST);
        writers.some(now, enqueue);
      }
      case START -> {
        directories.scanAtStart(now);
        findOrder();
        sweep.run(time, now, true);
      }
      case PAUSE -> {
        if (directories.areUnfinished()) {
          scan(now, Math.max(WatchedDirectories.MIN_NANOS, time.deadline() - now));
        }
      }
    }
  }

  private void scan(long now, long nanos) {
    if (directories.scan(now, nanos)) {
      findOrder();
    }
  }

  /** Called when files may have come or gone, or have another order. */
  private void findOrder() {
    sweep.set(directories.files());
    entries.change();
  }

  /** Returns whether there is work besides scans. */
  private boolean hasWork() {
    return !loader.isIdle() || !toWithdraw.isEmpty() || ledger.hasToUnmap();
  }

  /**
   * Withdraws, examines and unmaps files until the turn's time is over. An examination maps at most
   * one file, and two are unmapped before it. So the number of mappings never grows while any wait
   * to be unmapped, and a user who removes thousands of files does not delay those of others.
   */
  private void work() {
    withdrawRemoved();
    while (!loader.isIdle() && toWithdraw.isEmpty() && !time.isFull(ledger.records())) {
      ledger.unmapNext();
      ledger.unmapNext();
      loader.run();
    }
    if (loader.isIdle() && toWithdraw.isEmpty()) {
      if (time.isStart()) {
        writers.some(time.now(), enqueue);
      }
      while (ledger.hasToUnmap() && !time.isOver()) {
        ledger.unmapNext();
      }
    }
  }

  /** Withdraws removed and truncated files, which makes room in the budget. */
  private void withdrawRemoved() {
    while (!toWithdraw.isEmpty() && !time.isFull(ledger.records())) {
      ledger.withdraw(toWithdraw.remove(), time.now());
    }
  }

  private void removed(List<TrackedFile> files) {
    for (TrackedFile tracked : files) {
      loader.forget(tracked);
      toWithdraw.add(tracked);
    }
  }

  /**
   * Lets a served file be examined that is not {@linkplain MmvFile#isCurrent current} any more. Its
   * values can't be read until then: the new metadata may be at other offsets.
   */
  public void recheck(MmvFile file) {
    TrackedFile tracked = tracked(file);
    if (tracked != null) {
      file.invalidate();
      loader.add(tracked);
    }
  }

  /**
   * Lets a file be withdrawn after {@link FileTruncated}. No values of the file can be read any
   * more. The file is examined now if its application rewrites it, and otherwise when it changes;
   * if it is as long as before, so that a page could not be read for another reason, also when it
   * is not changed.
   */
  public void withdraw(MmvFile file) {
    TrackedFile tracked = tracked(file);
    if (tracked != null) {
      file.invalidate();
      if (file.isRewritten() || !file.isCurrent()) {
        loader.add(tracked);
      } else {
        toWithdraw.add(tracked);
      }
    }
  }

  /** Returns whether a file that is served is the first one that was served under its name. */
  public boolean isFirst(MmvFile file) {
    TrackedFile tracked = tracked(file);
    return tracked != null && !tracked.wasServed();
  }

  /**
   * Records the faults of a served file, with those that it has with others.
   *
   * @param found those that have just been found, at most one of each kind
   * @param all those that it has now, at most one of each kind
   * @return those found that do not repeat one of the last faults of a file of this name
   */
  public List<Fault> record(MmvFile file, List<Fault> found, List<Fault> all) {
    TrackedFile tracked = tracked(file);
    return tracked == null ? List.of() : book.record(tracked.history, found, all);
  }

  /** Returns the tracked file of a file that is served, otherwise null. */
  private TrackedFile tracked(MmvFile file) {
    DirectoryFiles directory = directories.of(file.id());
    TrackedFile tracked = directory == null ? null : directory.known().get(file.id().name());
    return tracked != null && tracked.state() instanceof Served(MmvFile served, _) && served == file
        ? tracked
        : null;
  }

  /**
   * Returns the settings of the directory of a file; the default ones if it is not watched any
   * more, and the file waits to be withdrawn.
   */
  public DirectorySettings settings(FileName name) {
    DirectoryFiles directory = directories.of(name);
    return directory == null ? DirectorySettings.DEFAULT : directory.directory().settings();
  }

  public DirectoryEntries entries() {
    return entries;
  }

  public List<Path> paths() {
    return directories.each().map(directory -> directory.path).toList();
  }

  /**
   * Returns whether files wait to be examined, withdrawn or unmapped, or entries of a directory to
   * be read.
   */
  public boolean hasBacklog() {
    return hasWork() || directories.areUnfinished();
  }

  /**
   * Returns whether all files that were there at the start have been examined. From then on this
   * stays true. A file that can't be read counts as examined, and so does a directory that is
   * missing. Of a directory with too many entries, those that are read at once count.
   */
  public boolean isStarted() {
    return isStarted;
  }

  /** Returns whether any file is in flux: its application is writing the metadata. */
  public boolean isInFlux() {
    return !ledger.inFlux().isEmpty();
  }

  @Override
  public void close() {
    directories.list().forEach(this::close);
    ledger.unmapAll();
  }
}
