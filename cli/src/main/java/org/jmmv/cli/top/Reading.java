package org.jmmv.cli.top;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jmmv.core.InstanceDomain;
import org.jmmv.core.KeptValues;
import org.jmmv.pcp.InstanceTable;
import org.jmmv.pcp.ValueType;

/** One reading of the values of a metric, into its series. */
final class Reading {
  private final WatchedMetric metric;
  private final List<Series> series; // of the metric
  private final List<Series> before; // the series of the last reading
  private final InstanceTable instances;
  private final long now = System.nanoTime();
  private Map<Integer, Series> byInstance; // before; null until they are not in the same order
  private boolean isSame = true; // whether the series are the same as before, so far

  /**
   * Creates a reading, of which the values are those of now.
   *
   * @param instances those of the metric; null if it is singular, or if they are not defined
   */
  Reading(WatchedMetric metric, InstanceDomain instances) {
    this.metric = metric;
    this.instances = metric.isSingular() || instances == null ? null : instances.table();
    series = metric.series();
    before = List.copyOf(series);
  }

  /**
   * Sets the values that were read. A singular metric without a value keeps its series.
   *
   * @return whether any instance has got a value that had none, or the reverse
   */
  boolean set(KeptValues values) {
    if (metric.isSingular() && values.count() == 0) {
      series.forEach(Series::clear);
      return false;
    }
    series.clear();
    for (int i = 0; i < values.count(); i++) {
      Series next = next(values.instance(i));
      if (values.type() == ValueType.STRING) {
        next.setText(values.text(i));
      } else {
        next.setNumber(values.type(), values.bits(i), now);
      }
    }
    return !isSame || series.size() != before.size();
  }

  /** Returns the series of an instance, which is the next one that has a value. */
  private Series next(int instance) {
    String name = instances == null ? null : instances.name(instances.indexOf(instance));
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
    if (known == null || !known.isOf(instance, name)) {
      isSame = false;
      known = new Series(instance, name, metric.semantics());
    }
    series.add(known);
    return known;
  }
}
