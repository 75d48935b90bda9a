package org.jmmv.reader.watch;

import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The time for finding and loading files: how long a request waits for them at once, and how much
 * of all time requests, questions about writers and saves may take in the long run. Work is done in
 * turns, each of which begins with one of the {@code begin} methods; {@link DirectoryWatcher#poll}
 * then works until the turn's time is over. All times are in nanoseconds of one clock.
 */
public final class WorkBudget {
  /**
   * Requests may wait for files for a quarter of the time in which they do not. Scans may take a
   * quarter of all time.
   */
  private static final int SHARE = 4;

  /**
   * The time for scans at once, and for saves, 50 ms. A scan of a hundred thousand entries may take
   * a second, and anybody can change the directory all the time.
   */
  static final long SCAN_NANOS = 50_000_000;

  /** Saving assigned numbers may take a fiftieth of all time. */
  private static final int SHARE_OF_SAVES = 50;

  /**
   * Questions about writers may take a five-hundredth of all time, some 200 a second: a thousand
   * running applications must not cost more of a CPU than that.
   */
  private static final int SHARE_OF_QUESTIONS = 500;

  /** The time for questions at once, 10 ms: after a pause, ten thousand may be due. */
  private static final long QUESTION_NANOS = 10_000_000;

  /**
   * The expected time for merging a record of a changed file, until merging has taken longer. Most
   * records take a third of it.
   */
  private static final long NANOS_PER_RECORD = 10_000;

  /**
   * The number of records after which a change is merged: those that are expected to take as long
   * as scans may. Files choose how long their records take, which is found out in this way before
   * there are too many.
   */
  private static final long MAX_RECORDS = SCAN_NANOS / NANOS_PER_RECORD;

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

  private final Budget budget;
  private final LongSupplier clock;
  private final TimeShare requests;
  private final TimeShare saves;
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
    this(budget, System::nanoTime);
  }

  /** As the public constructor, for tests, with a clock in the place of the system's. */
  WorkBudget(Budget budget, LongSupplier clock) {
    this.budget = budget;
    this.clock = clock;
    long time = now();
    requests = new TimeShare(SHARE, this::maxWait, time);
    saves = share(SHARE_OF_SAVES, SCAN_NANOS);
    reloadEnd = time;
  }

  /** Returns the share for scans. */
  TimeShare shareForScans() {
    return share(SHARE, SCAN_NANOS);
  }

  /** Returns the share for questions about the writers of files. */
  TimeShare shareForQuestions() {
    return share(SHARE_OF_QUESTIONS, QUESTION_NANOS);
  }

  private TimeShare share(int part, long max) {
    return new TimeShare(part, () -> max, now());
  }

  /**
   * Begins a request, which may wait as long as {@code --max-wait} permits, if requests have not
   * waited for their share of the time lately: many can arrive together.
   *
   * @param isFull whether all files are checked for changes, or only some
   */
  public void beginRequest(boolean isFull) {
    long time = now();
    begin(isFull ? Occasion.FULL_REQUEST : Occasion.REQUEST, time + requests.left(time));
  }

  /** Begins a reload that somebody waits for. The turns that follow go on with it. */
  public void beginReload() {
    reloadEnd = now() + maxWait();
  }

  /** Returns whether the last reload has taken as long as a request may wait. */
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
   * are read anyway, a request does not wait for them again. If it takes longer than it may,
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
      addLoading(nanos);
      if (change.records() >= MAX_RECORDS) {
        nanosPerRecord = Math.max(NANOS_PER_RECORD, nanos / change.records());
      }
    }
    if (!change.hasMore()) {
      chargeRequests();
    }
  }

  /** Counts the turn at the expense of requests. */
  private void chargeRequests() {
    switch (occasion) {
      case REQUEST, FULL_REQUEST -> requests.spendUntil(now(), worked);
      case START -> {
        requests.refill(now());
        requests.spendUpTo(worked);
      }
      case PAUSE -> {
        long late = Math.max(0, now() - deadline);
        requests.spendUpTo(worked - late);
        requests.spend(late);
      }
    }
    worked = 0;
  }

  /**
   * Counts time of the caller as if requests had spent it on files: the time for collecting the
   * garbage that these files make. A request that has waited for that does not also wait for files.
   */
  public void charge(long nanos) {
    requests.spend(nanos);
    waited += nanos;
  }

  /**
   * Saves numbers that were assigned to files, unless that has taken more than its share lately.
   *
   * @return whether they are saved
   */
  public boolean save(Runnable write) {
    long start = now();
    if (saves.left(start) <= 0) {
      return false;
    }
    write.run();
    long nanos = now() - start;
    saves.spend(nanos);
    total += nanos;
    charge(nanos);
    return true;
  }

  /**
   * Returns the time for scans, questions, loading, merging and withdrawing files, and saving
   * assigned numbers. The time for comparing the generations of files that have not changed is not
   * included.
   */
  public long totalNanos() {
    return total;
  }

  /**
   * Returns the time that requests have spent on files, with what was {@linkplain #charge counted}
   * like it. This work serves all clients, so the one that has sent the request is not charged for
   * it.
   */
  public long waitedNanos() {
    return waited;
  }

  /** Returns the time for a request, as the limits permit it. */
  long maxWait() {
    return budget.limits().of(Limit.WAIT) * 1_000_000L;
  }

  long now() {
    return clock.getAsLong();
  }

  /** Returns the occasion of the turn if it has just begun, otherwise null. */
  Occasion takeNew() {
    Occasion begun = isNew ? occasion : null;
    isNew = false;
    return begun;
  }

  boolean isStart() {
    return occasion == Occasion.START;
  }

  long deadline() {
    return deadline;
  }

  boolean isOver() {
    return now() - deadline >= 0;
  }

  /**
   * Returns whether the turn's time is over, or a change has to be merged before anything is added
   * to it.
   *
   * @param records the change's records
   */
  boolean isFull(int records) {
    return records >= MAX_RECORDS || records * nanosPerRecord >= deadline - now();
  }

  /** Counts the time that loading, merging or withdrawing files has taken. */
  void addLoading(long nanos) {
    worked += nanos;
    addLooking(nanos);
  }

  /** Counts the time of a scan, or of questions about writers, which have shares of their own. */
  void addLooking(long nanos) {
    total += nanos;
    if (occasion == Occasion.REQUEST || occasion == Occasion.FULL_REQUEST) {
      waited += nanos;
    }
  }
}
