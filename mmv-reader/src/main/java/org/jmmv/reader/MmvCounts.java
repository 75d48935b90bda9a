package org.jmmv.reader;

/**
 * The numbers of metrics, instances, values and label records of one or several files, to be
 * compared with {@link Limits}.
 */
record MmvCounts(long metrics, long instances, long values, long labels) {
  static final MmvCounts NONE = new MmvCounts(0, 0, 0, 0);

  /** Returns the counts of a file. Each instance domain counts as one more instance. */
  static MmvCounts of(MmvSchema schema) {
    long instances = schema.inDoms().size();
    for (MmvInDom inDom : schema.inDoms()) {
      instances += inDom.instances().size();
    }
    long values = 0;
    for (MmvMetric metric : schema.metrics()) {
      values += metric.valueCount();
    }
    return new MmvCounts(schema.metrics().size(), instances, values, schema.labels().size());
  }

  MmvCounts plus(MmvCounts more) {
    return new MmvCounts(
        metrics + more.metrics,
        instances + more.instances,
        values + more.values,
        labels + more.labels);
  }

  MmvCounts minus(MmvCounts less) {
    return new MmvCounts(
        metrics - less.metrics,
        instances - less.instances,
        values - less.values,
        labels - less.labels);
  }

  /**
   * Returns the first exceeded limit, for example "the limit of 1000 metrics", or null if no limit
   * is exceeded.
   */
  String over(Limits limits) {
    if (metrics > limits.metrics()) {
      return "the limit of " + limits.metrics() + " metrics";
    } else if (instances > limits.instances()) {
      return "the limit of " + limits.instances() + " instances";
    } else if (values > limits.values()) {
      return "the limit of " + limits.values() + " values";
    } else if (labels > limits.labels()) {
      return "the limit of " + limits.labels() + " labels";
    }
    return null;
  }
}
