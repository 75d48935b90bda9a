package org.jmmv.core;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.PmidList;
import org.jmmv.reader.EntryStatus;
import org.jmmv.reader.FileState;
import org.jmmv.reader.LabelParser;
import org.jmmv.reader.Labels;
import org.jmmv.reader.Limits;
import org.jmmv.reader.MmvDirectories;
import org.jmmv.reader.MmvFile;

/**
 * All served metrics: those of the MMV files of one or several directories, and the agent's own
 * ({@code mmv.control}, if the root of the names is {@code mmv}). Not thread-safe: one thread owns
 * the catalogue and everything that it returns.
 *
 * <p>Each request calls one of the {@code fresh} methods. It refreshes the part of the catalogue
 * that the {@link Scope} names, and then returns that part. The returned object is valid until the
 * next call of a {@code fresh} method.
 */
public final class Catalog implements AutoCloseable {
  private static final int FEW_METRICS = 64;

  private final NameTree names = new NameTree();
  private final Changes changes = new Changes();
  private final FetchCounts fetches = new FetchCounts();
  private final String root;
  private final int domain;
  private final String version;
  private final MmvMetrics files;
  private final ControlMetrics control;
  private MetricSource[] sources; // an array: a list makes an iterator for each PMID
  private SettingsSource settings = _ -> null;
  private Metric[] found = new Metric[FEW_METRICS];

  /**
   * Creates a catalogue that has not read any file yet.
   *
   * @param root the first component of all names, {@code mmv} for pmdammv(1)'s
   * @param domain the domain of all PMIDs and instance domains, 1 to 510
   * @param pcpVersion PCP's major version, which decides what {@code mmv.control} has
   * @param version the agent's version
   * @param directory the directory of the MMV files, unless the settings name others; it need not
   *     exist
   * @param clusters the file that keeps assigned numbers across restarts, which need not exist;
   *     empty: they are not kept
   * @param limits the limits of what is served
   * @param debug the debug options; {@code mmv.control.debug} shows and sets them
   */
  public Catalog(
      String root,
      int domain,
      int pcpVersion,
      String version,
      Path directory,
      Optional<Path> clusters,
      Limits limits,
      DebugOptions debug) {
    this(root, domain, pcpVersion, version, directory, clusters, limits, debug, new FaultLog());
  }

  /**
   * As the other constructor, with a listener that receives the faults of files instead of the log.
   */
  public Catalog(
      String root,
      int domain,
      int pcpVersion,
      String version,
      Path directory,
      Optional<Path> clusters,
      Limits limits,
      DebugOptions debug,
      FaultListener faults) {
    Optional<NumberMemory> memory = clusters.map(NumberMemory::new);
    files = new MmvMetrics(root, domain, directory, memory, limits, debug, names, changes, faults);
    control = new ControlMetrics(root, domain, pcpVersion, version, files, fetches, debug, names);
    sources = new MetricSource[] {files, control};
    this.root = root;
    this.domain = domain;
    this.version = version;
  }

  /**
   * Sets the settings, and where later ones come from. Called before {@link #load}.
   *
   * @param source is asked at the beginning of each request, and by {@link #reload}
   */
  public void setSettings(SettingsSource.Settings first, SettingsSource source) {
    files.set(first);
    settings = source;
  }

  /**
   * Leaves out {@code mmv.control.file} and {@code mmv.control.agent}, which pmdammv(1) does not
   * have. Called before {@link #load}.
   */
  public void leaveOutStatus() {
    control.removeStatus(names);
  }

  /**
   * Adds {@code pmcd.*}, which clients ask a collector for. Called before {@link #load}.
   *
   * @param clients the clients, which the caller keeps up to date
   */
  public void addPmcd(PmcdFacts facts, PmcdClients clients) {
    PmcdMetrics pmcd = new PmcdMetrics(facts, clients, names);
    control.leaveOut(pmcd.count());
    sources = new MetricSource[] {files, control, pmcd};
  }

  /** Returns whether the metrics of a domain are served here. */
  public boolean hasDomain(int domain) {
    return domain == this.domain || (domain == PmcdMetrics.DOMAIN && sources.length > 2);
  }

  /** Applies settings that have changed. */
  private void update() {
    SettingsSource.Settings changed = settings.changed(false);
    if (changed != null) {
      files.set(changed);
      files.reload();
    }
  }

  /**
   * Reads all files, as long as a request may wait. Called before the first request, so that it
   * finds them read.
   */
  public void load() {
    files.load();
  }

  /** Returns a line for the log that tells what is served. */
  public String summary() {
    List<Path> directories = files.paths();
    int others = directories.size() - 1;
    return "version %s: %d metrics of %d files in %s%s are served%s"
        .formatted(
            version,
            control.metricsIn(names),
            files.fileCount(),
            directories.getFirst(),
            others == 0 ? "" : " and %d other directories".formatted(others),
            files.hasBacklog() ? "; other files are still being read" : "");
  }

  /** Returns the counts of fetches, to which whoever answers a fetch adds it. */
  public FetchCounts fetches() {
    return fetches;
  }

  /**
   * Returns whether files wait to be read or withdrawn, because the last request had no time for
   * all of them. The next ones go on with them, and so does {@link #catchUp}.
   */
  public boolean hasBacklog() {
    return files.hasBacklog();
  }

  /**
   * Reads and withdraws files that wait, between requests.
   *
   * @param nanos how long, in nanoseconds; it takes longer by up to the time for one large file
   */
  public void catchUp(long nanos) {
    files.catchUp(nanos);
  }

  /**
   * Counts the time for collecting the heap as if requests had spent it on files that wait.
   *
   * @param nanos how long it took, in nanoseconds
   */
  public void charge(long nanos) {
    files.charge(nanos);
  }

  /** Makes {@link #isReloadDue} return true. Any thread may call this method. */
  public void requestReload() {
    files.requestReload();
  }

  /**
   * Returns whether a value was stored in {@code mmv.control.reload}, or {@link #requestReload} was
   * called, after the last {@link #reload}.
   */
  public boolean isReloadDue() {
    return files.isReloadDue();
  }

  /**
   * Reads the settings and all files again. Called after the requests that have arrived together,
   * so that any number of stores among them is one reload.
   */
  public void reload() {
    SettingsSource.Settings changed = settings.changed(true);
    if (changed != null) {
      files.set(changed);
    }
    files.reload();
  }

  /**
   * An entry of a directory.
   *
   * @param status the entry
   * @param state whether it is served, and if not, why
   * @param served the number of metrics that are served under their names
   * @param metrics the number of entries of all METRICS sections, 0 if the file is not served
   */
  public record Entry(EntryStatus status, FileState state, long served, long metrics) {}

  /**
   * Returns the entries of the directories, served files first; see {@link
   * MmvDirectories#statuses}.
   */
  public List<Entry> entries() {
    return files.entries();
  }

  /** Returns the log of changes to names and labels. */
  public Changes changes() {
    return changes;
  }

  /** Returns a metric, or null if the PMID is unknown or has no name. */
  public Metric fresh(Scope.OfMetric scope) {
    refresh(scope);
    return metric(scope.pmid());
  }

  /**
   * Returns several metrics.
   *
   * @return an array that the next call reuses. The entries 0 to {@code scope.pmids().count()} - 1
   *     are valid; an entry is null if the PMID is unknown or has no name
   */
  public Metric[] fresh(Scope.OfMetrics scope) {
    refresh(scope);
    PmidList pmids = scope.pmids();
    int count = pmids.count();
    if (found.length < count || (found.length > FEW_METRICS && found.length / 8 > count)) {
      found = new Metric[Math.max(count, FEW_METRICS)];
    }
    for (int i = 0; i < count; i++) {
      found[i] = metric(pmids.pmid(i));
    }
    return found;
  }

  /** Returns the metric with a name, or null if no metric has this name. */
  public Metric fresh(Scope.OfName scope) {
    refresh(scope);
    NameTree.Claim leaf = names.leaf(scope.name());
    return leaf == null ? null : metric(leaf.pmid());
  }

  /** Returns an instance domain, or null if it is unknown. */
  public InstanceDomain fresh(Scope.OfInDom scope) {
    refresh(scope);
    return instanceDomain(scope.inDom());
  }

  /** Returns a set of labels, or null if there are none. */
  public Labels fresh(Scope.OfLabels scope) {
    refresh(scope);
    if (scope.type() == LabelType.DOMAIN) {
      String agent = scope.ident() != domain && hasDomain(scope.ident()) ? "pmcd" : root;
      return LabelParser.parse("{\"agent\":\"%s\"}".formatted(agent), LabelType.DOMAIN);
    }
    for (MetricSource source : sources) {
      Labels labels = source.labels(scope.type(), scope.ident());
      if (labels != null) {
        return labels;
      }
    }
    return null;
  }

  /** Returns the name space. */
  public NameTree fresh(Scope.OfAll scope) {
    refresh(scope);
    return names;
  }

  private void refresh(Scope scope) {
    update();
    for (MetricSource source : sources) {
      source.refresh(scope);
    }
  }

  /** Returns a metric as the {@code fresh} methods do, but refreshes nothing. */
  public Metric metric(int pmid) {
    for (MetricSource source : sources) {
      Metric metric = source.metric(pmid);
      if (metric != null) {
        return metric;
      }
    }
    return null;
  }

  /** Returns an instance domain as the {@code fresh} methods do, but refreshes nothing. */
  public InstanceDomain instanceDomain(int inDom) {
    for (MetricSource source : sources) {
      InstanceDomain found = source.instanceDomain(inDom);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /**
   * Withdraws a file that was truncated while it was read. Metrics returned before are then
   * invalid; {@link #metric} returns them anew.
   */
  public void drop(MmvFile file) {
    files.drop(file);
  }

  /**
   * Closes all files, and releases the lock on the file that keeps assigned numbers. The end of the
   * process does this, too.
   */
  @Override
  public void close() {
    files.close();
  }
}
