package org.jmmv.core;

import org.jmmv.pcp.Semantics;
import org.jmmv.reader.MmvMetric;

/** The record of one file that describes a metric, and claims its name. */
final class MetricRecord extends Claim implements FileRecord {
  private static final int MICROSECONDS = 0x01001000; // dimTime 1, scaleTime PM_TIME_USEC

  private final ServedFile file;
  private final MmvMetric metric;

  MetricRecord(String name, int pmid, ServedFile file, MmvMetric metric, int index) {
    super(name, pmid, file.id(), index);
    this.file = file;
    this.metric = metric;
  }

  @Override
  public ServedFile file() {
    return file;
  }

  MmvMetric metric() {
    return metric;
  }

  /** Returns the semantics with which it is served. */
  int semantics() {
    return metric.isCounter() ? Semantics.COUNTER : metric.semantics();
  }

  /** Returns the units with which it is served: a timer has microseconds. */
  int units() {
    return metric.type() == MmvMetric.ELAPSED ? MICROSECONDS : metric.units();
  }

  /** Returns whether this record's values match a descriptor. */
  boolean fits(MetricRecord descriptor) {
    return metric.type() == descriptor.metric.type()
        && metric.isSingular() == descriptor.metric.isSingular();
  }

  /** Returns whether the file was truncated. It may be withdrawn later. */
  boolean isTruncated() {
    return file.file.isTruncated();
  }
}
