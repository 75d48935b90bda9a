package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.VALUE_INSTANCE;
import static org.jmmv.reader.MmvLayout.VALUE_LONGS;
import static org.jmmv.reader.MmvLayout.VALUE_METRIC;
import static org.jmmv.reader.MmvLayout.VALUE_SIZE;

import java.util.Arrays;
import org.jmmv.pcp.IntMap;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.Place;

/**
 * Reads the VALUES section, and assigns its entries to metrics and instances. The time is linear in
 * the number of values.
 */
final class ValueSection {
  /**
   * Entries of a step, which are copied together; with {@code MmvFileReader.STEPS_PER_LOOK} such
   * steps, a turn ends in time.
   */
  private static final int AT_ONCE = 512;

  /**
   * Initial capacity for the values of a metric: usual ones need not grow, and a metric without
   * values has none.
   */
  private static final int FEW = 8;

  private static final int[] NONE = {};

  private final SchemaInput in;
  private final MmvHeader.Section section;
  private final MetricSection metrics;
  private final InDomSection inDoms;
  private final long[] words; // of the entries that are read together
  private int next; // the index of the entry that is read next
  private int complete; // number of metrics that have their table

  // by metric; they grow with the accepted entries: a hole in the file can be millions of entries
  private int[][] instances;
  private int[][] values;
  private int[] counts; // null until the metrics were read

  ValueSection(
      SchemaInput in, MmvHeader.Section section, MetricSection metrics, InDomSection inDoms) {
    this.in = in;
    this.section = section;
    this.metrics = metrics;
    this.inDoms = inDoms;
    words = new long[Math.min(AT_ONCE, section.count()) * VALUE_LONGS];
  }

  /**
   * Reads some entries. When all were read, sets the tables of values of some metrics.
   *
   * @return whether there are more
   */
  boolean read() {
    if (counts == null) {
      in.keep(metrics.count() > 0 ? section.count() * Memory.OF_VALUE : 0);
      counts = new int[metrics.count()];
      instances = new int[counts.length][];
      values = new int[counts.length][];
    }
    if (in.isTooLarge() || counts.length == 0) {
      return false;
    }
    int end = Math.min(section.count(), next + AT_ONCE);
    if (next < end) {
      in.values(at(next), words, end - next);
    }
    for (int word = 0; next < end; next++, word += VALUE_LONGS) {
      read(words[word + VALUE_METRIC / Long.BYTES], words[word + VALUE_INSTANCE / Long.BYTES]);
    }
    if (next == section.count()) {
      setTables();
    }
    return complete < counts.length;
  }

  private void setTables() {
    for (int copied = 0; complete < counts.length && copied < AT_ONCE; complete++) {
      int m = complete;
      if (metrics.metric(m) != null) {
        metrics.setValues(
            m, new MmvValueTable(first(instances[m], counts[m]), first(values[m], counts[m])));
      }
      instances[m] = null;
      values[m] = null;
      copied += counts[m] + 1;
    }
  }

  private long at(int index) {
    return section.offset() + (long) index * VALUE_SIZE;
  }

  /** Reads the next entry, which has these offsets of its metric and its instance. */
  private void read(long metricOffset, long instanceOffset) {
    int m = metrics.indexAt(metricOffset);
    if (m < 0) {
      fault(FaultKind.VALUE_OF_NO_METRIC, metricOffset);
      return;
    }
    MmvMetric metric = metrics.metric(m);
    if (metric == null || (metric.isSingular() && counts[m] > 0)) {
      return; // the first value of a singular metric counts
    }
    int instance = 0;
    if (!metric.isSingular()) {
      int index = inDoms.indexAt(instanceOffset);
      if (index == IntMap.NONE) {
        fault(FaultKind.VALUE_OF_NO_INSTANCE, instanceOffset);
        return;
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
    values[m][counts[m]++] = next;
  }

  /** Adds a fault. There can be millions, so the place and the text are made only when needed. */
  private void fault(FaultKind kind, long offset) {
    in.faults()
        .add(
            kind,
            () ->
                Fault.of(
                    kind,
                    in.place(Place.Section.VALUES, next, at(next)),
                    Long.toUnsignedString(offset)));
  }

  private static int[] first(int[] numbers, int count) {
    if (count == 0) {
      return NONE;
    }
    return numbers.length == count ? numbers : Arrays.copyOf(numbers, count);
  }
}
