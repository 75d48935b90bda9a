package org.jmmv.cli.top;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.List;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;

/** Metrics for tests. */
final class Metrics {
  private static final Units NONE = Units.of(0);

  private Metrics() {}

  /** Returns a text with one char for each of its bytes. */
  static String bytes(String text) {
    return new String(text.getBytes(UTF_8), ISO_8859_1);
  }

  private static WatchedMetric metric(
      String name, boolean isSingular, int size, List<Series> series) {
    return new WatchedMetric(name, 1, isSingular, Semantics.INSTANT, NONE, null, size, series);
  }

  /** Returns a singular metric with a number. */
  static WatchedMetric number(String name, long value) {
    Series series = new Series(Instance.NULL, null, Semantics.INSTANT);
    series.setNumber(ValueType.I64, value, 0);
    return metric(name, true, 1, List.of(series));
  }

  /** Returns a singular metric with a string. */
  static WatchedMetric text(String name, String value) {
    Series series = new Series(Instance.NULL, null, Semantics.DISCRETE);
    series.setText(value);
    return metric(name, true, 1, List.of(series));
  }

  /** Returns a metric with instances and their number as value. */
  static WatchedMetric instances(String name, String... instances) {
    List<Series> series =
        Arrays.stream(instances)
            .map(instance -> new Series(instance.hashCode(), instance, Semantics.INSTANT))
            .toList();
    series.forEach(one -> one.setNumber(ValueType.I64, one.instanceName().length(), 0));
    return metric(name, false, instances.length, series);
  }
}
