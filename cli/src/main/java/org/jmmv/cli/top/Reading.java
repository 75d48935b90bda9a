package org.jmmv.cli.top;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jmmv.core.InstanceDomain;
import org.jmmv.core.KeptValues;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.InstanceTable;
import org.jmmv.pcp.ValueSink;
import org.jmmv.pcp.ValueType;

/** One reading of the values of a metric, into its series. */
final class Reading implements ValueSink {
  private final WatchedMetric metric;
  private final List<Series> series; // of the metric
  private final List<Series> before; // the series of the last reading
  private final InstanceDomain instances;
  private final long now = System.nanoTime();
  private Map<Integer, Series> byInstance; // before; null until they are not in the same order
  private boolean isSame; // whether the series are the same as before, so far

  /**
   * Starts a reading.
   *
   * @param instances those of the metric; null if it is singular, or if they are not defined
   */
  Reading(WatchedMetric metric, InstanceDomain instances) {
    this.metric = metric;
    this.instances = instances;
    series = metric.series();
    before = List.copyOf(series);
    clear();
  }

  /**
   * Ends a reading. A singular metric without a value keeps its series.
   *
   * @return whether any instance has got a value that had none, or the reverse
   */
  boolean end() {
    if (metric.isSingular() && series.isEmpty()) {
      before.forEach(Series::clear);
      series.addAll(before);
      return false;
    }
    return !isSame || series.size() != before.size();
  }

  /** Returns the series of an instance, which is the next one that has a value. */
  private Series next(int instance) {
    InstanceTable table = metric.isSingular() ? null : instances.table();
    String instanceName = table == null ? null : table.name(table.indexOf(instance));
    int index = series.size();
    Series known = index < before.size() ? before.get(index) : null;
    if (known == null || known.instance() != instance) {
      isSame = false;
      if (byInstance == null) {
        byInstance = HashMap.newHashMap(before.size());
        before.forEach(one -> byInstance.put(one.instance(), one));
      }
      known = byInstance.get(instance);
    }
    if (known == null || !known.isOf(instance, instanceName, metric.semantics())) {
      isSame = false;
      known = new Series(instance, instanceName, metric.semantics());
    }
    series.add(known);
    return known;
  }

  /** Sets the values of a derived metric. */
  void set(KeptValues values) {
    for (int i = 0; i < values.count(); i++) {
      Series series = next(values.instance(i));
      if (values.type() == ValueType.STRING) {
        series.setText(FileText.encode(values.text(i)));
      } else {
        series.setNumber(values.type(), values.bits(i), now);
      }
    }
  }

  @Override
  public int numbers(int type, int[] numbers, long[] bits, int count) {
    for (int i = 0; i < count; i++) {
      next(numbers[i]).setNumber(type, bits[i], now);
    }
    return count;
  }

  @Override
  public boolean text(int instance, byte[] bytes, int offset, int length) {
    next(instance).setText(new String(bytes, offset, length, ISO_8859_1));
    return true;
  }

  @Override
  public void clear() {
    series.clear();
    isSame = true;
  }
}
