package org.jmmv.reader;

import static org.jmmv.reader.MmvFile.LONGS_PER_VALUE;
import static org.jmmv.reader.MmvLayout.VALUE_INSTANCE;
import static org.jmmv.reader.MmvLayout.VALUE_METRIC;
import static org.jmmv.reader.MmvLayout.VALUE_SIZE;

import org.jmmv.reader.SchemaInput.Entry;

/** Reads the VALUES section, and assigns its entries to metrics and instances. */
final class ValueSection {
  private static final int AT_ONCE = 512; // entries

  private static final String WRONG_METRIC = "metric offset %s is that of no metric, left out";
  private static final String WRONG_INSTANCE =
      "instance offset %s is that of no instance, left out";

  private ValueSection() {}

  /** Sets the table of values of each metric. The time is linear in the number of values. */
  static void read(
      SchemaInput in, Header.Section section, MetricSection metrics, InDomSection inDoms) {
    int[] metricOf = new int[section.count()]; // -1: the value is left out
    int[] instanceOf = new int[section.count()];
    int[] counts = new int[metrics.count()];
    int wrongMetrics = 0; // there can be millions, so most are only counted
    int wrongInstances = 0;
    long[] words = new long[AT_ONCE * LONGS_PER_VALUE];
    for (int i = 0; i < section.count(); i++) {
      long at = section.offset() + (long) i * VALUE_SIZE;
      int word = i % AT_ONCE * LONGS_PER_VALUE;
      if (word == 0) {
        in.copy(at, words, Math.min(AT_ONCE, section.count() - i) * LONGS_PER_VALUE);
      }
      long metricOffset = in.use(words[word + VALUE_METRIC / Long.BYTES]);
      long instanceOffset = in.use(words[word + VALUE_INSTANCE / Long.BYTES]);
      metricOf[i] = -1;
      int m = metrics.indexAt(metricOffset);
      if (m < 0) {
        if (wrongMetrics++ < in.mostFaults()) {
          in.fault(new Entry("value", i, at), WRONG_METRIC, Long.toUnsignedString(metricOffset));
        }
        continue;
      }
      MmvMetric metric = metrics.metric(m);
      if (metric == null || (metric.isSingular() && counts[m] > 0)) {
        continue; // the first value of a singular metric counts
      }
      if (!metric.isSingular()) {
        Integer number = inDoms.instanceAt(instanceOffset);
        if (number == null) {
          if (wrongInstances++ < in.mostFaults()) {
            String offset = Long.toUnsignedString(instanceOffset);
            in.fault(new Entry("value", i, at), WRONG_INSTANCE, offset);
          }
          continue;
        }
        instanceOf[i] = number;
      }
      metricOf[i] = m;
      counts[m]++;
    }
    if (wrongMetrics > in.mostFaults()) {
      in.moreFaults(WRONG_METRIC, wrongMetrics - in.mostFaults());
    }
    if (wrongInstances > in.mostFaults()) {
      in.moreFaults(WRONG_INSTANCE, wrongInstances - in.mostFaults());
    }
    int[][] instances = new int[counts.length][];
    int[][] values = new int[counts.length][];
    for (int m = 0; m < counts.length; m++) {
      instances[m] = new int[counts[m]];
      values[m] = new int[counts[m]];
    }
    int[] next = new int[counts.length];
    for (int i = 0; i < section.count(); i++) {
      int m = metricOf[i];
      if (m >= 0) {
        instances[m][next[m]] = instanceOf[i];
        values[m][next[m]++] = i;
      }
    }
    for (int m = 0; m < counts.length; m++) {
      if (metrics.metric(m) != null) {
        metrics.setValues(m, new MmvValueTable(instances[m], values[m]));
      }
    }
  }
}
