package org.jmmv.testkit;

import java.util.stream.IntStream;
import org.jmmv.pcp.Instance;

/**
 * An MMV file of any size for measurements. All metrics have the same type and the same instances,
 * and every instance has a value. Metrics and instances are numbered from 0: their names are
 * "metric0" and "instance0" for the first.
 *
 * @param version of the format, 1 to 3; an agent refuses a file with any other number
 * @param metrics how many
 * @param instances how many each metric has; 0 for singular metrics
 */
public record UniformFile(int version, int metrics, int instances, MmvType type) {
  /** Serial of the instance domain. */
  public static final int SERIAL = 1;

  /**
   * Returns the file, still without a cluster.
   *
   * @param firstItem the item of the first metric; the others follow
   */
  public MmvWriter writer(int firstItem) {
    MmvWriter writer = new MmvWriter(version);
    MmvWriter.InDom inDom = instances == 0 ? null : writer.inDom(SERIAL);
    IntStream.range(0, instances).forEach(i -> inDom.instance(i, "instance" + i));
    for (int m = 0; m < metrics; m++) {
      MmvWriter.Metric metric = writer.metric("metric" + m, firstItem + m, type.code());
      if (inDom == null) {
        addValue(metric, type, m, Instance.NULL);
      } else {
        metric.inDom(inDom);
        for (int i = 0; i < instances; i++) {
          addValue(metric, type, m, i);
        }
      }
    }
    return writer;
  }

  /**
   * Returns one of many files that are spread evenly over the clusters from 1 on. Its items are
   * different from those of the other files in its cluster.
   *
   * @param f the number of the file, from 0 on
   * @param clusters how many clusters there are, at most 4095
   */
  public MmvWriter spread(int f, int clusters) {
    return writer(f / clusters * metrics).cluster(1 + f % clusters);
  }

  /**
   * Adds a value to a metric.
   *
   * @param m the number of the metric
   * @param instance {@link Instance#NULL} if the metric is singular
   */
  static void addValue(MmvWriter.Metric metric, MmvType type, int m, int instance) {
    long number = m * 1_000_003L + Math.max(instance, 0); // different in each place
    switch (type) {
      case STRING -> metric.textAt(instance, "value " + Math.max(instance, 0) + " of " + m);
      case ELAPSED -> metric.rawAt(instance, number, -1); // a section is in progress since 1970
      case FLOAT, DOUBLE -> metric.at(instance, (double) number);
      default -> metric.at(instance, number);
    }
  }
}
