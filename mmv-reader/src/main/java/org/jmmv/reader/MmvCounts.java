package org.jmmv.reader;

/**
 * The numbers of files, metrics, instances, values and label records of one or several files, to be
 * compared with {@link Limits}.
 */
record MmvCounts(long files, long metrics, long instances, long values, long labels) {
  static final MmvCounts NONE = new MmvCounts(0, 0, 0, 0, 0);

  /** The counts of a file without contents. */
  static final MmvCounts ONE_FILE = new MmvCounts(1, 0, 0, 0, 0);

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
    return new MmvCounts(1, schema.metrics().size(), instances, values, schema.labels().size());
  }

  MmvCounts plus(MmvCounts more) {
    return new MmvCounts(
        files + more.files,
        metrics + more.metrics,
        instances + more.instances,
        values + more.values,
        labels + more.labels);
  }

  MmvCounts minus(MmvCounts less) {
    return new MmvCounts(
        files - less.files,
        metrics - less.metrics,
        instances - less.instances,
        values - less.values,
        labels - less.labels);
  }

  boolean isWithin(Limits limits) {
    return files <= limits.files()
        && metrics <= limits.metrics()
        && instances <= limits.instances()
        && values <= limits.values()
        && labels <= limits.labels();
  }

  /** Returns the first exceeded limit, for example "the limit of 1000 metrics (--max-metrics)". */
  String exceeded(Limits limits) {
    if (files > limits.files()) {
      return limit(limits.files(), "files");
    } else if (metrics > limits.metrics()) {
      return limit(limits.metrics(), "metrics");
    } else if (instances > limits.instances()) {
      return limit(limits.instances(), "instances");
    } else if (values > limits.values()) {
      return limit(limits.values(), "values");
    } else {
      return limit(limits.labels(), "labels");
    }
  }

  private static String limit(int number, String what) {
    return "the limit of %d %s in all (--max-%s)".formatted(number, what, what);
  }
}
