package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.VALUE_INSTANCE;
import static org.jmmv.reader.MmvLayout.VALUE_METRIC;
import static org.jmmv.reader.MmvLayout.VALUE_SIZE;

import java.util.function.Supplier;
import org.jmmv.reader.SchemaInput.Entry;

/** Reads the VALUES section, and assigns its entries to metrics and instances. */
final class ValueSection {
  private ValueSection() {}

  /** Sets the table of values of each metric. The time is linear in the number of values. */
  static void read(
      SchemaInput in, Header.Section section, MetricSection metrics, InDomSection inDoms) {
    int[] metricOf = new int[section.count()]; // -1: the value is left out
    int[] instanceOf = new int[section.count()];
    int[] counts = new int[metrics.count()];
    for (int i = 0; i < section.count(); i++) {
      long at = section.offset() + (long) i * VALUE_SIZE;
      long metricOffset = in.i64(at + VALUE_METRIC);
      long instanceOffset = in.i64(at + VALUE_INSTANCE);
      metricOf[i] = -1;
      int m = metrics.indexAt(metricOffset);
      if (m < 0) {
        fault(in, i, at, "metric offset %s is that of no metric, left out", metricOffset);
        continue;
      }
      MmvMetric metric = metrics.metric(m);
      if (metric == null || (metric.isSingular() && counts[m] > 0)) {
        continue; // the first value of a singular metric counts
      }
      if (!metric.isSingular()) {
        Integer number = inDoms.instanceAt(instanceOffset);
        if (number == null) {
          fault(in, i, at, "instance offset %s is that of no instance, left out", instanceOffset);
          continue;
        }
        instanceOf[i] = number;
      }
      metricOf[i] = m;
      counts[m]++;
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

  private static void fault(SchemaInput in, int index, long at, String reason, long offset) {
    Supplier<String> text = () -> Long.toUnsignedString(offset); // there can be millions of faults
    in.fault(new Entry("value", index, at), reason, text);
  }
}
