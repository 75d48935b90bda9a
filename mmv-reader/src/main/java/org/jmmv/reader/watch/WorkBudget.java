package org.jmmv.reader.watch;

import java.util.function.Consumer;

/**
 * The time for finding and loading files: how long a request waits for them at once, and how much
 * of all time requests, scans, listings and saves may take in the long run. Work is done in turns,
 * each of which begins with one of the {@code begin} methods; {@link DirectoryWatcher#poll} then
 * works until the turn's time is over. All times are in nanoseconds of one {@link WorkClock}, and
 * all shares are of the time that passes, because they bound how long requests wait. Only what a
 * single file costs is time at work.
 */
public final class WorkBudget implements AutoCloseable {
  /**
   * The time for scans at once, 50 ms. A scan of a hundred thousand entries may take a second, and
   * anybody can change the directory all the time.
   */
  static final long SCAN_NANOS = 50_000_000;

  /**
   * Scans and listings may each take a quarter of all time, and requests a quarter of that in which
   * they do not wait for files.
   */
  private static final int SHARE = 4;

  /** Saving assigned numbers may take a fiftieth of all time. */
  private static final int SHARE_OF_SAVES = 50;

  /** The time for saving assigned numbers at once, 100 ms: usually one takes less than one. */
  private static final long SAVE_NANOS = 100_000_000;

  /**
   * The expected time for merging a record of a changed file, until merging has taken longer. Most
   * records take a third of it.
   */
  private static final long NANOS_PER_RECORD = 10_000;

  /**
   * The number of records after which a change is merged. Files choose how long their records take,
   * which is found out in this way before there are too many.
   */
  private static final int MAX_RECORDS = 5_000;

  /** When a turn takes place. */
  enum Occasion {
    /** A request that looks for changes of some files. */
    REQUEST,

    /** A request that looks for changes of all files. */
    FULL_REQUEST,

    /** The start, before the first request. */
    START,

    /** Time between requests. */
    PAUSE
  }

  /** A share of all time in the long run, and never more than a maximum at once. */
  private static final class Credit {
    private final int share; // one part of so many
    private long left;
    private long credited; // when time was last added

    Credit(int share, long left, long time) {
      this.share = share;
      set(left, time);
    }

    void set(long nanos, long time) {
      left = nanos;
      credited = time;
    }

    /** Spends time that ends now, and of which no share is added. */
    void spend(long nanos, long time) {
      left -= nanos;
      credited = time;
    }

    /** Adds the share of the time since the last call, and returns what is left. */
    long left(long max, long time) {
      left = Math.min(max, left + (time - credited) / share);
      credited = time;
      return left;
    }
  }

  private final Budget budget;
  private final WorkClock clock;
  private final Credit requests;
  private final Credit scans;
  private final Credit listings;
  private final Credit saves;
  private Occasion occasion = Occasion.REQUEST;
  private boolean isNew; // whether the turn has not looked for changes yet
  private long deadline;
  private long reloadEnd; // when nobody waits any longer for the last reload
  private long worked; // in this turn, as far as it was not spent yet
  private long total;
  private long waited; // by requests
  private long nanosPerRecord = NANOS_PER_RECORD;

  /**
   * Creates a budget of which nothing is spent.
   *
   * @param budget has the limit for the time that a request waits
   */
  public WorkBudget(Budget budget) {
    this(budget, new ThreadClock());
  }

  /**
   * As the public constructor, for tests.
   *
   * @param clock the clock in the place of the thread's
   */
  WorkBudget(Budget budget, WorkClock clock) {
    this.budget = budget;
    this.clock = clock;
    long time = now();
    requests = new Credit(SHARE, maxWait(), time);
    scans = new Credit(SHARE, SCAN_NANOS, time);
    listings = new Credit(SHARE, SCAN_NANOS, time);
    saves = new Credit(SHARE_OF_SAVES, SAVE_NANOS, time);
    reloadEnd = time;
  }

  /**
   * Begins a request, which may wait as long as {@code --max-wait} permits, if requests have not
   * waited for their share of the time lately: many can arrive together.
   *
   * @param isFull whether all files are checked for changes, or only some
   */
  public void beginRequest(boolean isFull) {
    long time = now();
    begin(isFull ? Occasion.FULL_REQUEST : Occasion.REQUEST, time + requests.left(maxWait(), time));
  }

  /** Begins a reload that somebody waits for. The turns that follow go on with it. */
  public void beginReload() {
    reloadEnd = now() + maxWait();
  }

  /** Returns whether whoever has asked for a reload has waited as long as a request may. */
  public boolean isReloadOver() {
    return now() - reloadEnd >= 0;
  }

  /**
   * Begins a start, which takes three times the time of a request, of which two thirds may be spent
   * on scans. If a request follows immediately, it does not wait for files again.
   */
  public void beginStart() {
    begin(Occasion.START, now() + 3 * maxWait());
  }

  /**
   * Begins to work between requests. That uses up the time for which requests may wait: while files
   * are read anyway, a request does not wait for them as well. If it takes longer than it may,
   * because a file is large, the rest counts even if no time is left.
   *
   * @param nanos how long it may take; a reload that somebody waits for ends it earlier
   */
  public void beginPause(long nanos) {
    long time = now();
    long wait = reloadEnd - time;
    begin(Occasion.PAUSE, time + (wait > 0 ? Math.min(nanos, wait) : nanos));
  }

  private void begin(Occasion next, long end) {
    occasion = next;
    isNew = true;
    deadline = end;
    worked = 0;
  }

  /**
   * Merges a change that {@link DirectoryWatcher#poll} has returned, and counts the time for it.
   *
   * @param merge receives the change, unless it is empty
   */
  public void merge(Change change, Consumer<Change> merge) {
    if (change.hasFiles() || !change.faults().isEmpty()) {
      long start = now();
      merge.accept(change);
      long nanos = now() - start;
      worked(nanos);
      if (change.records() >= MAX_RECORDS) {
        nanosPerRecord = Math.max(NANOS_PER_RECORD, nanos / change.records());
      }
    }
    if (!change.hasMore()) {
      spend();
    }
  }

  /** Counts the turn at the expense of requests. */
  private void spend() {
    switch (occasion) {
      case REQUEST, FULL_REQUEST -> requests.spend(worked, now());
      case PAUSE -> {
        long late = Math.max(0, now() - deadline);
        requests.left -= late + Math.clamp(requests.left, 0, Math.max(0, worked - late));
      }
      case START -> {
        long time = now();
        requests.set(time - deadline >= 0 ? 0 : maxWait(), time);
      }
    }
    worked = 0;
  }

  /**
   * Counts time of the caller as if requests had spent it on files: the time for collecting the
   * garbage that these files make. A request that has waited for that does not wait for files as
   * well.
   */
  public void charge(long nanos) {
    requests.left -= nanos;
    waited += nanos;
  }

  /**
   * Saves numbers that were assigned to files, unless that has taken more than its share lately.
   *
   * @return whether they are saved
   */
  public boolean save(Runnable write) {
    long start = now();
    if (saves.left(SAVE_NANOS, start) <= 0) {
      return false;
    }
    write.run();
    long nanos = now() - start;
    saves.left -= nanos;
    total += nanos;
    charge(nanos);
    return true;
  }

  /**
   * Returns the time for scans, for loading, merging and withdrawing files, and for saving assigned
   * numbers. The time for comparing the generations of files that have not changed is not included.
   */
  public long totalNanos() {
    return total;
  }

  /**
   * Returns the time that requests have spent on files, with what was {@linkplain #charge counted}
   * like it. This work serves everybody, so whoever has sent a request is not charged for it.
   */
  public long waitedNanos() {
    return waited;
  }

  /** Returns the time for a request, as the limits permit it. */
  long maxWait() {
    return budget.limits().of(Limit.WAIT) * 1_000_000L;
  }

  long now() {
    return clock.now();
  }

  /** Returns the time at work, see {@link WorkClock#worked}. */
  long workTime() {
    return clock.worked();
  }

  /** Returns the occasion of the turn if it has just begun, otherwise null. */
  Occasion takeNew() {
    Occasion begun = isNew ? occasion : null;
    isNew = false;
    return begun;
  }

  /** Returns whether the turn is a start. */
  boolean isStart() {
    return occasion == Occasion.START;
  }

  /** Returns when the turn's time is over. */
  long deadline() {
    return deadline;
  }

  /** Returns whether the turn's time is over. */
  boolean isOver() {
    return now() - deadline >= 0;
  }

  /**
   * Returns whether a change has to be merged before anything is added to it.
   *
   * @param records the change's records
   * @param time the time now
   */
  boolean isFull(int records, long time) {
    return records >= MAX_RECORDS || records * nanosPerRecord >= deadline - time;
  }

  /** Counts the time that finding or loading files has taken. */
  void worked(long nanos) {
    worked += nanos;
    spent(nanos);
  }

  private void spent(long nanos) {
    total += nanos;
    if (occasion == Occasion.REQUEST || occasion == Occasion.FULL_REQUEST) {
      waited += nanos;
    }
  }

  /** Returns how long scans may take now. */
  long scanTime(long time) {
    return scans.left(SCAN_NANOS, time);
  }

  /** Lets scans take their time at once again. */
  void resetScanTime(long time) {
    scans.set(SCAN_NANOS, time);
  }

  /** Counts the time that a scan has taken. */
  void scanned(long nanos) {
    scans.left -= nanos;
    spent(nanos);
  }

  /** Returns whether skipped entries may be listed now. */
  boolean mayList(long time) {
    return listings.left(SCAN_NANOS, time) > 0;
  }

  /** Counts the time that a listing has taken. */
  void listed(long nanos) {
    listings.left -= nanos;
  }

  /** Closes the clock. */
  @Override
  public void close() {
    clock.close();
  }
}
