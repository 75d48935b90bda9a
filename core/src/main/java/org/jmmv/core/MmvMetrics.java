package org.jmmv.core;

import static java.util.stream.Collectors.toMap;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.PmidList;
import org.jmmv.pcp.Printable;
import org.jmmv.reader.Fault;
import org.jmmv.reader.FaultKind;
import org.jmmv.reader.Faults;
import org.jmmv.reader.FileName;
import org.jmmv.reader.Labels;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvMetric;
import org.jmmv.reader.MmvSchema;
import org.jmmv.reader.Place;
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

  private final String root;
  private final int domain;
  private final FaultListener faults;
  private final DebugOptions debug;
  private final NameTree names;
  private final Changes changes;
  private final Budget budget;
  private final WorkBudget time;
  private final DirectoryWatcher watcher;
  private final FileEntries entries;
  private final AssignedNumbers numbers;
  private final ClusterAllocator clusters;
  private final TreeMap<FileName, ServedFile> files = new TreeMap<>();
  private final TreeMap<FileName, MmvFile> withoutCluster = new TreeMap<>();
  private final Values values = new Values();
  private final MergedFiles merged;
  private final SkippedLog skipped = new SkippedLog();
  private long request;
  private boolean isOutdated; // whether the request concerns files that have changed
  private boolean haveLabels; // whether the settings of any directory have some
  private volatile boolean isReloadDue; // set by other threads, too

  /**
   * Creates the metrics of one directory, see {@link #set}. No file is read before the first {@link
   * #refresh}.
   *
   * @param root the first component of all names
   * @param domain the domain of all PMIDs and instance domains, 1 to 510
   * @param directory the path of the directory, and of one whose settings have no path; it need not
   *     exist
   * @param memory keeps assigned numbers across restarts
   * @param settings the first settings
   * @param faults receives the faults of files
   */
  MmvMetrics(
      String root,
      int domain,
      Path directory,
      Optional<NumberMemory> memory,
      SettingsSource.Settings settings,
      DebugOptions debug,
      NameTree names,
      Changes changes,
      FaultListener faults) {
    this.root = root;
    this.domain = domain;
    this.faults = faults;
    this.debug = debug;
    this.names = names;
    this.changes = changes;
    merged = new MergedFiles(domain, names, values);
    budget = new Budget(settings.limits());
    time = new WorkBudget(budget);
    watcher = new DirectoryWatcher(directory, budget, time);
    entries = new FileEntries(watcher, files, names);
    numbers = new AssignedNumbers(memory);
    clusters = numbers.clusters();
    set(settings);
  }

  // ---------------------------------------------------------------- requests

  @Override
  public void refresh(Scope scope) {
    request++;
    withdrawTruncated();
    time.beginRequest(scope instanceof Scope.OfAll);
    poll();
    check(scope);
    if (isOutdated) {
      isOutdated = false;
      poll();
    }
    numbers.save();
    logSkipped();
  }

  /** Lets the watcher work, and merges what has changed, as long as there is time. */
  private void poll() {
    Change change;
    do {
      change = watcher.poll();
      time.merge(change, this::merge);
    } while (change.hasMore());
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
      case Scope.OfAll _ -> {}
    }
  }

  private void checkMetric(int pmid) {
    SharedMetric metric = merged.metric(pmid);
    if (metric != null) {
      check(metric.parts());
    }
  }

  private void checkInDom(int inDom) {
    SharedInDom instances = merged.instances(inDom);
    if (instances != null) {
      check(instances.parts());
    }
  }

  private void check(Parts<?> parts) {
    if (parts.checkedBy != request) { // a request can name a metric thousands of times
      parts.checkedBy = request;
      List<? extends Parts.Part> list = parts.list();
      for (int i = 0; i < list.size(); i++) { // an iterator for each metric would be garbage
        check(list.get(i).file());
      }
    }
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
  public InstanceDomain instanceDomain(int inDom) {
    return merged.instances(inDom);
  }

  @Override
  public Labels labels(int type, int ident) {
    Labels own = merged.labels().of(type, ident, 0);
    if (type != LabelType.CLUSTER || !haveLabels) {
      return own;
    }
    List<Labels> all = new ArrayList<>();
    merged.filesOf(Pmid.cluster(ident)).stream()
        .collect(toMap(file -> file.id().rank(), ServedFile::id, (first, _) -> first, TreeMap::new))
        .values()
        .stream()
        .map(file -> watcher.settings(file).labels())
        .filter(set -> !set.entries().isEmpty())
        .forEach(all::add);
    if (own != null) {
      all.add(own);
    }
    return all.isEmpty() ? null : Labels.merge(all);
  }

  /** The number of files that are served. */
  int fileCount() {
    return files.size();
  }

  /** Returns the paths of the directories. */
  List<Path> paths() {
    return watcher.paths();
  }

  /** Returns what is served of the limits. */
  Budget budget() {
    return budget;
  }

  /** Returns the entries of the directories. */
  FileEntries entries() {
    return entries;
  }

  long refreshNanos() {
    return time.totalNanos();
  }

  /** Returns whether the application of any file is writing it. */
  boolean isInFlux() {
    return watcher.isInFlux();
  }

  /**
   * Withdraws the files that the last request has found truncated: until now what it has found had
   * to stay valid.
   */
  private void withdrawTruncated() {
    values.truncated().forEach(watcher::withdraw);
    values.beginRequest();
  }

  /** Closes all files, and gives the memory free for another agent. */
  @Override
  public void close() {
    watcher.close();
    numbers.close();
  }

  /** Replaces the settings. {@link #reload} then applies them to all files. */
  void set(SettingsSource.Settings next) {
    budget.setLimits(next.limits());
    watcher.set(next.directories());
    haveLabels = next.directories().stream().anyMatch(one -> !one.labels().entries().isEmpty());
    changes.add(true);
  }

  /** Makes {@link #isReloadDue} return true. Any thread may call this method. */
  void requestReload() {
    isReloadDue = true;
  }

  boolean isReloadDue() {
    return isReloadDue;
  }

  /** Reads all files again. */
  void reload() {
    isReloadDue = false;
    watcher.reload();
    time.beginReload();
    poll();
    numbers.save();
  }

  /** Reads all files at a start. */
  void load() {
    time.beginStart();
    poll();
    numbers.save();
    logSkipped();
  }

  /** Returns whether files wait to be loaded or withdrawn. */
  boolean hasBacklog() {
    return !values.truncated().isEmpty() || watcher.hasBacklog();
  }

  /** Loads and withdraws files that wait, for a time in nanoseconds. */
  void catchUp(long nanos) {
    withdrawTruncated();
    time.beginPause(nanos);
    poll();
    numbers.save();
  }

  /** Counts time as if requests had spent it on files that wait. */
  void charge(long nanos) {
    time.charge(nanos);
  }

  // ---------------------------------------------------------------- changes

  private void merge(Change change) {
    change.faults().forEach(faults::fault);
    if (!change.hasFiles()) {
      return;
    }
    List<MmvFile> withdrawn = change.withdrawn();
    List<MmvFile> loaded = change.loaded();
    update(withdrawn, loaded);
    changes.add(haveLabels || haveLabels(withdrawn) || haveLabels(loaded));
    if (debug.appl0()) {
      withdrawn.forEach(file -> LOG.debug("{}: withdrawn", printable(file.id())));
      loaded.forEach(file ->
          LOG.debug(
              "{}: loaded, {} metrics", printable(file.id()), file.schema().metrics().size()));
    }
  }

  private void logSkipped() {
    if (debug.appl0()) {
      skipped.log(entries.statuses());
    } else {
      skipped.clear();
    }
  }

  private static boolean haveLabels(List<MmvFile> files) {
    return files.stream().anyMatch(file -> !file.schema().labels().isEmpty());
  }

  private void update(List<MmvFile> withdrawn, List<MmvFile> loaded) {
    List<ServedFile> out = new ArrayList<>();
    List<MmvFile> in = new ArrayList<>(loaded);
    for (MmvFile file : withdrawn) {
      clusters.leave(file.id().toString());
      ServedFile served = files.get(file.id());
      if (served != null && served.file == file) {
        files.remove(file.id());
        out.add(served);
        if (file.schema().cluster() != 0) {
          clusters.free(file.schema().cluster());
        }
      }
    }
    for (MmvFile file : loaded) {
      int cluster = file.schema().cluster();
      if (cluster != 0) {
        clusters.reserve(cluster);
        // a file with an assigned cluster is the only one in it
        ServedFile other = merged.firstOf(cluster);
        if (other != null && other.schema().cluster() == 0 && files.remove(other.id()) != null) {
          faults.fault(Fault.of(FaultKind.CLUSTER_LOST, Place.of(other.id()), cluster, file.id()));
          out.add(other);
          in.add(other.file);
        }
      }
    }
    List<Claim> withdrawnClaims = new ArrayList<>();
    out.forEach(file -> remove(file, withdrawnClaims));
    List<Claim> addedClaims = new ArrayList<>();
    addAll(in, withdrawn, addedClaims);
    Map<FileName, Faults> conflicts = new TreeMap<>();
    names.update(
        withdrawnClaims,
        addedClaims,
        (claim, owner) -> {
          Faults faults = conflicts.computeIfAbsent(claim.file(), _ -> new Faults());
          FaultKind kind =
              owner.name().equals(claim.name()) ? FaultKind.NAME_TAKEN : FaultKind.NAME_CONFLICTS;
          if (faults.count(kind)) {
            faults.keep(conflict(kind, claim, owner));
          }
        });
    in.forEach(file -> conflicts.computeIfAbsent(file.id(), _ -> new Faults()));
    conflicts.forEach((name, faults) -> report(files.get(name), faults));
  }

  /** Adds files, and tries again to add those that have no cluster, because all were in use. */
  private void addAll(List<MmvFile> in, List<MmvFile> withdrawn, List<Claim> claims) {
    withdrawn.forEach(file -> withoutCluster.remove(file.id(), file));
    in.sort(Comparator.comparing(MmvFile::id));
    for (MmvFile file : in) {
      if (file.schema().cluster() == 0) {
        clusters.arrive(
            file.id().toString()); // before any cluster is assigned, which could be this file's
      }
    }
    List<MmvFile> served = clusters.isExhausted() ? List.of() : addWaiting(claims);
    for (MmvFile file : in) {
      int cluster =
          file.schema().cluster() != 0
              ? file.schema().cluster()
              : clusters.assign(file.id().toString());
      if (cluster == 0) {
        withoutCluster.put(file.id(), file);
        watcher
            .record(file, List.of(Fault.of(FaultKind.NO_CLUSTER, Place.of(file.id()))))
            .forEach(this.faults::fault);
      } else {
        add(new ServedFile(file, cluster), claims);
      }
    }
    in.addAll(served);
  }

  /** Adds the files that have waited for a cluster and get one now, and returns them. */
  private List<MmvFile> addWaiting(List<Claim> claims) {
    List<MmvFile> served = new ArrayList<>();
    for (MmvFile file : withoutCluster.values()) {
      int cluster = clusters.assign(file.id().toString());
      if (cluster != 0) {
        add(new ServedFile(file, cluster), claims);
        served.add(file);
      }
    }
    served.forEach(file -> withoutCluster.remove(file.id()));
    return served;
  }

  private static String printable(FileName file) {
    return Printable.printable(file.toString());
  }

  /** Logs the faults of a file, and how many of its metrics are served in spite of them. */
  private void report(ServedFile file, Faults conflicts) {
    if (file == null) {
      return; // it has no cluster
    }
    MmvSchema schema = file.schema();
    List<Fault> faults = new ArrayList<>(schema.faults());
    faults.addAll(conflicts.list());
    List<Fault> added = watcher.record(file.file, faults);
    added.forEach(this.faults::fault);
    if (!added.isEmpty()) {
      this.faults.partlyServed(file.id(), entries.summary(file));
    }
  }

  private Fault conflict(FaultKind kind, Claim claim, Claim owner) {
    MmvMetric metric = metricOf(claim);
    Place place = new Place(claim.file(), Place.Section.METRICS, metric.index(), metric.offset());
    String by =
        owner.file().equals(Claim.AGENT)
            ? "the agent itself"
            : owner.file().equals(claim.file())
                ? "metric[" + metricOf(owner).index() + "]"
                : "file " + owner.file();
    return kind == FaultKind.NAME_TAKEN
        ? Fault.of(kind, place, claim.name(), by)
        : Fault.of(kind, place, claim.name(), owner.name(), by);
  }

  private MmvMetric metricOf(Claim claim) {
    return files.get(claim.file()).schema().metrics().get(claim.index());
  }

  private void add(ServedFile file, List<Claim> claims) {
    files.put(file.id(), file);
    file.acquireInDoms(numbers.inDoms());
    file.claimNames(root, watcher.settings(file.id()).prefix(), domain);
    claims.addAll(file.claims());
    merged.add(file);
  }

  private void remove(ServedFile file, List<Claim> claims) {
    claims.addAll(file.claims());
    merged.remove(file);
    file.releaseInDoms(numbers.inDoms());
  }
}
