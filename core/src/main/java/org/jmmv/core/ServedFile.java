package org.jmmv.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jmmv.core.InDomAllocator.Origin;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Pmid;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvInDom;
import org.jmmv.reader.MmvLabel;
import org.jmmv.reader.MmvMetric;
import org.jmmv.reader.MmvSchema;
import org.jmmv.reader.fault.FileName;
import org.jmmv.reader.watch.CountedFault;
import org.jmmv.reader.watch.DirectorySettings;

/** A file in the catalogue, with the cluster of its metrics and its InDoms. */
final class ServedFile {
  final MmvFile file;
  final int cluster;
  private final boolean isFirst;

  /**
   * The number of the last request that has checked the file for changes. A request checks each
   * file at most once.
   */
  long checkedBy;

  private final List<MetricRecord> claims = new ArrayList<>(); // in the file's order
  private long served;
  private long servedVersion = -1; // version of names for which served was counted
  private List<CountedFault> conflicts = List.of();
  private long conflictsVersion = -1; // likewise
  private final Map<Integer, Integer> inDoms = new TreeMap<>(); // serials by the file's serials

  /**
   * Creates a file without claims and InDoms.
   *
   * @param isFirst whether no other file was served under this name before
   */
  ServedFile(MmvFile file, int cluster, boolean isFirst) {
    this.file = file;
    this.cluster = cluster;
    this.isFirst = isFirst;
  }

  /** Returns the start of {@link Metric.Origin}. */
  long startNanos() {
    return isFirst ? schema().header().startNanos() : 0;
  }

  /**
   * Makes the claims for the file's metrics.
   *
   * @param root the first component of all names
   * @param prefix that of {@link DirectorySettings}
   * @param domain the domain of the PMIDs
   */
  void claimNames(String root, String prefix, int domain) {
    for (MmvMetric metric : schema().metrics()) {
      int pmid = Pmid.build(domain, cluster, metric.item());
      String name = nameOf(root, prefix, schema(), metric);
      claims.add(new MetricRecord(name, pmid, this, metric, claims.size()));
    }
  }

  /**
   * Returns the full name that a file claims for a metric.
   *
   * @param root the first component of all names
   * @param prefix that of {@link DirectorySettings}
   */
  static String nameOf(String root, String prefix, MmvSchema schema, MmvMetric metric) {
    String ofDirectory = prefix.isEmpty() ? "" : prefix + '.';
    String ofFile = schema.has(MmvSchema.FLAG_NOPREFIX) ? "" : schema.file() + '.';
    return root + '.' + ofDirectory + ofFile + metric.name();
  }

  /** Returns the claims for the file's metrics, in the order of the file. */
  List<MetricRecord> claims() {
    return claims;
  }

  /** Assigns InDoms to all instance domains of the file, and to those that only labels have. */
  void acquireInDoms(InDomAllocator allocator) {
    for (MmvInDom inDom : schema().inDoms()) {
      acquire(inDom.serial(), allocator);
    }
    for (MmvLabel label : schema().labels()) {
      if ((label.flags() & (LabelType.INDOM | LabelType.INSTANCES)) != 0
          && InDom.isSerial(label.identity())) {
        acquire(label.identity(), allocator);
      }
    }
  }

  private void acquire(int serial, InDomAllocator allocator) {
    inDoms.computeIfAbsent(serial, own -> allocator.acquire(new Origin(cluster, own)));
  }

  /** Undoes {@link #acquireInDoms}. */
  void releaseInDoms(InDomAllocator allocator) {
    inDoms.keySet().forEach(serial -> allocator.release(new Origin(cluster, serial)));
  }

  /**
   * Returns the serial of the InDom of an instance domain of the file or of its labels.
   *
   * @param serial the serial in the file
   */
  int serialOf(int serial) {
    return inDoms.get(serial);
  }

  /**
   * Returns the number of metrics that are served: none without a VALUES section. They are counted
   * anew only if names have changed.
   */
  long served(NameTree names) {
    if (servedVersion != names.version()) {
      servedVersion = names.version();
      served =
          schema().valuesOffset() == 0 ? 0 : claims.stream().filter(names::isFulfilled).count();
    }
    return served;
  }

  /**
   * Returns the conflicts with other files.
   *
   * @param found finds them, if names have changed
   */
  List<CountedFault> conflicts(NameTree names, Supplier<List<CountedFault>> found) {
    if (conflictsVersion != names.version()) {
      conflictsVersion = names.version();
      conflicts = found.get();
    }
    return conflicts;
  }

  MmvSchema schema() {
    return file.schema();
  }

  FileName id() {
    return file.id();
  }
}
