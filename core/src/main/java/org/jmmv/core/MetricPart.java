package org.jmmv.core;

import org.jmmv.reader.MmvMetric;

/** The record of one file that describes a metric, and claims its name. */
final class MetricPart extends Claim implements Parts.Part {
  private final ServedFile file;
  private final MmvMetric metric;

  MetricPart(String name, int pmid, ServedFile file, MmvMetric metric, int index) {
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

  /** Returns whether this record's values match a descriptor. */
  boolean fits(MetricPart descriptor) {
    return metric.type() == descriptor.metric.type()
        && metric.isSingular() == descriptor.metric.isSingular();
  }

  /** Returns whether the file was truncated. It may be withdrawn later. */
  boolean isTruncated() {
    return file.file.isTruncated();
  }
}
