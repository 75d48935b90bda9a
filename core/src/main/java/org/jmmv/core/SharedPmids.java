package org.jmmv.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jmmv.pcp.Pmid;
import org.jmmv.reader.MmvMetric;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.Faults;
import org.jmmv.reader.fault.FileName;
import org.jmmv.reader.fault.Place;

/**
 * Finds metrics of several files that share a PMID by accident: applications that choose the same
 * cluster, or take it from a hash. The first file then answers for all.
 *
 * <p>Files that share a cluster on purpose describe a metric alike, and either give it one full
 * name, or have different instances of it.
 *
 * <p>A metric is compared with that of the first file only, so that the time for a file grows with
 * its own metrics, not with the number of the others.
 */
final class SharedPmids {
  private final MergedFiles merged;
  private final Set<ServedFile> added;
  private final Map<FileName, Faults> faults;

  private SharedPmids(MergedFiles merged, Set<ServedFile> added, Map<FileName, Faults> faults) {
    this.merged = merged;
    this.added = added;
    this.faults = faults;
  }

  /**
   * Compares the metrics of files that were added.
   *
   * @param faults receives what is found, by file
   */
  static void find(MergedFiles merged, Set<ServedFile> added, Map<FileName, Faults> faults) {
    added.forEach(new SharedPmids(merged, added, faults)::find);
  }

  private void find(ServedFile file) {
    if (merged.filesOf(file.cluster).size() == 1) {
      return;
    }
    for (MetricRecord record : file.claims()) {
      FileRecords<MetricRecord> records = merged.metric(record.pmid()).records();
      MetricRecord first = records.first();
      MetricRecord second = records.second();
      if (first != record) {
        compare(record, first, of(file));
      } else if (second != null && !added.contains(second.file())) {
        compare(second, first, of(second.file())); // the second was the first one until now
      }
    }
  }

  private Faults of(ServedFile file) {
    return faults.computeIfAbsent(file.id(), _ -> new Faults());
  }

  /**
   * Compares a metric with the first one of its PMID.
   *
   * @param found receives what is found
   */
  static void compare(MetricRecord record, MetricRecord first, Faults found) {
    List<String> differences =
        record.file() == first.file() ? List.of() : differences(record, first);
    if (differences.isEmpty()) {
      return;
    }
    MmvMetric metric = record.metric();
    Place place =
        new Place(record.file().id(), Place.Section.METRICS, metric.index(), metric.offset());
    found.add(
        FaultKind.SHARED_PMID,
        () ->
            Fault.of(
                FaultKind.SHARED_PMID,
                place,
                Pmid.toString(record.pmid()),
                first.name(),
                first.file().id(),
                String.join(", ", differences)));
  }

  /** Returns in what two metrics differ; nothing if they may share a PMID on purpose. */
  private static List<String> differences(MetricRecord record, MetricRecord first) {
    MmvMetric metric = record.metric();
    MmvMetric other = first.metric();
    List<String> differences = new ArrayList<>();
    boolean isOneName = record.name().equals(first.name());
    if (!isOneName && (metric.isSingular() || !metric.name().equals(other.name()))) {
      differences.add("name");
    }
    if (metric.type() != other.type()) {
      differences.add("type");
    }
    if (record.semantics() != first.semantics()) {
      differences.add("semantics");
    }
    if (record.units() != first.units()) {
      differences.add("units");
    }
    if (metric.isSingular() != other.isSingular()
        || (!metric.isSingular() && metric.serial() != other.serial())) {
      differences.add("instance domain");
    }
    return differences;
  }
}
