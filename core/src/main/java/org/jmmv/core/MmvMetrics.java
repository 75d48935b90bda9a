package org.jmmv.core;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.PmidList;
import org.jmmv.pcp.Printable;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.fault.FileName;
import org.jmmv.reader.watch.Budget;
import org.jmmv.reader.watch.Change;
import org.jmmv.reader.watch.DirectoryWatcher;
import org.jmmv.reader.watch.WorkBudget;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The metrics of the MMV files of all directories.
 *
 * <p>Files are added and withdrawn one by one; the other files are not read again. The result is
 * the same as if all files had been added in the order of {@link FileName}, except for assigned
 * clusters and InDoms, which are kept.
 */
final class MmvMetrics implements MetricSource, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MmvMetrics.class);

  /**
   * How long after a request numbers are saved that there was no time for. Without it, they would
   * be lost if no request comes any more and the process is killed.
   */
  private static final long SAVE_NANOS = 1_000_000_000;

  private final FaultListener faults;
  private final DebugOptions debug;
  private final NameTree names;
  private final Changes changes;
  private final Budget budget;
  private final WorkBudget time;
  private final DirectoryWatcher watcher;
  private final FileEntries entries;
  private final AssignedNumbers numbers;
  private final ValueReader reader = new ValueReader();
  private RequestState current = new RequestState(reader, new Selections());
  private final FileMerger merger;
  private final MergedFiles merged;
  private final SkippedLog skipped = new SkippedLog();
  private final HeapTrim heap = new HeapTrim();
  private final Consumer<Change> merge = this::merge; // made once, not for each request
  private final Consumer<FileRecord> checkFile = this::checkFile; // likewise
  private long request;
  private boolean isOutdated; // whether the request concerns files that have changed
  private boolean haveLabels; // whether the settings of any directory have some

  /** Creates the metrics of files. No file is read before {@link #load} or {@link #begin}. */
  MmvMetrics(CatalogOptions with, NameTree names, Changes changes) {
    this.names = names;
    this.changes = changes;
    faults = with.faults;
    debug = with.debug;
    budget = new Budget(with.settings.limits());
    time = new WorkBudget(budget);
    watcher = new DirectoryWatcher(with.directory, budget, time);
    numbers = new AssignedNumbers(with.clusters.map(NumberMemory::new), time);
    merger = new FileMerger(with, watcher, numbers, names);
    merged = merger.merged();
    entries = new FileEntries(watcher.entries(), merger, names);
    set(with.settings);
  }

  // ---------------------------------------------------------------- requests

  /** Begins a request, and refreshes the objects that it concerns. */
  RequestState begin(Scope scope, Selections selections) {
    request++;
    endRequest(selections);
    boolean isReloading = isReloading(); // only the client that has asked for it waits
    if (!isReloading) {
      time.beginRequest(scope instanceof Scope.AllFiles);
      poll();
    }
    long start = System.nanoTime();
    check(scope);
    current.checked(start, System.nanoTime());
    if (isOutdated && !isReloading) {
      poll();
    }
    isOutdated = false;
    numbers.save();
    logSkipped();
    selections.begin(changes.version());
    return current;
  }

  /** Lets the watcher work, and merges what has changed, as long as there is time. */
  private void poll() {
    Change change;
    do {
      change = watcher.poll();
      time.merge(change, merge);
    } while (change.hasMore());
    if (watcher.isStarted() && numbers.endStart()) {
      merger.endStart();
      changes.add(true);
    }
  }

  /** Checks the files that a request concerns. */
  private void check(Scope scope) {
    switch (scope) {
      case Scope.OfMetric(int pmid) -> checkMetric(pmid);
      case Scope.OfMetrics(PmidList pmids) -> {
        for (int i = 0; i < pmids.count(); i++) {
          checkMetric(pmids.pmid(i));
        }
      }
      case Scope.OfName(String name) -> checkMetric(names.pmid(name));
      case Scope.OfInDom(int inDom) -> checkInDom(inDom);
      case Scope.OfLabels(int type, int ident) -> {
        if (type == LabelType.INDOM) {
          checkInDom(ident);
        } else {
          merged.filesOf(Pmid.cluster(ident)).forEach(this::check);
        }
      }
      case Scope.AllFiles _, Scope.NoFiles _ -> {}
    }
  }

  private void checkMetric(int pmid) {
    SharedMetric metric = merged.metric(pmid);
    if (metric != null) {
      check(metric.records());
    }
  }

  private void checkInDom(int inDom) {
    SharedInDom instances = merged.instances(inDom);
    if (instances != null) {
      check(instances.records());
    }
  }

  private void check(FileRecords<?> records) {
    if (records.checkedBy != request) { // a request can name a metric thousands of times
      records.checkedBy = request;
      records.forEach(checkFile);
    }
  }

  private void checkFile(FileRecord record) {
    check(record.file());
  }

  private void check(ServedFile file) {
    if (file.checkedBy != request) {
      file.checkedBy = request;
      if (!file.file.isCurrent()) {
        watcher.recheck(file.file);
        isOutdated = true;
      }
    }
  }

  @Override
  public Metric metric(int pmid) {
    SharedMetric metric = merged.metric(pmid);
    return metric != null && metric.isServed() ? metric : null;
  }

  @Override
  public InstanceDomain instanceDomain(int inDom, RequestState asking) {
    return merged.instances(inDom);
  }

  @Override
  public Labels labels(int type, int ident) {
    if (type == LabelType.DOMAIN || Pmid.domain(ident) != merged.domain()) {
      return null; // a cluster of pmcd may have the number of one of files
    }
    Labels own = merged.labels().of(type, ident, 0);
    if (type != LabelType.CLUSTER || !haveLabels) {
      return own;
    }
    List<Labels> all = new ArrayList<>();
    for (ServedFile file : merged.oneOfEachDirectory(Pmid.cluster(ident))) {
      Labels ofDirectory = watcher.settings(file.id()).labels();
      if (!ofDirectory.entries().isEmpty()) {
        all.add(ofDirectory);
      }
    }
    if (own != null) {
      all.add(own);
    }
    return all.isEmpty() ? null : Labels.merge(all);
  }

  int fileCount() {
    return merger.files().size();
  }

  DirectoryWatcher watcher() {
    return watcher;
  }

  WorkBudget time() {
    return time;
  }

  Budget budget() {
    return budget;
  }

  FileEntries entries() {
    return entries;
  }

  /**
   * Ends the last request, and withdraws the files that it has found truncated: until now what it
   * has found had to stay valid.
   *
   * @param selections those of the next request
   */
  private void endRequest(Selections selections) {
    current.end();
    if (!current.truncated().isEmpty()) { // or each request would make the consumer
      current.truncated().forEach(watcher::withdraw);
    }
    current = new RequestState(reader, selections);
  }

  /** Saves assigned numbers, gives their memory free for another agent, and closes all files. */
  @Override
  public void close() {
    numbers.close();
    watcher.close();
  }

  /** Replaces the settings, and has the files read again that have other settings now. */
  void set(SettingsSource.Settings next) {
    watcher.set(next.limits(), next.directories());
    haveLabels = next.directories().stream().anyMatch(one -> !one.labels().entries().isEmpty());
    changes.add(true);
  }

  /** Begins to examine all files again, which {@link #work} goes on with. */
  void reload() {
    time.beginReload();
    watcher.reload();
  }

  /** Returns whether the last reload goes on, and has not taken as long as a request may wait. */
  boolean isReloading() {
    return hasBacklog() && !time.isReloadOver();
  }

  /** Reads all files at a start. */
  void load() {
    endRequest(new Selections());
    time.beginStart();
    poll();
    numbers.save();
    logSkipped();
  }

  /** Returns whether files wait to be loaded or withdrawn. */
  boolean hasBacklog() {
    return !current.truncated().isEmpty() || watcher.hasBacklog();
  }

  /** Loads and withdraws files that wait, and saves assigned numbers, until the turn is over. */
  void work(Turn turn) {
    if (!turn.isOver()) {
      endRequest(new Selections());
      if (watcher.hasBacklog()) {
        time.beginPause(turn.nanosLeft());
        poll();
      }
      numbers.save();
    }
    time.charge(heap.trim());
  }

  /** Returns when {@link #work} is to be called again, as {@link Catalog#idle} does. */
  long nanosUntilWork() {
    return hasBacklog() ? 0 : numbers.isUnsaved() ? SAVE_NANOS : -1;
  }

  private void merge(Change change) {
    change.faults().forEach(faults::fault);
    if (!change.hasFiles()) {
      return;
    }
    List<MmvFile> withdrawn = change.withdrawn();
    List<MmvFile> loaded = change.loaded();
    merger.update(withdrawn, loaded);
    changes.add(haveLabels || haveLabels(withdrawn) || haveLabels(loaded));
    if (debug.appl0()) {
      withdrawn.forEach(file -> LOG.debug("{}: withdrawn", printable(file.id())));
      loaded.forEach(file ->
          LOG.debug(
              "{}: loaded, {} metrics", printable(file.id()), file.schema().metrics().size()));
    }
  }

  private static boolean haveLabels(List<MmvFile> files) {
    return files.stream().anyMatch(file -> !file.schema().labels().isEmpty());
  }

  private void logSkipped() {
    if (debug.appl0()) {
      skipped.log(entries.names().stream().map(watcher.entries()::status));
    } else {
      skipped.clear();
    }
  }

  private static String printable(FileName file) {
    return Printable.printable(file.toString());
  }
}
