package org.jmmv.cli.top;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jmmv.core.InstanceDomain;
import org.jmmv.pcp.InstanceTable;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueSink;

/**
 * A metric, with a {@link Series} for each instance that had a value when it was last read, in the
 * order of the instance domain. It receives its own values. Many metrics may share a large instance
 * domain and have few values.
 */
final class WatchedMetric implements ValueSink {
  private final String name;
  private final int pmid;
  private final boolean isSingular;
  private final int semantics;
  private final Units units;
  private final String help;
  private final int size;
  private List<Series> series;

  // the current reading
  private List<Series> before; // the series of the last reading
  private Map<Integer, Series> byInstance; // the same; null until they are not in the same order
  private InstanceDomain instances;
  private long now;
  private boolean isSame; // whether the series are the same as before, so far

  /**
   * Creates a metric.
   *
   * @param name the full name, one char per byte
   * @param help one line, one char per byte; null if there is none
   * @param size the number of values that it has at most
   * @param series those that had a value when it was last read; a singular metric always has one
   */
  WatchedMetric(
      String name,
      int pmid,
      boolean isSingular,
      int semantics,
      Units units,
      String help,
      int size,
      List<Series> series) {
    this.name = name;
    this.pmid = pmid;
    this.isSingular = isSingular;
    this.semantics = semantics;
    this.units = units;
    this.help = help;
    this.size = size;
    this.series = series;
  }

  String name() {
    return name;
  }

  int pmid() {
    return pmid;
  }

  /** Returns whether the metric has a single value, without an instance. */
  boolean isSingular() {
    return isSingular;
  }

  Units units() {
    return units;
  }

  String help() {
    return help;
  }

  /** Returns the number of values that the metric has at most, also before it was read. */
  int size() {
    return size;
  }

  List<Series> series() {
    return series;
  }

  /** Returns this metric with other series: some to be shown. */
  WatchedMetric with(List<Series> others) {
    return new WatchedMetric(name, pmid, isSingular, semantics, units, help, size, others);
  }

  /**
   * Starts a reading.
   *
   * @param inDom the instance domain; null for a singular metric, or if it is not defined
   */
  void begin(long nanoTime, InstanceDomain inDom) {
    before = series;
    instances = inDom;
    now = nanoTime;
    clear();
  }

  /**
   * Ends a reading. A singular metric without a value keeps its series.
   *
   * @return whether any instance has got a value that had none, or the reverse
   */
  boolean end() {
    boolean hasChanged = !isSame || series.size() != before.size();
    if (isSingular && series.isEmpty()) {
      before.forEach(Series::clear);
      series = before;
      hasChanged = false;
    }
    before = null;
    byInstance = null;
    instances = null;
    return hasChanged;
  }

  /** Returns the series of an instance, which is the next one that has a value. */
  private Series next(int instance) {
    InstanceTable table = isSingular ? null : instances.table();
    String instanceName = isSingular ? null : table.name(table.indexOf(instance));
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
    if (known == null || !known.isOf(instance, instanceName, semantics)) {
      isSame = false;
      known = new Series(instance, instanceName, semantics);
    }
    series.add(known);
    return known;
  }

  @Override
  public int numbers(int type, int[] instances, long[] bits, int count) {
    for (int i = 0; i < count; i++) {
      next(instances[i]).setNumber(type, bits[i], now);
    }
    return count;
  }

  @Override
  public boolean text(int instance, byte[] bytes, int offset, int length) {
    next(instance).setText(new String(bytes, offset, length, ISO_8859_1));
    return true;
  }

  @Override
  public void none(int status) {
    // end() does it
  }

  @Override
  public void clear() {
    series = new ArrayList<>(before.size());
    isSame = true;
  }
}
