package org.jmmv.cli.top;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jmmv.cli.command.ToolCatalog;
import org.jmmv.config.AgentCommand;
import org.jmmv.config.Settings;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogEntry;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.Metric;
import org.jmmv.core.NameTree;
import org.jmmv.core.Scope;
import org.jmmv.core.View;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.Units;
import org.jmmv.reader.fault.FileName;
import org.jmmv.reader.watch.FileState;

/** The metrics of a directory's files as the agent would serve them now. */
final class LiveMetrics implements AutoCloseable {
  /** The cluster of the agent's own metrics, which would be those of this process. */
  private static final int OWN_CLUSTER = 0;

  private final Catalog catalog;
  private View view; // of the last refresh
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
   * Brings the list of metrics up to date.
   *
   * @return whether it has changed
   */
  boolean refresh() {
    view = catalog.begin(new Scope.OfAll());
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
    size = 0;
    for (String name : names.leaves(AgentCommand.DEFAULT_NAME).stream().sorted().toList()) {
      Metric metric = view.metric(name);
      if (metric != null && Pmid.cluster(metric.pmid()) != OWN_CLUSTER) {
        found.add(watched(name, metric, before.get(name)));
        size += found.getLast().size();
      }
    }
    metrics = found;
  }

  private WatchedMetric watched(String name, Metric metric, WatchedMetric before) {
    boolean isSingular = metric.inDom() == InDom.NULL;
    List<Series> series =
        before != null && before.isSingular() == isSingular ? before.series() : new ArrayList<>();
    if (isSingular && series.isEmpty()) {
      series.add(new Series(Instance.NULL, null, metric.semantics()));
    }
    return new WatchedMetric(
        name,
        metric.pmid(),
        isSingular,
        metric.semantics(),
        Units.of(metric.units()),
        metric.oneLine(),
        view.maxValues(metric, InstanceFilter.ALL),
        series);
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
      Metric metric = view.metric(watched.pmid());
      Reading reading =
          new Reading(watched, metric == null ? null : view.instances(metric.inDom()));
      if (metric != null) {
        view.read(metric, InstanceFilter.ALL, reading);
      }
      hasChanged |= reading.end();
    }
    return hasChanged;
  }

  @Override
  public void close() {
    catalog.close();
  }
}
