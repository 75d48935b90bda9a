package org.jmmv.reader;

import java.io.IOException;
import java.nio.file.Path;
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
import java.util.function.LongSupplier;
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
 * The MMV files of a directory. It finds new, changed and removed files, and reports them to a
 * listener.
 *
 * <p>Files whose names begin with a dot and entries that are not regular files are skipped;
 * symbolic links are followed. Files are examined in byte order of their names. A file that can't
 * be served is examined again when its generation, size or time changes; a file beyond a limit when
 * there is room, or when its size or time changes. A file or directory that can't be opened because
 * no descriptor or memory is left is tried again after 1 s, and then less and less often. While an
 * application starts, its file is too short for a header, or in flux (the generation numbers differ
 * or are 0). This is reported as a fault only if it lasts for 5 s.
 *
 * <p>A fault is not reported again while the file has it, also if the file was read again. At most
 * 100,000 directory entries are read at once, and at most 10,000 files that are not served are
 * mapped to watch their generations; of others, changes of size and time are noticed.
 *
 * <p>Changes are detected in two ways. A scan of the directory finds files that were added, removed
 * or replaced; it takes place when the directory's time has changed. A sweep, at most one per
 * millisecond, finds changes in the files themselves. It compares the generations of 512 files and
 * checks their processes, and it compares the sizes and times of 16 files, of each file at most
 * once a second. The latter is necessary because libpcp_mmv uses the time in seconds as the
 * generation: a file rewritten within the same second may have the same generation. All files take
 * turns, whatever their state, so the time of a sweep is bounded. In addition, every sweep checks
 * all files in flux if there are at most 64 of them.
 *
 * <p>Not thread-safe. All work is done in the caller's thread, within calls of the methods.
 */
public final class MmvDirectory implements AutoCloseable {
  private static final long SWEEP_NANOS = 1_000_000;

  /**
   * The time for scans at once, 100 ms. In the long run they may take a quarter of the time: a
   * hundred thousand entries take more than 100 ms, and anybody can change the directory all the
   * time.
   */
  static final long SCAN_NANOS = 100_000_000;

  static final int SCAN_SHARE = 4;

  /** Requests may spend one part in so many of all time on files that wait. */
  private static final int REQUEST_SHARE = 4;

  /** The number of files that a sweep checks. */
  private static final int FILES_PER_SWEEP = 512;

  /** The number of changed files after which a sweep ends. */
  private static final int MAX_CHANGED = 64;

  /** The number of files that a sweep checks if the same request has already waited for a scan. */
  private static final int FILES_AFTER_SCAN = 64;

  /** The number of files whose sizes and times a sweep compares. */
  private static final int STATUSES_PER_SWEEP = 16;

  /** The minimum time between two comparisons of a file's size and time. */
  private static final long STATUS_NANOS = 1_000_000_000;

  /** The maximum number of files in flux that every sweep checks. */
  private static final int MAX_WATCHED = 64;

  /** The maximum number of mapped files that are not served. */
  private static final int MAX_MAPPED_IN_VAIN = 10_000;

  /**
   * How long the listener may take for a record of a changed file, in nanoseconds. Most records
   * take a third of it.
   */
  private static final long NANOS_PER_RECORD = 10_000;

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
    /**
     * The set of files has changed. The listener passes the faults of each loaded file to {@link
     * #report}, with those that it has found itself.
     */
    void changed(Change change);

    /** A file has a fault, or the directory, in which case the fault's file name is empty. */
    void fault(MmvFault fault);
  }

  private final PosixDirectory posix;
  private final Budget budget;
  private final Listener listener;
  private final LongSupplier nanoTime;
  private final InstantSource clock;
  private final DirectoryScan scan;
  private final SkippedEntries skipped;
  private final Turns turns = new Turns();
  private final Turns statusTurns = new Turns();
  private final Set<Slot> inFlux = new LinkedHashSet<>();
  private final Backlog backlog = new Backlog();
  private final Deque<Slot> toClose = new ArrayDeque<>(); // removed or truncated files
  private final Deque<MmvMapping> toUnmap = new ArrayDeque<>();
  private final Map<FileId, Integer> mapped = new HashMap<>(); // the number of names
  private final List<MmvFile> withdrawn = new ArrayList<>();
  private final List<MmvFile> loaded = new ArrayList<>();
  private FileRules rules = FileRules.DEFAULT;
  private long changedRecords; // in withdrawn and loaded
  private Faults leftOut = new Faults(); // of files that have not been reported yet
  private int mappedInVain; // number of mapped files that are not served
  private long refreshNanos;
  private long enqueued; // how often a file was added to the backlog
  private long swept;
  private long statusRound; // when statuses were last compared from the first file on
  private final TimeCredit scanTime;
  private final TimeCredit requestTime; // for files that wait
  private long deadline; // of the current request, in nanoseconds of nanoTime

  /**
   * Creates an object for a directory, which need not exist yet. Nothing is read before the first
   * {@link #refresh}.
   *
   * @param directory the path, which is encoded with the character set {@code sun.jnu.encoding}
   * @param budget the limits of what is served, and the counts
   * @param listener receives changes and faults
   */
  public MmvDirectory(Path directory, Budget budget, Listener listener) {
    this(
        directory,
        budget,
        listener,
        System::nanoTime,
        InstantSource.system(),
        DirectoryScan.MAX_ENTRIES);
  }

  /** As the next one, with the system's time of day. */
  MmvDirectory(
      Path directory, Budget budget, Listener listener, LongSupplier nanoTime, int maxEntries) {
    this(directory, budget, listener, nanoTime, InstantSource.system(), maxEntries);
  }

  /**
   * As the public constructor, for tests.
   *
   * @param nanoTime a clock in the place of {@link System#nanoTime}
   * @param clock the time of day
   * @param maxEntries the maximum number of directory entries to read
   */
  MmvDirectory(
      Path directory,
      Budget budget,
      Listener listener,
      LongSupplier nanoTime,
      InstantSource clock,
      int maxEntries) {
    posix = new PosixDirectory(directory);
    scan = new DirectoryScan(posix, maxEntries);
    skipped = new SkippedEntries(posix, maxEntries, nanoTime);
    this.clock = clock;
    this.budget = budget;
    this.listener = listener;
    this.nanoTime = nanoTime;
    long time = nanoTime.getAsLong();
    swept = time - SWEEP_NANOS;
    statusRound = time - STATUS_NANOS;
    scanTime = new TimeCredit(SCAN_SHARE, SCAN_NANOS, time);
    requestTime = new TimeCredit(REQUEST_SHARE, allowance(), time);
  }

  /**
   * Checks for changes: scans the directory if its time has changed, and sweeps the files unless
   * there was a sweep within the last millisecond. A request calls this method or {@link
   * #refreshAll} first; its time for loading files begins with that.
   */
  public void refresh() {
    long time = beginRequest();
    boolean hasScanned = scanIfDue(time);
    withdrawRemoved();
    if (time - swept >= SWEEP_NANOS) {
      sweep(time, hasScanned ? FILES_AFTER_SCAN : FILES_PER_SWEEP, MAX_CHANGED);
    }
    catchUp();
  }

  /**
   * Reads files at a start, as {@link #refreshAll} does, but for twice the time of a request. If
   * the first request follows immediately, it does not wait for files again.
   */
  public void load() {
    long start = nanoTime.getAsLong();
    deadline = start + 2 * allowance();
    refreshAll(start);
    requestTime.set(isBehind() ? 0 : allowance(), nanoTime.getAsLong());
  }

  /**
   * As {@link #refresh}, but always checks the generations and processes of all files, and compares
   * sizes and times however long ago it last did so.
   */
  public void refreshAll() {
    refreshAll(beginRequest());
  }

  private void refreshAll(long time) {
    scanIfDue(time);
    withdrawRemoved();
    statusRound = time - STATUS_NANOS;
    sweep(time, Integer.MAX_VALUE, Integer.MAX_VALUE);
    catchUp();
  }

  /**
   * Sets the deadline for the files that wait. Requests may spend a quarter of the time on them in
   * the long run, and at most {@link Limits#loadTime} at once: many requests can arrive together.
   */
  private long beginRequest() {
    long time = nanoTime.getAsLong();
    deadline = time + requestTime.left(allowance(), time);
    return time;
  }

  /** Returns the maximum time that requests may spend at once, in nanoseconds. */
  private long allowance() {
    return budget.limits().loadTime() * 1_000_000L;
  }

  /**
   * Returns whether files wait to be examined, withdrawn or unmapped, or entries of the directory
   * to be read.
   */
  public boolean isBehind() {
    return !backlog.isEmpty() || !toClose.isEmpty() || !toUnmap.isEmpty() || scan.isUnfinished();
  }

  /**
   * Examines and withdraws files that wait, between requests.
   *
   * @param nanos how long, in nanoseconds
   */
  public void catchUp(long nanos) {
    long time = nanoTime.getAsLong();
    deadline = time + nanos;
    if (scan.isUnfinished()) {
      scanIfDue(time);
    }
    timedWork();
  }

  /** Works at the expense of requests. */
  private void catchUp() {
    if (isBehind() || hasNews()) {
      requestTime.spend(timedWork());
    }
  }

  /** Works, and returns how long it took, in nanoseconds. */
  private long timedWork() {
    long start = nanoTime.getAsLong();
    work();
    long nanos = nanoTime.getAsLong() - start;
    refreshNanos += nanos;
    return nanos;
  }

  /** Withdraws, examines and unmaps files until the deadline. */
  private void work() {
    withdrawRemoved();
    while (!backlog.isEmpty() && toClose.isEmpty() && !isOver()) {
      Slot slot = backlog.take();
      long start = nanoTime.getAsLong();
      examine(slot, start);
      slot.loads++;
      slot.loadNanos += tellInTime() - start;
    }
    tell();
    while (!toUnmap.isEmpty() && !isOver()) {
      toUnmap.remove().close();
    }
  }

  /** Withdraws removed files until the deadline. That makes room in the budget. */
  private void withdrawRemoved() {
    while (!toClose.isEmpty() && !isOver()) {
      withdraw(toClose.remove());
      tellInTime();
    }
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

  /**
   * Passes the change to the listener if the time until the deadline might not allow a larger one.
   * Returns the time before that.
   */
  private long tellInTime() {
    long time = nanoTime.getAsLong();
    if (changedRecords * NANOS_PER_RECORD >= deadline - time) {
      tell();
    }
    return time;
  }

  private boolean isOver() {
    return nanoTime.getAsLong() - deadline >= 0;
  }

  /** Returns whether any file is in flux: its application is writing the metadata. */
  public boolean isInFlux() {
    return !inFlux.isEmpty();
  }

  /**
   * Checks the generation and the process of a served file. If one of them has changed, the file is
   * examined, or its values can't be read until it is: the new metadata may be at other offsets.
   */
  public void check(MmvFile file) {
    Slot slot = scan.slot(file.name());
    if (slot != null && isServed(slot, file) && !isGood(file)) {
      file.cutOff();
      enqueue(slot);
      if (!isOver()) {
        catchUp();
      }
    }
  }

  /**
   * Withdraws a file after {@link FileCutOff}. If the request has no time left, the next one does
   * it, and until then no values of the file can be read. The file is examined again when it
   * changes.
   */
  public void drop(MmvFile file) {
    Slot slot = scan.slot(file.name());
    if (slot != null && isServed(slot, file)) {
      file.cutOff();
      toClose.add(slot);
      if (!isOver()) {
        withdrawRemoved();
        tell();
      }
    }
  }

  /**
   * Reports faults of a served file to the listener, except those that were among the last ones
   * reported for a file of this name.
   *
   * @return whether any fault was reported
   */
  public boolean report(MmvFile file, List<MmvFault> faults) {
    Slot slot = scan.slot(file.name());
    return slot != null && isServed(slot, file) && report(slot, faults);
  }

  /**
   * Returns the status of every entry of the directory: first of the files that are served, then of
   * other files, in the order of the last scan, and last of the entries that are skipped. Of the
   * latter there are at most 1,000, among the first 100,000 entries of the directory. If listing
   * them has taken a quarter of the time lately, they are those of the last listing. The time grows
   * linearly with the number of entries.
   *
   * @param most the maximum number of entries
   */
  public List<EntryStatus> statuses(int most) {
    List<EntryStatus> statuses = new ArrayList<>();
    addStatuses(true, most, statuses);
    addStatuses(false, most, statuses);
    for (EntryStatus status : skipped.list(name -> scan.slot(name) != null)) {
      if (statuses.size() < most && scan.slot(status.name()) == null) { // found since that listing
        statuses.add(status);
      }
    }
    return statuses;
  }

  private void addStatuses(boolean isServed, int most, List<EntryStatus> to) {
    for (Slot slot : scan.slots()) {
      if (to.size() == most) {
        return;
      }
      if (slot.state() instanceof Served == isServed) {
        to.add(EntryStatus.of(slot));
      }
    }
  }

  /** Returns how often the directory was scanned. */
  public long scans() {
    return scan.count();
  }

  /**
   * Returns the time for scans, and for reading, adding and withdrawing files, in nanoseconds. The
   * time for comparing the generations of files that have not changed is not included.
   */
  public long refreshNanos() {
    return refreshNanos;
  }

  /** Returns the number of bytes of all files that are mapped, served or not. */
  public long mappedBytes() {
    long bytes = 0;
    for (Slot slot : scan.slots()) {
      bytes += slot.mapping() == null ? 0 : slot.mapping().size();
    }
    return bytes;
  }

  /** Sets the rules for the files. They are applied to each file when it is examined next. */
  public void setRules(FileRules rules) {
    this.rules = rules;
  }

  /**
   * Reads all files again, also those that have not changed. If more is served than the budget
   * permits, because its limits have changed, files are left out.
   */
  public void reload() {
    leaveOutExcess();
    scan.slots().forEach(slot -> slot.isToReload = true);
    scan.invalidate();
    scanTime.set(SCAN_NANOS, nanoTime.getAsLong());
    refreshAll();
  }

  @Override
  public void close() {
    scan.slots().forEach(slot -> enter(slot, new Closed(FileState.WAITING)));
    tell();
    toUnmap.forEach(MmvMapping::close);
    toUnmap.clear();
    posix.close();
  }

  /** Returns whether there is anything to {@link #tell}. */
  private boolean hasNews() {
    return !withdrawn.isEmpty() || !loaded.isEmpty() || !leftOut.isEmpty();
  }

  private void tell() {
    leftOut.list().forEach(listener::fault);
    leftOut = new Faults();
    changedRecords = 0;
    if (withdrawn.isEmpty() && loaded.isEmpty()) {
      return;
    }
    withdrawn.sort(Comparator.comparing(MmvFile::name));
    loaded.sort(Comparator.comparing(MmvFile::name));
    listener.changed(new Change(List.copyOf(withdrawn), List.copyOf(loaded)));
    withdrawn.forEach(file -> unmap(file.mapping()));
    withdrawn.clear();
    loaded.clear();
  }

  private boolean scanIfDue(long time) {
    boolean isDue = scanTime.left(SCAN_NANOS, time) > 0 && scan.isDue(time);
    if (isDue) {
      DirectoryScan.Outcome outcome = scan.run(time);
      long nanos = nanoTime.getAsLong() - time;
      scanTime.spend(nanos);
      refreshNanos += nanos;
      outcome.faults().forEach(listener::fault);
      for (Slot slot : outcome.gone()) {
        backlog.remove(slot);
        toClose.add(slot);
      }
      outcome.changed().forEach(this::enqueue);
      if (!outcome.gone().isEmpty()) {
        budget.forgetIdleOwners();
      }
    }
    return isDue;
  }

  private void enqueue(Slot slot) {
    if (slot.isWaiting) {
      return;
    }
    FileStatus entry = posix.entryStatus(slot.name);
    FileStatus file = entry != null && entry.isLink() ? posix.status(slot.name) : entry;
    if (file != null) { // null: the file was removed, and a scan finds that
      slot.owner = budget.owner(entry.owner());
      slot.file = FileId.of(file);
      backlog.add(slot, file.size());
      enqueued++;
    }
  }

  private void sweep(long time, int files, int changedFiles) {
    swept = time;
    if (!inFlux.isEmpty() && inFlux.size() <= MAX_WATCHED) {
      for (Slot slot : List.copyOf(inFlux)) {
        look(slot, time);
      }
    }
    List<Slot> slots = scan.slots();
    long until = enqueued + changedFiles;
    for (int i = Math.min(files, slots.size()); i > 0 && enqueued < until; i--) {
      look(turns.next(slots), time);
    }
    compareStatuses(time, slots);
  }

  /** Compares the sizes and times of some files. No file is compared twice in a second. */
  private void compareStatuses(long time, List<Slot> slots) {
    for (int i = Math.min(STATUSES_PER_SWEEP, slots.size()); i > 0; i--) {
      if (statusTurns.isRoundOver(slots)) {
        if (time - statusRound < STATUS_NANOS) {
          return;
        }
        statusRound = time;
      }
      Slot slot = statusTurns.next(slots);
      if (hasOtherStatus(slot)) {
        enqueue(slot);
      }
    }
  }

  /** Takes the files in turn, in the order of the last scan. */
  private static final class Turns {
    private int next;

    boolean isRoundOver(List<Slot> slots) {
      return next >= slots.size();
    }

    Slot next(List<Slot> slots) {
      if (isRoundOver(slots)) {
        next = 0;
      }
      return slots.get(next++);
    }
  }

  /**
   * Examines a file if its generations, its process or the budget have changed; reports a file that
   * has been unfinished for 5 s.
   */
  private void look(Slot slot, long time) {
    boolean hasChanged =
        switch (slot.state()) {
          case Served(MmvFile file) -> !isGood(file);
          case InFlux(Watch watch, _) -> watch.hasChanged();
          case Refused(Watch watch, _) -> watch.hasChanged();
          case ProcessGone(Watch watch) -> watch.hasChanged();
          case OverBudget(MmvCounts counts) -> budget.canMakeRoom(slot.owner, counts);
          case Linked(FileId file) -> hasRoom(file);
          case Unavailable(Retry retry) -> retry.isDue(time);
          case TooShort _ -> !slot.reportedUnfinished && hasOtherStatus(slot);
          case Closed _, Excluded _, Waiting _ -> false; // compareStatuses finds their changes
        };
    if (hasChanged) {
      enqueue(slot);
    } else if (!slot.reportedUnfinished && time - slot.unfinishedSince(time) >= PATIENCE_NANOS) {
      slot.reportedUnfinished = true; // whatever the application writes from now on
      giveBack(slot);
      refuse(slot, unfinished(slot.state()));
    }
  }

  /** Returns whether the size or a time of a file has changed, unless it is examined anyway. */
  private boolean hasOtherStatus(Slot slot) {
    return !slot.isWaiting && !posix.hasStatus(slot.name, slot.status);
  }

  private static boolean isServed(Slot slot, MmvFile file) {
    return slot.state() instanceof Served served && served.file() == file;
  }

  private boolean isGood(MmvFile file) {
    return file.isCurrent() && !isProcessGone(file.schema());
  }

  private boolean isProcessGone(MmvSchema schema) {
    return !rules.ignoresProcess() && schema.isProcessGone();
  }

  /** Opens and maps a file, and enters the state that results. */
  private void examine(Slot slot, long time) {
    if (!rules.admits(slot.bytes)) {
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
    boolean isToReload = slot.isToReload;
    slot.isToReload = false;
    try {
      MmvSchema schema = MmvFile.readSchema(slot.name, mapping, budget.limits());
      if (schema == null) {
        enter(slot, new InFlux(watch, slot.unfinishedSince(time)));
      } else if (isProcessGone(schema)) {
        enter(slot, new ProcessGone(watch));
      } else if (slot.state() instanceof Served(MmvFile file)
          && file.schema().digest() == schema.digest()
          && isSameFile(file.mapping().status(), mapping.status())
          && !file.isCutOff()
          && !isToReload) {
        mapping.close(); // the file was written to, but its metadata is the same
      } else {
        serve(slot, schema, watch);
      }
    } catch (MmvFormatException e) {
      enter(slot, new Refused(watch, FileState.REFUSED));
      refuse(slot, e.fault());
    }
  }

  private static boolean isSameFile(FileStatus before, FileStatus now) {
    return before.inode() == now.inode()
        && before.device() == now.device()
        && before.size() == now.size();
  }

  private void serve(Slot slot, MmvSchema schema, Watch watch) {
    enter(slot, new Closed(FileState.WAITING)); // gives the file's counts back to the budget
    MmvCounts counts = MmvCounts.of(schema);
    if (!makeRoom(slot.owner, counts)) {
      watch.mapping().close();
      leaveOut(slot, counts);
      return;
    }
    MmvFile file = new MmvFile(schema, watch.mapping());
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
  private void leaveOutExcess() {
    List<Slot> last =
        scan.slots().stream()
            .filter(slot -> slot.payer != null)
            .sorted(Comparator.<Slot, String>comparing(slot -> slot.name).reversed())
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
    MmvFault fault = notServed(new MmvFault(slot.name, obstacle));
    slot.countFaults(List.of(fault), clock);
    if (!slot.reported.contains(fault)) {
      slot.reported = List.of(fault);
      if (leftOut.isFirst(obstacle)) {
        leftOut.add(obstacle, fault);
      }
    }
  }

  /** Returns whether a file may be mapped under one more name. */
  private boolean hasRoom(FileId file) {
    return mapped.getOrDefault(file, 0) < MAX_LINKS;
  }

  /** Withdraws a file that was removed, or truncated while it was read. */
  private void withdraw(Slot slot) {
    boolean wasTruncated =
        slot.state() instanceof Served(MmvFile file)
            && file.isCutOff()
            && scan.slot(slot.name) == slot;
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
    report(slot, List.of(notServed(fault)));
  }

  private static MmvFault notServed(MmvFault fault) {
    return new MmvFault(
        fault.file(),
        fault.entry(),
        fault.offset(),
        fault.reason() + ". No metrics of it are served.");
  }

  private boolean report(Slot slot, List<MmvFault> faults) {
    slot.countFaults(faults, clock);
    List<MmvFault> added = faults.stream().filter(fault -> !slot.reported.contains(fault)).toList();
    slot.reported = List.copyOf(faults);
    added.forEach(listener::fault);
    return !added.isEmpty();
  }
}
