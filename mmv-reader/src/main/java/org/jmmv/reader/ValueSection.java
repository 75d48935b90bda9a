package org.jmmv.reader;

import static org.jmmv.reader.MmvFile.LONGS_PER_VALUE;
import static org.jmmv.reader.MmvLayout.VALUE_INSTANCE;
import static org.jmmv.reader.MmvLayout.VALUE_METRIC;
import static org.jmmv.reader.MmvLayout.VALUE_SIZE;

import java.util.Arrays;
import org.jmmv.reader.SchemaInput.Entry;

/** Reads the VALUES section, and assigns its entries to metrics and instances. */
final class ValueSection {
  private static final int AT_ONCE = 512; // entries
  private static final int FEW = 8; // initial capacity for the values of a metric
  private static final int[] NONE = {};

  private static final String WRONG_METRIC = "metric offset %s is that of no metric, left out";
  private static final String WRONG_INSTANCE =
      "instance offset %s is that of no instance, left out";

  private ValueSection() {}

  /** Sets the table of values of each metric. The time is linear in the number of values. */
  static void read(
      SchemaInput in, Header.Section section, MetricSection metrics, InDomSection inDoms) {
    // They grow with the accepted entries: a hole in the file can be millions of entries.
    int[][] instances = new int[metrics.count()][];
    int[][] values = new int[metrics.count()][];
    int[] counts = new int[metrics.count()];
    int wrongMetrics = 0; // there can be millions, so most are only counted
    int wrongInstances = 0;
    long[] words = new long[AT_ONCE * LONGS_PER_VALUE];
    for (int i = 0; i < section.count(); i++) {
      long at = section.offset() + (long) i * VALUE_SIZE;
      int word = i % AT_ONCE * LONGS_PER_VALUE;
      if (word == 0) {
        in.values(at, words, Math.min(AT_ONCE, section.count() - i));
      }
      long metricOffset = words[word + VALUE_METRIC / Long.BYTES];
      long instanceOffset = words[word + VALUE_INSTANCE / Long.BYTES];
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
      int instance = 0;
      if (!metric.isSingular()) {
        int index = inDoms.indexAt(instanceOffset);
        if (index == IntMap.NONE) {
          if (wrongInstances++ < in.mostFaults()) {
            String offset = Long.toUnsignedString(instanceOffset);
            in.fault(new Entry("value", i, at), WRONG_INSTANCE, offset);
          }
          continue;
        }
        instance = inDoms.number(index);
      }
      if (counts[m] == 0) {
        instances[m] = new int[metric.isSingular() ? 1 : FEW];
        values[m] = new int[instances[m].length];
      } else if (counts[m] == values[m].length) {
        instances[m] = Arrays.copyOf(instances[m], 2 * counts[m]);
        values[m] = Arrays.copyOf(values[m], 2 * counts[m]);
      }
      instances[m][counts[m]] = instance;
      values[m][counts[m]++] = i;
    }
    if (wrongMetrics > in.mostFaults()) {
      in.moreFaults(WRONG_METRIC, wrongMetrics - in.mostFaults());
    }
    if (wrongInstances > in.mostFaults()) {
      in.moreFaults(WRONG_INSTANCE, wrongInstances - in.mostFaults());
    }
    for (int m = 0; m < counts.length; m++) {
      if (metrics.metric(m) != null) {
        metrics.setValues(
            m, new MmvValueTable(first(instances[m], counts[m]), first(values[m], counts[m])));
      }
    }
  }

  private static int[] first(int[] numbers, int count) {
    if (count == 0) {
      return NONE;
    }
    return numbers.length == count ? numbers : Arrays.copyOf(numbers, count);
  }
}
