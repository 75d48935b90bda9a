package org.jmmv.cli.top;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueSink;

/**
 * A metric, with a {@link Series} for each instance, in the order of the instance domain. It
 * receives its own values.
 */
final class WatchedMetric implements ValueSink {
  private final String name;
  private final int pmid;
  private final boolean isSingular;
  private final Units units;
  private final String help;
  private final List<Series> series;
  private int next; // the series after that of the last value
  private long now;

  /**
   * Creates a metric.
   *
   * @param name the full name, one char per byte
   * @param help one line, one char per byte; null if there is none
   */
  WatchedMetric(
      String name, int pmid, boolean isSingular, Units units, String help, List<Series> series) {
    this.name = name;
    this.pmid = pmid;
    this.isSingular = isSingular;
    this.units = units;
    this.help = help;
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

  List<Series> series() {
    return series;
  }

  /** Returns this metric with some of its series, to show them. */
  WatchedMetric with(List<Series> some) {
    return new WatchedMetric(name, pmid, isSingular, units, help, some);
  }

  /** Starts a reading. */
  void begin(long nanoTime) {
    next = 0;
    now = nanoTime;
  }

  /** Ends a reading: instances that were not read have no value. */
  void end() {
    while (next < series.size()) {
      series.get(next++).clear();
    }
  }

  /** Returns the series of an instance, or null if it is unknown. Those before have no values. */
  private Series skipTo(int instance) {
    while (next < series.size()) {
      Series candidate = series.get(next++);
      if (candidate.instance() == instance) {
        return candidate;
      }
      candidate.clear();
    }
    return null;
  }

  @Override
  public void numbers(int type, int[] instances, long[] bits, int count) {
    for (int i = 0; i < count; i++) {
      Series found = skipTo(instances[i]);
      if (found != null) {
        found.setNumber(type, bits[i], now);
      }
    }
  }

  @Override
  public void text(int instance, byte[] bytes, int offset, int length) {
    Series found = skipTo(instance);
    if (found != null) {
      found.setText(new String(bytes, offset, length, ISO_8859_1));
    }
  }

  @Override
  public void none(int status) {
    // end() does it
  }

  @Override
  public void clear() {
    next = 0;
  }
}
