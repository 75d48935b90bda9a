package org.jmmv.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.PcpVersion;
import org.jmmv.reader.MmvInDom;
import org.jmmv.reader.fault.FileName;

/** What all served files describe together: metrics, instance domains and labels. */
final class MergedFiles {
  private final int domain;
  private final NameTree names;
  private final IdMap<NavigableMap<FileName, ServedFile>> byCluster = new IdMap<>();
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
    byCluster.get(file.cluster, TreeMap::new).put(file.id(), file);
    for (MetricRecord record : file.claims()) {
      metrics.get(record.pmid(), () -> new SharedMetric(record.pmid(), names, inDoms)).add(record);
    }
    int index = 0;
    for (MmvInDom inDom : file.schema().inDoms()) {
      int id = inDomOf(file, inDom);
      inDoms
          .get(id, () -> new SharedInDom(id, labels))
          .add(new SharedInDom.InDomRecord(file, index++, inDom));
    }
    labels.add(file);
  }

  /** Removes a file that was added. */
  void remove(ServedFile file) {
    NavigableMap<FileName, ServedFile> sharing = byCluster.get(file.cluster);
    sharing.remove(file.id());
    if (sharing.isEmpty()) {
      byCluster.remove(file.cluster);
    }
    for (MetricRecord record : file.claims()) {
      SharedMetric shared = metrics.get(record.pmid());
      shared.remove(record);
      if (shared.records().isEmpty()) {
        metrics.remove(record.pmid());
      }
    }
    int index = 0;
    for (MmvInDom inDom : file.schema().inDoms()) {
      int id = inDomOf(file, inDom);
      SharedInDom shared = inDoms.get(id);
      shared.remove(new SharedInDom.InDomRecord(file, index++, inDom));
      if (shared.records().isEmpty()) {
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

  /** Returns the files that have a cluster. */
  Collection<ServedFile> filesOf(int cluster) {
    return mapOf(cluster).values();
  }

  /** Returns a file of each directory with files that have a cluster, first the first directory. */
  List<ServedFile> oneOfEachDirectory(int cluster) {
    NavigableMap<FileName, ServedFile> all = mapOf(cluster);
    List<ServedFile> found = new ArrayList<>();
    for (var first = all.firstEntry(); first != null; ) {
      found.add(first.getValue());
      first = all.ceilingEntry(new FileName(first.getKey().rank() + 1, "", ""));
    }
    return found;
  }

  private NavigableMap<FileName, ServedFile> mapOf(int cluster) {
    NavigableMap<FileName, ServedFile> found = byCluster.get(cluster);
    return found == null ? Collections.emptyNavigableMap() : found;
  }
}
