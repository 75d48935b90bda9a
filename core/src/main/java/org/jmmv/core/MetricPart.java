package org.jmmv.core;

import org.jmmv.reader.MmvMetric;

/** The record of one file that describes a metric. */
record MetricPart(ServedFile file, MmvMetric metric, Claim claim) implements Parts.Part {
  @Override
  public int index() {
    return claim.index();
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
