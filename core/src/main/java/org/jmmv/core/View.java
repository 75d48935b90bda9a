package org.jmmv.core;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.InstanceTable;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.PmidList;
import org.jmmv.pcp.ValueSink;
import org.jmmv.reader.FileTruncated;
import org.jmmv.reader.fault.FileName;
import org.jmmv.reader.watch.DirectoryEntries;
import org.jmmv.reader.watch.DirectoryStatus;

/**
 * What one request sees of a {@link Catalog}. No method of a view refreshes anything. A view, and
 * everything that it has returned, is valid until the next call of {@link Catalog#begin} or {@link
 * Catalog#idle}. After that, its methods throw an {@link IllegalStateException}; a metric that it
 * has returned throws if it has gone, and otherwise answers as it then is. If a file is truncated
 * before that, its metrics have no values; another file that shares such a metric may then describe
 * it.
 */
public final class View {
  /**
   * How often a metric is read if a file is truncated each time. Thousands of files may share a
   * metric.
   */
  public static final int MAX_ATTEMPTS = 8;

  private final NameTree names;
  private final MetricSource[] sources;
  private final MmvMetrics files;
  private final RequestState request;

  /**
   * Creates a view.
   *
   * @param files the metrics of files, which are among the sources
   * @param request the state of the request
   */
  View(NameTree names, MetricSource[] sources, MmvMetrics files, RequestState request) {
    this.names = names;
    this.sources = sources;
    this.files = files;
    this.request = request;
  }

  private void check() {
    if (request.isOver()) {
      throw new IllegalStateException("the request of this view is over");
    }
  }

  /** Returns the name space. */
  public NameTree names() {
    check();
    return names;
  }

  /** Returns the metric with a PMID, or null if the PMID is unknown or has no name. */
  public Metric metric(int pmid) {
    check();
    for (MetricSource source : sources) {
      Metric metric = source.metric(pmid);
      if (metric != null) {
        return metric;
      }
    }
    return null;
  }

  /** Returns the metric with a name, or null if no metric has this name. */
  public Metric metric(String name) {
    check();
    Claim leaf = names.leaf(name);
    return leaf == null ? null : metric(leaf.pmid());
  }

  /**
   * Returns several metrics.
   *
   * @return an entry for each PMID; null if it is unknown or has no name
   */
  public Metric[] metrics(PmidList pmids) {
    Metric[] found = new Metric[pmids.count()];
    for (int i = 0; i < found.length; i++) {
      found[i] = metric(pmids.pmid(i));
    }
    return found;
  }

  /** Returns an instance domain, or null if it is unknown. */
  public InstanceDomain instances(int inDom) {
    check();
    for (MetricSource source : sources) {
      InstanceDomain instances = source.instanceDomain(inDom, request);
      if (instances != null) {
        return instances;
      }
    }
    return null;
  }

  /**
   * Returns the labels of an object as they are, without those of objects around it. Labels of
   * instances are in {@link InstanceDomain}.
   *
   * @param type {@link LabelType#DOMAIN}, {@code CLUSTER}, {@code ITEM} or {@code INDOM}
   * @param ident a domain, a PMID or an instance domain, depending on the type
   * @return null if there are none
   */
  public Labels labels(int type, int ident) {
    check();
    for (MetricSource source : sources) {
      Labels labels = source.labels(type, ident);
      if (labels != null) {
        return labels;
      }
    }
    return null;
  }

  /**
   * Returns the labels in force for a value: those of the domain, the instance domain, the cluster,
   * the item and the instance, where later ones replace earlier ones of the same name
   * (pmLookupLabels(3)). Labels of a context belong to the client's connection and come before all
   * of these.
   *
   * @param instance the instance number, {@link Instance#NULL} for a singular metric
   * @return JSON texts of the values by full names, sorted by these; strings are in quotes
   */
  public SequencedMap<String, String> labels(Metric metric, int instance) {
    List<Labels> sets = labels(metric);
    InstanceDomain instances = instance == Instance.NULL ? null : instances(metric.inDom());
    add(instances == null ? null : instances.labels(instance), sets);
    SequencedMap<String, String> texts = new LinkedHashMap<>();
    Labels.mergeAll(sets)
        .values()
        .forEach((name, json) -> texts.put(FileText.decode(name), FileText.decode(json)));
    return texts;
  }

  /**
   * Returns the labels in force for all values of a metric: of the domain and, as far as there are
   * any, of the instance domain, the cluster and the item, in this order.
   *
   * @return a list that the caller may change
   */
  public List<Labels> labels(Metric metric) {
    List<Labels> sets = new ArrayList<>();
    sets.add(labels(LabelType.DOMAIN, Pmid.domain(metric.pmid())));
    if (metric.inDom() != InDom.NULL) {
      add(labels(LabelType.INDOM, metric.inDom()), sets);
    }
    add(labels(LabelType.CLUSTER, metric.pmid()), sets);
    add(labels(LabelType.ITEM, metric.pmid()), sets);
    return sets;
  }

  private static void add(Labels labels, List<Labels> sets) {
    if (labels != null) {
      sets.add(labels);
    }
  }

  /**
   * Returns an upper bound for the number of values that {@link #read} passes to its sink.
   *
   * @param filter the instances to read; ignored for a singular metric
   */
  public int maxValues(Metric metric, InstanceFilter filter) {
    check();
    return metric.maxValues(filter, request);
  }

  /**
   * Reads the current values of a metric, in the order of its instance domain, until the sink takes
   * no more or, among strings and the values of this program's own metrics, the turn {@link
   * #isOver}. Numbers in files take 20 to 100 ns, and are of one moment, as far as the sink takes
   * them. If a file is truncated at that moment, they are read again without it; the file is
   * withdrawn before the next request.
   *
   * @param filter the instances to read; ignored for a singular metric
   * @param sink receives the values, or the reason why there are none
   * @return what is left; null: nothing, as always if the turn is {@link Turn#ENDLESS} and the sink
   *     takes all
   */
  public ValueCursor read(Metric metric, InstanceFilter filter, Turn turn, ValueSink sink) {
    int next = readUntil(metric, filter, turn, sink);
    return next == Metric.COMPLETE ? null : new ValueCursor(metric, filter, table(metric), next);
  }

  /**
   * Goes on to read the values of a metric, as {@link ValueCursor#readNext} does, or begins to.
   *
   * @param begun what the last reading has left; it begins if that is null, or of another metric
   */
  public ValueCursor read(
      Metric metric, InstanceFilter filter, ValueCursor begun, Turn turn, ValueSink sink) {
    return begun != null && begun.pmid() == metric.pmid()
        ? begun.readNext(this, turn, sink)
        : read(metric, filter, turn, sink);
  }

  /**
   * Returns whether a turn is over, and has been used for at least as long as it has taken to check
   * the files in the scope of this view. A loop over parts of a request asks this, not the turn: to
   * check thousands of files that share a metric may take longer than a turn, and must not be done
   * again for each part.
   */
  public boolean isOver(Turn turn) {
    check();
    return request.isOver(turn);
  }

  /** Returns the instances of an instance domain, none of an unknown one. */
  public InstanceTable table(int inDom) {
    InstanceDomain instances = instances(inDom);
    return instances == null ? InstanceTable.of(List.of()) : instances.table();
  }

  /** Returns the instances of a metric; null if it is singular. */
  InstanceTable table(Metric metric) {
    InstanceDomain instances = instances(metric.inDom());
    return instances == null ? null : instances.table();
  }

  /**
   * Reads values, as {@link #read} does.
   *
   * @return the index of the instance whose value is the first one that is left, or {@link
   *     Metric#COMPLETE}
   */
  int readUntil(Metric metric, InstanceFilter filter, Turn turn, ValueSink sink) {
    check();
    sink.beginReading();
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      try {
        return metric.read(filter, turn, sink, request);
      } catch (FileTruncated e) {
        sink.clear();
      }
    }
    sink.none(0);
    return Metric.COMPLETE;
  }

  /**
   * Returns the next entries of the directories, in the order of their names; see {@link
   * DirectoryEntries#statuses(FileName, int)}. A caller that needs all keeps only the last name.
   *
   * @param after the name after which they come; null: the first ones
   * @param max the maximum number of entries
   */
  public List<CatalogEntry> entries(FileName after, int max) {
    check();
    return files.entries().next(after, max);
  }

  /** Returns the directories, and what is wrong with them. */
  public List<DirectoryStatus> directories() {
    check();
    return files.watcher().entries().directories();
  }
}
