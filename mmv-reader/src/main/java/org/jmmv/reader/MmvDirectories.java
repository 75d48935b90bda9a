package org.jmmv.reader;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jmmv.posix.FileStatus;
import org.jmmv.posix.PosixDirectory;
import org.jmmv.reader.TrackedFile.Served;

/**
 * The MMV files of one or several directories. It finds new, changed and removed files, and reports
 * them to a listener.
 *
 * <p>Files whose names begin with a dot and entries that are not regular files are skipped;
 * symbolic links are followed, except behind the entries that a {@link DirectoryScan} reads first.
 * Files are examined in the order of {@link FileName}. A file that can't be served is examined
 * again when its generation, size or time changes; a file beyond a limit when there is room, or
 * when its size or time changes. A file or directory that can't be opened because no descriptor or
 * memory is left is tried again after 1 s, and then less and less often. While an application
 * starts, its file is too short for a header, or in flux (the generation numbers differ or are 0).
 * This is reported as a fault only if it lasts for 5 s.
 *
 * <p>A fault is not reported again while the file has it, also if the file was read again. At most
 * 100,000 directory entries are read at once, and at most 10,000 files that are not served are
 * mapped to watch their generations; of others, changes of size and time are noticed. All
 * directories together have these limits, the {@link Budget} and the time. Of the entries, each
 * directory has an equal share; in the budget, users have shares, whatever directories their files
 * are in. Directories take turns to be scanned.
 *
 * <p>Changes are detected in two ways. A scan of a directory finds files that were added, removed
 * or replaced; it takes place when the directory's time has changed. A sweep, at most one per
 * millisecond, finds changes in the files themselves. It compares the generations of 512 files and
 * checks their processes, and it compares the sizes and times of 16 files, of each file at most
 * once a second. The latter is necessary because libpcp_mmv uses the time in seconds as the
 * generation: a file rewritten within the same second may have the same generation. All files take
 * turns, whatever their state, so the time of a sweep is bounded. In addition, every sweep checks
 * all files in flux if there are at most 64 of them.
 *
 * <p>A served file of which only the times have changed is not read again if its {@link
 * Fingerprint} is the same. A file that takes more than 50 ms to examine is not examined again
 * before ten times that time is over; if it changes meanwhile, it is withdrawn.
 *
 * <p>Not thread-safe. All work is done in the caller's thread, within calls of the methods.
 */
public final class MmvDirectories implements AutoCloseable {
  private static final long SWEEP_NANOS = 1_000_000;

  /** The distance between the ranks of directories, so that others fit in between. */
  private static final long RANK_GAP = 1L << 40;

  /**
   * The time for scans at once, 50 ms. In the long run they may take a quarter of the time: a scan
   * of a hundred thousand entries may take a second, and anybody can change the directory all the
   * time.
   */
  static final long SCAN_NANOS = 50_000_000;

  static final int SCAN_SHARE = 4;

  /**
   * The minimum time for scans at once, 10 ms. To go on with a scan costs up to 1 ms: file systems
   * read and sort a block of entries for it.
   */
  private static final long MIN_SCAN_NANOS = 10_000_000;

  /** Requests may spend one part in so many of all time on files that wait. */
  private static final int REQUEST_SHARE = 4;

  /** The time for examining a file from which on it is expensive, 50 ms. */
  private static final long EXPENSIVE_NANOS = 50_000_000;

  /**
   * An expensive file is not examined again before so many times that time is over, so that the
   * files of one user leave time for others, however often they change.
   */
  private static final int REST = 10;

  /** The number of files that a sweep checks. */
  private static final int FILES_PER_SWEEP = 512;

  /** A sweep of more files reads the clock once for so many of them. */
  private static final int FILES_PER_CLOCK = 64;

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

  /**
   * How long the listener is expected to take for a record of a changed file, in nanoseconds, until
   * it has taken longer. Most records take a third of it.
   */
  private static final long NANOS_PER_RECORD = 10_000;

  /**
   * The number of records after which the listener is told. Files choose how long their records
   * take, which is found out in this way before there are too many.
   */
  private static final long MAX_RECORDS = 5_000;

  /**
   * A change of the set of files. Both lists are in the order of {@link FileName}.
   *
   * @param withdrawn files that are no longer served; they must not be read after {@link
   *     Listener#changed} has returned
   * @param loaded files that are served from now on. A file that was rewritten is in both lists, as
   *     two objects
   */
  public record Change(List<MmvFile> withdrawn, List<MmvFile> loaded) {}

  /** Receives changes and faults, during calls of the methods of {@link MmvDirectories}. */
  public interface Listener {
    /**
     * The set of files has changed. The listener passes the faults of each loaded file to {@link
     * #record}, with those that it has found itself.
     */
    void changed(Change change);

    /**
     * A file has a fault, or a directory.
     *
     * @param fault a fault that was not reported before
     */
    void fault(Fault fault);
  }

  private final Path standard;
  private final int maxEntries;
  private final Budget budget;
  private final Listener listener;
  private final LongSupplier nanoTime;
  private final FaultBook book;
  private final Loader loader;
  private MmvDirectory[] directories = {}; // an array: a list makes an iterator for each loop
  private int scanTurn; // index of the directory that is scanned first if several have to be
  private final Turns turns = new Turns();
  private final Turns statusTurns = new Turns();
  private final Backlog backlog = new Backlog();
  private final Deque<TrackedFile> toClose = new ArrayDeque<>(); // removed or truncated files
  private long refreshNanos;
  private long scans; // of directories that are not served any more
  private long enqueued; // how often a file was added to the backlog
  private long swept;
  private long statusRound; // when statuses were last compared from the first file on
  private final TimeCredit scanTime;
  private final TimeCredit listingTime; // for entries that are skipped
  private final TimeCredit requestTime; // for files that wait
  private long deadline; // of the current request, in nanoseconds of nanoTime
  private long nanosPerRecord = NANOS_PER_RECORD; // at least what the last full change took

  /**
   * Creates an object for one directory, which need not exist yet. Nothing is read before the first
   * {@link #refresh}.
   *
   * @param standard the path of the directory, and later that of a directory whose settings have
   *     none. It is encoded with the character set {@code sun.jnu.encoding}
   * @param budget the limits of what is served, and the counts
   * @param listener receives changes and faults
   */
  public MmvDirectories(Path standard, Budget budget, Listener listener) {
    this(
        standard,
        budget,
        listener,
        System::nanoTime,
        InstantSource.system(),
        DirectoryScan.MAX_ENTRIES);
  }

  /** As the next one, with the system's time of day. */
  MmvDirectories(
      Path standard, Budget budget, Listener listener, LongSupplier nanoTime, int maxEntries) {
    this(standard, budget, listener, nanoTime, InstantSource.system(), maxEntries);
  }

  /**
   * As the public constructor, for tests.
   *
   * @param nanoTime a clock in the place of {@link System#nanoTime}
   * @param clock the time of day
   * @param maxEntries the maximum number of entries to read of all directories
   */
  MmvDirectories(
      Path standard,
      Budget budget,
      Listener listener,
      LongSupplier nanoTime,
      InstantSource clock,
      int maxEntries) {
    this.standard = standard;
    this.maxEntries = maxEntries;
    this.budget = budget;
    this.listener = listener;
    this.nanoTime = nanoTime;
    book = new FaultBook(clock);
    loader = new Loader(budget, listener, book);
    long time = nanoTime.getAsLong();
    swept = time - SWEEP_NANOS;
    statusRound = time - STATUS_NANOS;
    scanTime = new TimeCredit(SCAN_SHARE, SCAN_NANOS, time);
    listingTime = new TimeCredit(SCAN_SHARE, SCAN_NANOS, time);
    requestTime = new TimeCredit(REQUEST_SHARE, allowance(), time);
    set(List.of(DirectorySettings.DEFAULT));
  }

  /**
   * Replaces the directories and their settings. {@link #reload} then applies the settings to all
   * files. Files of a directory that is not in the list any more are withdrawn at once. So are
   * those of one that has changed its place relative to others in the list, or has become or was
   * the first: their names are other ones now (see {@link FileName}), so they are found anew.
   *
   * @param wanted at least one; no two have the same path
   */
  public void set(List<DirectorySettings> wanted) {
    List<MmvDirectory> next = new ArrayList<>();
    long last = -1;
    for (int i = 0; i < wanted.size(); i++) {
      Path path = path(wanted.get(i));
      MmvDirectory known = directory(path);
      if (known == null || known.rank <= last || (known.rank == 0) != (i == 0)) {
        long rank = i == 0 ? 0 : rankBetween(last, wanted.subList(i + 1, wanted.size()));
        known = new MmvDirectory(path, rank, listingTime, nanoTime, this::enqueue);
      }
      last = known.rank;
      next.add(known);
    }
    Stream.of(directories).filter(directory -> !next.contains(directory)).forEach(this::remove);
    loader.tell(); // in the old order
    for (int i = 0; i < next.size(); i++) {
      next.get(i).set(wanted.get(i), Math.max(1, maxEntries / next.size()));
    }
    directories = next.toArray(MmvDirectory[]::new);
    scanTurn = 0;
    turns.restart();
    statusTurns.restart();
  }

  private Path path(DirectorySettings settings) {
    return settings.path().orElse(standard);
  }

  /** Returns the directory with a path, or null. */
  private MmvDirectory directory(Path path) {
    return Stream.of(directories).filter(one -> one.path.equals(path)).findAny().orElse(null);
  }

  /**
   * Returns a rank behind another one, and if possible before those of later directories, which
   * then keep theirs.
   */
  private long rankBetween(long last, List<DirectorySettings> later) {
    long next =
        later.stream()
            .map(settings -> directory(path(settings)))
            .filter(known -> known != null && known.rank > last + 1)
            .mapToLong(known -> known.rank)
            .findFirst()
            .orElse(last + 2 * RANK_GAP);
    return last + (next - last) / 2;
  }

  /** Returns the paths of the directories. */
  public List<Path> paths() {
    return Stream.of(directories).map(MmvDirectory::path).toList();
  }

  private void remove(MmvDirectory directory) {
    scans += directory.scan.count();
    for (TrackedFile tracked : directory.trackedFiles()) {
      backlog.remove(tracked);
      loader.close(tracked);
    }
    toClose.removeIf(tracked -> {
      boolean isThere = tracked.directory == directory;
      if (isThere) {
        loader.close(tracked);
      }
      return isThere;
    });
    directory.posix.close();
    budget.forgetIdleOwners();
  }

  /**
   * Checks for changes: scans the directories whose times have changed, and sweeps the files unless
   * there was a sweep within the last millisecond. A request calls this method or {@link
   * #refreshAll} first; its time for loading files begins with that.
   */
  public void refresh() {
    long time = beginRequest();
    boolean hasScanned = scanIfDue(time, SCAN_NANOS);
    withdraw();
    if (time - swept >= SWEEP_NANOS) {
      sweep(time, hasScanned ? FILES_AFTER_SCAN : FILES_PER_SWEEP, MAX_CHANGED);
    }
    catchUp();
  }

  /**
   * Reads files at a start, as {@link #refreshAll} does, but for three times the time of a request,
   * of which a third may be spent on scans. If the first request follows immediately, it does not
   * wait for files again.
   */
  public void load() {
    long start = nanoTime.getAsLong();
    deadline = start + 3 * allowance();
    long time = start;
    do {
      scanTime.set(SCAN_NANOS, time);
      scanIfDue(time, SCAN_NANOS);
      time = nanoTime.getAsLong();
    } while (isScanUnfinished() && time - start < allowance());
    sweepAll(time);
    requestTime.set(hasBacklog() ? 0 : allowance(), nanoTime.getAsLong());
  }

  /**
   * As {@link #refresh}, but always checks the generations and processes of all files, unless the
   * request has no time left, and compares sizes and times however long ago it last did so.
   */
  public void refreshAll() {
    long time = beginRequest();
    scanIfDue(time, SCAN_NANOS);
    sweepAll(time);
  }

  private void sweepAll(long time) {
    withdraw();
    statusRound = time - STATUS_NANOS;
    sweep(time, Integer.MAX_VALUE, Integer.MAX_VALUE);
    catchUp();
  }

  /**
   * Sets the deadline for the files that wait. Requests may spend a quarter of the time on them in
   * the long run, and at most {@link Limit#WAIT} at once: many requests can arrive together.
   */
  private long beginRequest() {
    long time = nanoTime.getAsLong();
    deadline = time + requestTime.left(allowance(), time);
    return time;
  }

  /** Returns the maximum time that requests may spend at once, in nanoseconds. */
  private long allowance() {
    return budget.limits().of(Limit.WAIT) * 1_000_000L;
  }

  /**
   * Returns whether files wait to be examined, withdrawn or unmapped, or entries of a directory to
   * be read.
   */
  public boolean hasBacklog() {
    return !backlog.isEmpty() || !toClose.isEmpty() || loader.hasToUnmap() || isScanUnfinished();
  }

  private boolean isScanUnfinished() {
    for (MmvDirectory directory : directories) {
      if (directory.scan.isUnfinished()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Scans, examines and withdraws files that wait, between requests. If it takes longer, because a
   * file is large, the rest counts as if requests had spent it: a request that has waited for it
   * does not wait for another file as well.
   *
   * @param nanos how long, in nanoseconds
   */
  public void catchUp(long nanos) {
    long time = nanoTime.getAsLong();
    deadline = time + nanos;
    if (isScanUnfinished()) {
      scanIfDue(time, nanos);
    }
    timed(this::work);
    charge(Math.max(0, nanoTime.getAsLong() - deadline));
  }

  /**
   * Counts time of the caller as if requests had spent it on files that wait: the time for
   * collecting the garbage that these files make. So a request that has waited for that does not
   * wait for files as well.
   *
   * @param nanos how long, in nanoseconds
   */
  public void charge(long nanos) {
    requestTime.spend(nanos);
  }

  /** Withdraws removed files at the expense of requests. */
  private void withdraw() {
    if (!toClose.isEmpty() && !isOver()) {
      requestTime.spend(timed(this::withdrawRemoved));
    }
  }

  /** Works at the expense of requests. */
  private void catchUp() {
    if (hasBacklog() || loader.hasNews()) {
      requestTime.spend(timed(this::work));
    }
  }

  /** Works, and returns how long it took, in nanoseconds. */
  private long timed(Runnable work) {
    long start = nanoTime.getAsLong();
    work.run();
    long nanos = nanoTime.getAsLong() - start;
    refreshNanos += nanos;
    return nanos;
  }

  /** Withdraws, examines and unmaps files until the deadline. */
  private void work() {
    withdrawRemoved();
    while (!backlog.isEmpty() && toClose.isEmpty() && !isOver()) {
      TrackedFile tracked = backlog.take();
      long start = nanoTime.getAsLong();
      boolean isRead = !loader.isUnchanged(tracked);
      if (isRead) {
        loader.examine(tracked, start);
      }
      long nanos = tellInTime() - start;
      if (isRead) {
        tracked.loads++;
        tracked.loadNanos += nanos;
      }
      tracked.rest = nanos < EXPENSIVE_NANOS ? null : new Retry(start + nanos, REST * nanos);
    }
    loader.tell();
    while (loader.hasToUnmap() && !isOver()) {
      loader.unmapNext();
    }
  }

  /** Withdraws removed files until the deadline. That makes room in the budget. */
  private void withdrawRemoved() {
    while (!toClose.isEmpty() && !isOver()) {
      loader.withdraw(toClose.remove());
      tellInTime();
    }
  }

  /**
   * Passes the change to the listener if it is full, or if the time until the deadline might not
   * allow a larger one. Returns the time before that.
   */
  private long tellInTime() {
    long time = nanoTime.getAsLong();
    long records = loader.changedRecords();
    if (records >= MAX_RECORDS) {
      loader.tell();
      nanosPerRecord = Math.max(NANOS_PER_RECORD, (nanoTime.getAsLong() - time) / records);
    } else if (records * nanosPerRecord >= deadline - time) {
      loader.tell();
    }
    return time;
  }

  private boolean isOver() {
    return nanoTime.getAsLong() - deadline >= 0;
  }

  /** Returns whether any file is in flux: its application is writing the metadata. */
  public boolean isInFlux() {
    return !loader.inFlux().isEmpty();
  }

  /**
   * Checks the generation and the process of a served file. If one of them has changed, the file is
   * examined, or its values can't be read until it is: the new metadata may be at other offsets.
   */
  public void check(MmvFile file) {
    TrackedFile tracked = slotOf(file);
    if (tracked != null && !file.isCurrent()) {
      file.cutOff();
      enqueue(tracked);
      if (!isOver()) {
        catchUp();
      }
    }
  }

  /**
   * Withdraws a file after {@link FileTruncated}. If the request has no time left, the next one
   * does it, and until then no values of the file can be read. The file is examined again when it
   * changes.
   */
  public void drop(MmvFile file) {
    TrackedFile tracked = slotOf(file);
    if (tracked != null) {
      file.cutOff();
      toClose.add(tracked);
      if (!isOver()) {
        withdraw();
        loader.tell();
      }
    }
  }

  /**
   * Records the faults of a served file, with those that were found when it was merged with others.
   *
   * @return those that do not repeat one of the last faults of a file of this name
   */
  public List<Fault> record(MmvFile file, List<Fault> faults) {
    TrackedFile tracked = slotOf(file);
    return tracked == null ? List.of() : book.record(tracked.page, faults);
  }

  /** Returns the settings of the directory of a file. */
  public DirectorySettings settings(FileName name) {
    return directory(name).settings();
  }

  private MmvDirectory directory(FileName name) {
    for (MmvDirectory directory : directories) {
      if (directory.rank == name.rank()) {
        return directory;
      }
    }
    throw new IllegalArgumentException(name.toString());
  }

  /** Returns the tracked of a file that is served, otherwise null. */
  private TrackedFile slotOf(MmvFile file) {
    TrackedFile tracked = directory(file.id()).scan.tracked(file.id().name());
    return tracked != null && tracked.state() instanceof Served served && served.file() == file
        ? tracked
        : null;
  }

  /**
   * Returns the status of every entry of the directories: first of the files that are served, then
   * of other files, in the order of the last scans, and last of the entries that are skipped. Of
   * the latter there are at most 1,000 for each directory, among the entries that a scan reads at
   * once. If listing them has taken a quarter of the time lately, they are those of the last
   * listing. The time grows linearly with the number of entries.
   *
   * @param most the maximum number of entries
   */
  public List<EntryStatus> statuses(int most) {
    List<EntryStatus> statuses = new ArrayList<>();
    addStatuses(true, most, statuses);
    addStatuses(false, most, statuses);
    for (MmvDirectory directory : directories) {
      for (EntryStatus status : directory.skipped()) {
        if (statuses.size() < most) {
          statuses.add(status);
        }
      }
    }
    return statuses;
  }

  private void addStatuses(boolean isServed, int most, List<EntryStatus> to) {
    for (MmvDirectory directory : directories) {
      for (TrackedFile tracked : directory.trackedFiles()) {
        if (to.size() == most) {
          return;
        }
        if (tracked.state() instanceof Served == isServed) {
          to.add(EntryStatus.of(tracked));
        }
      }
    }
  }

  /** Returns how often a directory was scanned. */
  public long scans() {
    return scans + Stream.of(directories).mapToLong(directory -> directory.scan.count()).sum();
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
    for (MmvDirectory directory : directories) {
      for (TrackedFile tracked : directory.trackedFiles()) {
        bytes += tracked.mapping() == null ? 0 : tracked.mapping().size();
      }
    }
    return bytes;
  }

  /**
   * Reads all files again, also those that have not changed. If more is served than the budget
   * permits, because its limits have changed, files are left out.
   */
  public void reload() {
    List<TrackedFile> trackedFiles = new ArrayList<>();
    for (MmvDirectory directory : directories) {
      trackedFiles.addAll(directory.trackedFiles());
      directory.scan.invalidate();
    }
    loader.leaveOutExcess(trackedFiles);
    trackedFiles.forEach(tracked -> tracked.isToReload = true);
    scanTime.set(SCAN_NANOS, nanoTime.getAsLong());
    refreshAll();
  }

  @Override
  public void close() {
    Stream.of(directories).forEach(this::remove);
    loader.tell();
    while (loader.hasToUnmap()) {
      loader.unmapNext();
    }
  }

  /**
   * Scans directories as long as there is time for scans. They take turns, so that one that changes
   * all the time does not delay the others.
   *
   * @param nanos how long at most, in nanoseconds
   * @return whether any directory was scanned
   */
  private boolean scanIfDue(long time, long nanos) {
    boolean hasScanned = false;
    long start = time;
    for (int i = directories.length; i > 0; i--) {
      long left = Math.min(time + nanos - start, scanTime.left(SCAN_NANOS, start));
      if (left < MIN_SCAN_NANOS) {
        break;
      }
      MmvDirectory directory = directories[scanTurn];
      scanTurn = (scanTurn + 1) % directories.length;
      if (directory.scan.isDue(start)) {
        start = scan(directory, start, start + left);
        hasScanned = true;
      }
    }
    return hasScanned;
  }

  /** Scans a directory until a deadline, and returns the time at the end. */
  private long scan(MmvDirectory directory, long start, long deadline) {
    DirectoryScan.Outcome outcome = directory.scan.run(start, deadline);
    if (outcome.faults() != null) {
      book.record(directory.page, outcome.faults()).forEach(listener::fault);
    }
    for (TrackedFile tracked : outcome.gone()) {
      backlog.remove(tracked);
      toClose.add(tracked);
    }
    if (!outcome.gone().isEmpty()) {
      budget.forgetIdleOwners();
    }
    long end = nanoTime.getAsLong();
    scanTime.spend(end - start);
    refreshNanos += end - start;
    return end;
  }

  private void enqueue(TrackedFile tracked) {
    boolean isKnown = tracked.directory.scan.tracked(tracked.name) == tracked; // not removed
    if (tracked.isWaiting || !isKnown) {
      return;
    }
    if (tracked.rest != null && !tracked.rest.isDue(nanoTime.getAsLong())) {
      loader.withdrawIfOutdated(tracked); // a later sweep finds it again
      return;
    }
    PosixDirectory posix = tracked.directory.posix;
    FileStatus entry = posix.entryStatus(tracked.name);
    FileStatus file = entry != null && entry.isLink() ? posix.status(tracked.name) : entry;
    if (file != null) { // null: the file was removed, and a scan finds that
      tracked.owner = budget.owner(entry.owner());
      tracked.file = FileId.of(file);
      backlog.add(tracked, file.size());
      enqueued++;
    }
  }

  private void sweep(long time, int files, int changedFiles) {
    swept = time;
    Set<TrackedFile> inFlux = loader.inFlux();
    if (!inFlux.isEmpty() && inFlux.size() <= MAX_WATCHED) {
      for (TrackedFile tracked : List.copyOf(inFlux)) {
        look(tracked, time);
      }
    }
    int known = 0;
    for (MmvDirectory directory : directories) {
      known += directory.trackedFiles().size();
    }
    long until = enqueued + changedFiles;
    for (int i = 0; i < Math.min(files, known) && enqueued < until; i++) {
      if (i >= FILES_PER_SWEEP && i % FILES_PER_CLOCK == 0 && isOver()) {
        break;
      }
      look(turns.next(), time);
    }
    compareStatuses(time, Math.min(STATUSES_PER_SWEEP, known));
  }

  /** Compares the sizes and times of some files. No file is compared twice in a second. */
  private void compareStatuses(long time, int files) {
    for (int i = files; i > 0; i--) {
      if (statusTurns.isRoundOver()) {
        if (time - statusRound < STATUS_NANOS) {
          return;
        }
        statusRound = time;
      }
      TrackedFile tracked = statusTurns.next();
      if (tracked.hasOtherStatus()) {
        enqueue(tracked);
      }
    }
  }

  /** Takes the files of all directories in turn, in the order of the last scans. */
  private final class Turns {
    private int directory;
    private int next;

    void restart() {
      directory = 0;
      next = 0;
    }

    boolean isRoundOver() {
      while (next >= directories[directory].trackedFiles().size()) {
        if (directory == directories.length - 1) {
          return true;
        }
        directory++;
        next = 0;
      }
      return false;
    }

    /** Returns the next file. There must be one in any directory. */
    TrackedFile next() {
      if (isRoundOver()) {
        restart();
        isRoundOver(); // passes over directories without files
      }
      return directories[directory].trackedFiles().get(next++);
    }
  }

  /** Examines a file if it may have changed, or reports that it has been unfinished for 5 s. */
  private void look(TrackedFile tracked, long time) {
    if (loader.hasChanged(tracked, time)) {
      enqueue(tracked);
    } else {
      loader.reportIfUnfinished(tracked, time);
    }
  }
}
