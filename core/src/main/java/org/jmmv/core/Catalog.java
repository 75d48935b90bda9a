package org.jmmv.core;

import java.nio.file.Path;
import java.util.List;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.PmidList;
import org.jmmv.reader.LabelParser;
import org.jmmv.reader.Labels;
import org.jmmv.reader.Limits;
import org.jmmv.reader.MmvFile;

/**
 * All metrics that are served: those of the MMV files of a directory, and the agent's own. Belongs
 * to one thread.
 *
 * <p>Each {@code fresh} is one request's: it brings up to date what the request concerns, and
 * returns that. What it returns is valid until the next request.
 */
public final class Catalog {
  private static final int FEW_METRICS = 64;

  private final NameTree names = new NameTree();
  private final Changes changes = new Changes();
  private final MmvMetrics files;
  private final List<MetricSource> sources;
  private Metric[] found = new Metric[FEW_METRICS];

  /**
   * A catalogue that has not looked at any file yet.
   *
   * @param domain of all PMIDs and instance domains, 1 to 510
   * @param directory of the MMV files; it need not exist
   * @param clusters the file that keeps the clusters which were dealt out, over restarts
   * @param debug which debug options are on; metrics show and set them
   */
  public Catalog(int domain, Path directory, Path clusters, Limits limits, DebugOptions debug) {
    files = new MmvMetrics(domain, directory, clusters, limits, debug, names, changes);
    sources = List.of(files, new ControlMetrics(domain, files, debug, names));
  }

  /** Looks at the files for the first time; nothing that is there by then is a change. */
  public void load() {
    files.refresh(new Scope.OfAll());
  }

  /** What has changed since the beginning. */
  public Changes changes() {
    return changes;
  }

  /** A metric, or null if the PMID is unknown or has no name. */
  public Metric fresh(Scope.OfMetric scope) {
    refresh(scope);
    return metric(scope.pmid());
  }

  /**
   * Several metrics.
   *
   * @return an array that is used again for the next request; the entries from 0 to {@code
   *     scope.pmids().count()} - 1 count, and are null where the PMID is unknown or has no name
   */
  public Metric[] fresh(Scope.OfMetrics scope) {
    refresh(scope);
    return find(scope.pmids());
  }

  private Metric[] find(PmidList pmids) {
    int count = pmids.count();
    if (found.length < count || (found.length > FEW_METRICS && found.length / 8 > count)) {
      found = new Metric[Math.max(count, FEW_METRICS)];
    }
    for (int i = 0; i < count; i++) {
      found[i] = metric(pmids.pmid(i));
    }
    return found;
  }

  /** The metric of a name, or null if the name is not that of a leaf. */
  public Metric fresh(Scope.OfName scope) {
    refresh(scope);
    NameTree.Claim leaf = names.leaf(scope.name());
    return leaf == null ? null : metric(leaf.pmid());
  }

  /** An instance domain, or null. */
  public InstanceDomain fresh(Scope.OfInDom scope) {
    refresh(scope);
    for (MetricSource source : sources) {
      InstanceDomain inDom = source.instanceDomain(scope.inDom());
      if (inDom != null) {
        return inDom;
      }
    }
    return null;
  }

  /** Labels, or null if there are none. */
  public Labels fresh(Scope.OfLabels scope) {
    refresh(scope);
    if (scope.type() == LabelType.DOMAIN) {
      return LabelParser.parse("{\"agent\":\"mmv\"}", LabelType.DOMAIN);
    }
    for (MetricSource source : sources) {
      Labels labels = source.labels(scope.type(), scope.ident());
      if (labels != null) {
        return labels;
      }
    }
    return null;
  }

  /** The names. */
  public NameTree fresh(Scope.OfAll scope) {
    refresh(scope);
    return names;
  }

  private void refresh(Scope scope) {
    for (MetricSource source : sources) {
      source.refresh(scope);
    }
  }

  private Metric metric(int pmid) {
    for (MetricSource source : sources) {
      Metric metric = source.metric(pmid);
      if (metric != null) {
        return metric;
      }
    }
    return null;
  }

  /**
   * Withdraws a file that was cut short while it was read, so that the request can be answered
   * without it. Nothing else is looked at again: a file could be cut short in every round.
   *
   * @return the metrics as {@link #fresh(Scope.OfMetrics)} returns them
   */
  public Metric[] without(MmvFile file, Scope.OfMetrics scope) {
    files.drop(file);
    return find(scope.pmids());
  }
}
