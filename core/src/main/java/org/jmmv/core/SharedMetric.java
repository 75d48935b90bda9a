package org.jmmv.core;

import java.util.ArrayList;
import java.util.List;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.InstanceTable;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.ValueSink;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.FileTruncated;
import org.jmmv.reader.MmvMetric;

/**
 * A metric, made of the records of all files that share its PMID. The descriptor comes from the
 * first record that {@link NameTree#isServed}, the help from the first record, and the value of
 * each instance from the first file that has one. The order is the byte order of the files' names.
 */
final class SharedMetric extends Metric {
  /** What gives values their meaning. */
  private record Description(int type, int inDom, int semantics, int units) {}

  private final int pmid;
  private final NameTree names;
  private final IdMap<SharedInDom> inDoms;
  private final FileRecords<MetricRecord> records = new FileRecords<>();
  private MetricRecord descriptor;
  private int type = ValueType.NOSUPPORT; // of the descriptor, as in the file
  private int inDom = InDom.NULL; // of the descriptor
  private boolean isServed;
  private SharedInDom instances; // null for a singular metric
  private long descriptorVersion = -1; // version of names for which descriptor was determined
  private ValuePlan plan;

  /**
   * A metric without records.
   *
   * @param names decides which record describes the metric
   * @param inDoms all instance domains, by their identifiers
   */
  SharedMetric(int pmid, NameTree names, IdMap<SharedInDom> inDoms) {
    this.pmid = pmid;
    this.names = names;
    this.inDoms = inDoms;
  }

  void add(MetricRecord record) {
    records.add(record);
    plan = null;
  }

  void remove(MetricRecord record) {
    records.remove(record);
    plan = null;
  }

  FileRecords<MetricRecord> records() {
    return records;
  }

  /** Returns whether any record is served. Other records have names that are taken. */
  boolean isServed() {
    descriptor();
    return isServed;
  }

  /**
   * Returns the record that describes the metric: if no record is served any more, the last one
   * that was, and null if none ever was.
   */
  private MetricRecord descriptor() {
    if (descriptorVersion != names.version()) {
      if (records.isEmpty()) {
        throw new IllegalStateException("this metric has gone since the view's end");
      }
      descriptorVersion = names.version();
      MetricRecord before = descriptor;
      isServed = false;
      for (MetricRecord record : records) {
        if (!record.isTruncated() && isNamed(record)) {
          isServed = true;
          descriptor = record;
          break;
        }
      }
      if (descriptor != before) {
        plan = null;
        type = descriptor.metric().type();
        inDom = inDomOf(descriptor);
      }
      instances = inDom == InDom.NULL ? null : inDoms.get(inDom); // changes with the names only
    }
    return descriptor;
  }

  /** The claim of a truncated file may be the one that was granted for the same name and PMID. */
  private boolean isNamed(MetricRecord record) {
    return names.isServed(record) || names.isFulfilled(record);
  }

  private int inDomOf(MetricRecord record) {
    return record.metric().isSingular()
        ? InDom.NULL
        : InDom.build(Pmid.domain(pmid), record.file().serialOf(record.metric().serial()));
  }

  private boolean isElapsed() {
    descriptor();
    return type == MmvMetric.ELAPSED;
  }

  @Override
  public int pmid() {
    return pmid;
  }

  @Override
  public int type() {
    return isElapsed() ? ValueType.I64 : type;
  }

  @Override
  public int inDom() {
    descriptor();
    return inDom;
  }

  @Override
  public int semantics() {
    return descriptor().semantics();
  }

  @Override
  public int units() {
    return descriptor().units();
  }

  @Override
  public List<String> names() {
    return records.stream().filter(names::hasName).map(Claim::name).toList();
  }

  @Override
  public List<Origin> origins(int max) {
    return records.stream()
        .limit(max)
        .map(record -> new Origin(record.file().id(), record.file().startNanos()))
        .toList();
  }

  @Override
  public String oneLine() {
    return first().shortHelp();
  }

  @Override
  public String help() {
    return first().longHelp();
  }

  private MmvMetric first() {
    descriptor();
    return records.first().metric();
  }

  @Override
  int maxValues(InstanceFilter filter, RequestState request) {
    if (!isServed()) {
      return 0;
    }
    int values = plan().count();
    int[] selected = request.indexes(filter.of(inDom), plan.table());
    return selected == null ? values : Math.min(values, selected.length);
  }

  @Override
  int read(InstanceFilter filter, Turn turn, ValueSink sink, RequestState request)
      throws FileTruncated {
    if (!isServed()) {
      sink.none(PmError.PMID.code()); // a file was truncated in this request
      return Metric.COMPLETE;
    }
    try {
      return request.reader().read(plan(), type, filter.of(inDom), turn, sink, request);
    } catch (FileTruncated e) {
      Description before = description();
      descriptorVersion = -1;
      plan = null;
      if (isServed() && !description().equals(before)) {
        sink.clear(); // the reader knows the metric as it was
        sink.none(PmError.PMID.code());
        return Metric.COMPLETE;
      }
      throw e;
    }
  }

  private Description description() {
    return new Description(type(), inDom(), semantics(), units());
  }

  /**
   * Returns the plan for reading the values. It uses the fields of this object only, which saves
   * two cache misses for each metric of a large fetch.
   */
  private ValuePlan plan() {
    MetricRecord record = descriptor();
    InstanceTable table = inDom == InDom.NULL ? null : instances.table();
    if (plan == null || plan.table() != table) {
      List<MetricRecord> sources = new ArrayList<>();
      for (MetricRecord other : records) {
        if (other.fits(record) && other.metric().valueCount() > 0 && !other.isTruncated()) {
          sources.add(other);
        }
      }
      plan = ValuePlan.of(sources, table);
    }
    return plan;
  }
}
