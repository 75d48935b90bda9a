package org.jmmv.core;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Pmcd;
import org.jmmv.reader.watch.DirectoryWatcher;
import org.jmmv.reader.watch.Limit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All served metrics: those of the MMV files of one or several directories, and those of this
 * program ({@code mmv.control}, if the root of the names is {@code mmv}). Not thread-safe: one
 * thread owns the catalogue and everything that it returns.
 *
 * <p>Each request calls {@link #begin}, which refreshes the part of the catalogue that the {@link
 * Scope} names, and asks the returned {@link View}.
 */
public final class Catalog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Catalog.class);

  private final NameTree names = new NameTree();
  private final Changes changes = new Changes();
  private final FetchCounts fetches = new FetchCounts();
  private final LongestStep steps = new LongestStep(System.nanoTime());
  private final int domain;
  private final String version;
  private final boolean hasPmcd;
  private final SettingsSource settings;
  private final MmvMetrics files;
  private long reloads; // number of those that have begun
  private volatile boolean isReloadDue; // set by other threads, too
  private volatile boolean areSettingsDue; // likewise
  private final MetricSource[] sources; // an array: a list makes an iterator for each PMID

  /** Creates a catalogue that has not read any file yet. */
  public Catalog(CatalogOptions with) {
    domain = with.domain;
    version = with.version;
    hasPmcd = with.pmcdClients != null;
    settings = with.source;
    files = new MmvMetrics(with, names, changes);
    List<MetricSource> all = new ArrayList<>();
    all.add(files);
    if (hasPmcd) {
      all.add(new PmcdMetrics(with.pmcdFacts, with.pmcdClients, names));
    }
    all.add(new ControlMetrics(with, files, fetches, steps, this::requestReload, names));
    sources = all.toArray(MetricSource[]::new);
  }

  /** Returns whether the metrics of a domain are served here. */
  public boolean hasDomain(int domain) {
    return domain == this.domain || (domain == Pmcd.DOMAIN && hasPmcd);
  }

  /** Returns whether an instance domain is one of files. */
  public boolean isOfFiles(int inDom) {
    return InDom.domain(inDom) == domain && InDom.serial(inDom) != InDomAllocator.SERIAL_OF_FILES;
  }

  /** Begins a request: applies changed settings, and refreshes what the request concerns. */
  public View begin(Scope scope) {
    return begin(scope, new Selections());
  }

  /**
   * Begins a turn of a request that may take several.
   *
   * @param selections what it has selected in earlier turns
   */
  public View begin(Scope scope, Selections selections) {
    applySettings();
    return new View(names, sources, files, files.begin(scope, selections));
  }

  /** Applies changed settings, of which some say whether a request is permitted. */
  public void applySettings() {
    boolean isNow = areSettingsDue;
    if (isNow) {
      areSettingsDue = false; // not always: another thread may set it in between
    }
    SettingsSource.Settings changed = settings.changed(isNow);
    if (changed != null) {
      files.set(changed);
    }
  }

  /**
   * Reads all files, as long as a request may wait. Called before the first request, so that it
   * finds them read. {@link #idle} goes on with it.
   */
  public void load() {
    readFiles(files::load);
  }

  /** Returns a line for the log that says what is served. */
  public String summary() {
    List<Path> directories = files.watcher().paths();
    int others = directories.size() - 1;
    return "version %s: %s of %s in %s%s are served%s"
        .formatted(
            version,
            count(names.namesOfFiles(), "metric", "metrics"),
            count(files.fileCount(), "file", "files"),
            directories.getFirst(),
            others == 0 ? "" : " and " + count(others, "other directory", "other directories"),
            files.hasBacklog() ? "; other files are still being read" : "");
  }

  private static String count(int number, String one, String several) {
    return number + " " + (number == 1 ? one : several);
  }

  /** Returns the counts of fetches. The code that answers a fetch adds it. */
  public FetchCounts fetches() {
    return fetches;
  }

  /** Returns the longest step. The code that gives turns adds them. */
  public LongestStep steps() {
    return steps;
  }

  /** Returns what a limit permits, see {@link #used}. */
  public long max(Limit limit) {
    return files.budget().max(limit);
  }

  /**
   * Returns what is used of a limit.
   *
   * @param limit one of {@link Limit#COUNTED}
   * @return a number, of memory one of bytes
   */
  public long used(Limit limit) {
    return files.budget().used(limit);
  }

  /** Returns whether files wait to be read or withdrawn: requests had no time for all of them. */
  public boolean hasBacklog() {
    return files.hasBacklog();
  }

  /**
   * Returns whether all files that were there at the start have been read; see {@link
   * DirectoryWatcher#isStarted}.
   */
  public boolean isStarted() {
    return files.watcher().isStarted();
  }

  /**
   * Does what is due between requests: begins a reload that was requested, reads and withdraws
   * files that wait, saves numbers that were assigned to files, and returns memory that is not used
   * any more to the system. An exception is logged.
   *
   * @param turn how long files are read; a large one may take longer. If it is over, none are, and
   *     the last view stays valid
   * @return after how many nanoseconds this method is to be called again if no request comes;
   *     negative: not before the next request
   */
  public long idle(Turn turn) {
    readFiles(() -> {
      if (isReloadDue && !files.isReloading()) {
        reload();
      }
      files.work(turn);
    });
    return files.nanosUntilWork();
  }

  private void reload() {
    isReloadDue = false;
    reloads++;
    applySettings();
    files.reload();
  }

  private static void readFiles(Runnable reading) {
    try {
      reading.run();
    } catch (RuntimeException | InternalError e) {
      LOG.error("the files can't be read yet", e);
    }
  }

  /**
   * Has the settings read again by the next request or {@link #idle}, and all files by {@link
   * #idle}. Until a file has been read, it is served as before. Any thread may call this method.
   */
  public void requestReload() {
    areSettingsDue = true;
    isReloadDue = true;
  }

  /** Returns the next reload if a store has requested one, otherwise null. */
  public Reload dueReload() {
    return isReloadDue ? new Reload() : null;
  }

  /**
   * A reload that a client waits for. It goes on in the turns of that client, who so pays for it,
   * and in {@link #idle}. Any number of clients can wait for one reload. After it has taken as long
   * as a request may wait for files, it is over, and the files that are left are read like others.
   */
  public final class Reload {
    private final long number = reloads + 1;

    private Reload() {}

    /** Goes on until the turn is over. Returns whether the reload is over. */
    public boolean goOn(Turn turn) {
      if (!isOver()) {
        idle(turn);
      }
      return isOver();
    }

    private boolean isOver() {
      return reloads > number || (reloads == number && !files.isReloading());
    }
  }

  /**
   * Returns the time that requests have spent on files, in nanoseconds, with that for returning
   * memory. This work serves all clients, so the one that has sent the request is not charged for
   * it.
   */
  public long waitedNanos() {
    return files.time().waitedNanos();
  }

  /** Returns the log of changes to names and labels. */
  public Changes changes() {
    return changes;
  }

  /**
   * Saves the numbers that are assigned to files, releases the lock on the file that keeps them,
   * and closes all files.
   */
  @Override
  public void close() {
    files.close();
  }
}
