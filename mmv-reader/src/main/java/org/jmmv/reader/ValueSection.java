package org.jmmv.reader;

import static org.jmmv.reader.MmvFile.LONGS_PER_VALUE;
import static org.jmmv.reader.MmvLayout.VALUE_INSTANCE;
import static org.jmmv.reader.MmvLayout.VALUE_METRIC;
import static org.jmmv.reader.MmvLayout.VALUE_SIZE;

import java.util.Arrays;

/** Reads the VALUES section, and assigns its entries to metrics and instances. */
final class ValueSection {
  private static final int AT_ONCE = 512; // entries
  private static final int FEW = 8; // initial capacity for the values of a metric
  private static final int[] NONE = {};

  private ValueSection() {}

  /** Sets the table of values of each metric. The time is linear in the number of values. */
  static void read(
      SchemaInput in, MmvHeader.Section section, MetricSection metrics, InDomSection inDoms) {
    // They grow with the accepted entries: a hole in the file can be millions of entries.
    int[][] instances = new int[metrics.count()][];
    int[][] values = new int[metrics.count()][];
    int[] counts = new int[metrics.count()];
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
        fault(in, FaultKind.VALUE_OF_NO_METRIC, i, at, metricOffset);
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
          fault(in, FaultKind.VALUE_OF_NO_INSTANCE, i, at, instanceOffset);
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
    for (int m = 0; m < counts.length; m++) {
      if (metrics.metric(m) != null) {
        metrics.setValues(
            m, new MmvValueTable(first(instances[m], counts[m]), first(values[m], counts[m])));
      }
    }
  }

  /** Adds a fault. There can be millions, so no object is made of most of them. */
  private static void fault(SchemaInput in, FaultKind kind, int index, long at, long offset) {
    if (in.faults().count(kind)) {
      Place place = in.place(Place.Section.VALUES, index, at);
      in.faults().keep(Fault.of(kind, place, Long.toUnsignedString(offset)));
    }
  }

  private static int[] first(int[] numbers, int count) {
    if (count == 0) {
      return NONE;
    }
    return numbers.length == count ? numbers : Arrays.copyOf(numbers, count);
  }
}
