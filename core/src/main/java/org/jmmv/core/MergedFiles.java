package org.jmmv.core;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.PcpVersion;
import org.jmmv.reader.MmvInDom;

/** What all served files describe together: metrics, instance domains and labels. */
final class MergedFiles {
  private final int domain;
  private final NameTree names;
  private final IdMap<Set<ServedFile>> byCluster = new IdMap<>();
  private final IdMap<SharedMetric> metrics = new IdMap<>();
  private final IdMap<SharedInDom> inDoms = new IdMap<>();
  private final LabelIndex labels;

  /**
   * Creates an empty object.
   *
   * @param names decides which files describe a metric
   */
  MergedFiles(CatalogOptions with, NameTree names) {
    labels = new LabelIndex(with.pcpVersion >= PcpVersion.RELAXED_LABELS);
    domain = with.domain;
    this.names = names;
  }

  /** Returns the domain of the PMIDs and of the InDoms. */
  int domain() {
    return domain;
  }

  /** Adds a file that has InDoms and claims. */
  void add(ServedFile file) {
    byCluster.get(file.cluster, () -> new LinkedHashSet<>(1)).add(file);
    for (MetricPart part : file.claims()) {
      metrics.get(part.pmid(), () -> new SharedMetric(part.pmid(), names, inDoms)).add(part);
    }
    int index = 0;
    for (MmvInDom inDom : file.schema().inDoms()) {
      int id = inDomOf(file, inDom);
      inDoms
          .get(id, () -> new SharedInDom(id, labels))
          .add(new SharedInDom.Part(file, index++, inDom));
    }
    labels.add(file);
  }

  /** Removes a file that was added. */
  void remove(ServedFile file) {
    Set<ServedFile> sharing = byCluster.get(file.cluster);
    sharing.remove(file);
    if (sharing.isEmpty()) {
      byCluster.remove(file.cluster);
    }
    for (MetricPart part : file.claims()) {
      SharedMetric shared = metrics.get(part.pmid());
      shared.remove(part);
      if (shared.parts().isEmpty()) {
        metrics.remove(part.pmid());
      }
    }
    int index = 0;
    for (MmvInDom inDom : file.schema().inDoms()) {
      int id = inDomOf(file, inDom);
      SharedInDom shared = inDoms.get(id);
      shared.remove(new SharedInDom.Part(file, index++, inDom));
      if (shared.parts().isEmpty()) {
        inDoms.remove(id);
      }
    }
    labels.remove(file);
  }

  private int inDomOf(ServedFile file, MmvInDom inDom) {
    return InDom.build(domain, file.serialOf(inDom.serial()));
  }

  /** Returns the metric with a PMID, or null. It is not necessarily served. */
  SharedMetric metric(int pmid) {
    return metrics.get(pmid);
  }

  /** Returns an instance domain, or null. */
  SharedInDom instances(int inDom) {
    return inDoms.get(inDom);
  }

  /** Returns the labels of files for a cluster, item or instance domain. */
  LabelIndex labels() {
    return labels;
  }

  /** Returns the files that have a cluster, first the one that has it for the longest time. */
  Set<ServedFile> filesOf(int cluster) {
    Set<ServedFile> found = byCluster.get(cluster);
    return found == null ? Set.of() : found;
  }
}
