package org.jmmv.cli.top;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jmmv.cli.command.ToolCatalog;
import org.jmmv.config.AgentCommand;
import org.jmmv.config.Settings;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogEntry;
import org.jmmv.core.InstanceDomain;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.KeptValues;
import org.jmmv.core.Metric;
import org.jmmv.core.NameTree;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.core.derived.Descriptor;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.Pmid;
import org.jmmv.reader.fault.FileName;
import org.jmmv.reader.watch.FileState;

/** The metrics of a directory's files as the agent would serve them now. */
final class LiveMetrics implements AutoCloseable {
  /** The cluster of the agent's own metrics, which would be those of this process. */
  private static final int OWN_CLUSTER = 0;

  private final Catalog catalog;
  private View view; // of the last refresh
  private Expressions expressions = Expressions.NONE;
  private List<WatchedMetric> metrics = List.of();
  private int size;
  private long version = -1; // of the catalogue, when the metrics were listed

  /** Shows what a catalogue has loaded. Closing this object closes the catalogue. */
  LiveMetrics(Catalog catalog) {
    this.catalog = catalog;
  }

  /**
   * Reads the files of directories. Their faults are left to {@code jmmv check}.
   *
   * @param pcpVersion PCP's version, as from {@link org.jmmv.config.PcpConfig#version}
   * @param settings the directories, each with a path, and the limits and rules that apply
   * @throws IOException if a directory can't be read
   */
  static LiveMetrics open(int pcpVersion, Settings settings) throws IOException {
    List<String> failures = new ArrayList<>();
    for (Path directory : settings.paths()) {
      try {
        ToolCatalog.checkReadable(directory);
      } catch (IOException e) {
        failures.add(e.getMessage());
      }
    }
    if (!failures.isEmpty()) {
      throw new IOException(String.join("; ", failures));
    }
    return new LiveMetrics(ToolCatalog.open(pcpVersion, settings));
  }

  /** Reads the files that still wait. A refresh reads some of them, too, but stays short. */
  void catchUp() {
    ToolCatalog.catchUp(catalog);
  }

  /**
   * Adds derived metrics of those that are there.
   *
   * @throws IOException if an expression is wrong
   */
  void define(List<Expressions.Definition> definitions) throws IOException {
    expressions = Expressions.of(definitions, catalog.begin(new Scope.AllFiles()));
  }

  /**
   * Brings the list of metrics up to date.
   *
   * @return whether it has changed
   */
  boolean refresh() {
    view = catalog.begin(new Scope.AllFiles());
    long now = catalog.changes().version();
    if (now == version) {
      return false;
    }
    version = now;
    list(view.names());
    return true;
  }

  private void list(NameTree names) {
    Map<String, WatchedMetric> before = HashMap.newHashMap(metrics.size());
    metrics.forEach(metric -> before.put(metric.name(), metric));
    List<WatchedMetric> found = new ArrayList<>();
    for (String name : names.leaves(AgentCommand.DEFAULT_NAME)) {
      Metric metric = view.metric(name);
      if (metric != null && Pmid.cluster(metric.pmid()) != OWN_CLUSTER) {
        int max = view.maxValues(metric, InstanceFilter.ALL);
        String help = metric.oneLine();
        found.add(watched(name, metric.pmid(), Descriptor.of(metric), help, max, before.get(name)));
      }
    }
    for (int i = 0; i < expressions.count(); i++) {
      String name = expressions.name(i);
      Descriptor descriptor = expressions.descriptor(i);
      InstanceDomain instances = view.instances(descriptor.inDom());
      int max = instances == null ? 1 : instances.table().size();
      found.add(watched(name, Expressions.pmid(i), descriptor, null, max, before.get(name)));
    }
    found.sort(Comparator.comparing(WatchedMetric::name));
    metrics = found;
    size = metrics.stream().mapToInt(WatchedMetric::size).sum();
  }

  private static WatchedMetric watched(
      String name, int pmid, Descriptor descriptor, String help, int max, WatchedMetric before) {
    boolean isSingular = descriptor.inDom() == InDom.NULL;
    boolean goesOn =
        before != null
            && before.isSingular() == isSingular
            && before.semantics() == descriptor.semantics()
            && before.units().equals(descriptor.units());
    List<Series> series = goesOn ? before.series() : new ArrayList<>();
    if (isSingular && series.isEmpty()) {
      series.add(new Series(Instance.NULL, null, descriptor.semantics()));
    }
    return new WatchedMetric(
        name, pmid, isSingular, descriptor.semantics(), descriptor.units(), help, max, series);
  }

  /** Returns the metrics as of the last {@link #refresh}, in byte order of their names. */
  List<WatchedMetric> metrics() {
    return metrics;
  }

  /** Returns the number of values that these metrics have at most. */
  int size() {
    return size;
  }

  /**
   * Returns the file that serves a metric of the last {@link #refresh}, one char per byte; null if
   * the file was truncated since.
   */
  String file(WatchedMetric metric) {
    FileName file = view.names().file(metric.name());
    return file == null ? null : file.toString();
  }

  /** Returns the number of files that are left out. Entries that are no MMV files do not count. */
  long filesNotServed() {
    return view.entries(null, Integer.MAX_VALUE).stream()
        .map(CatalogEntry::state)
        .filter(state -> state != FileState.SERVED && state.isOfFile())
        .count();
  }

  /**
   * Reads values of metrics of the last {@link #refresh}.
   *
   * @return whether any instance has got a value that had none, or the reverse
   */
  boolean read(Iterable<WatchedMetric> wanted) {
    boolean hasChanged = false;
    for (WatchedMetric watched : wanted) {
      boolean isDerived = Pmid.domain(watched.pmid()) == Pmid.DERIVED_DOMAIN;
      hasChanged |= isDerived ? readDerived(watched) : readMetric(watched);
    }
    return hasChanged;
  }

  private boolean readMetric(WatchedMetric watched) {
    Metric metric = view.metric(watched.pmid());
    KeptValues values = new KeptValues();
    if (metric != null) {
      view.read(metric, InstanceFilter.ALL, Turn.ENDLESS, values);
    }
    InstanceDomain instances = metric == null ? null : view.instances(metric.inDom());
    return new Reading(watched, instances).set(values);
  }

  private boolean readDerived(WatchedMetric watched) {
    int index = Pmid.item(watched.pmid());
    Descriptor before = expressions.descriptor(index);
    KeptValues values = expressions.read(index, view);
    if (!expressions.descriptor(index).equals(before)) { // those that it needs are others now
      version = -1; // it is listed anew by the next refresh
      values = new KeptValues();
    }
    return new Reading(watched, view.instances(before.inDom())).set(values);
  }

  @Override
  public void close() {
    catalog.close();
  }
}
