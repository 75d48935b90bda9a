package org.jmmv.cli.top;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Locale;

/** Selects values by a text that their names contain. Upper and lower case do not matter. */
final class NameFilter {
  private final String text;
  private final String wanted; // in lower case, one char per byte

  /** Creates a filter that selects what contains a text, everything if the text is empty. */
  NameFilter(String text) {
    this.text = text;
    wanted = new String(text.getBytes(UTF_8), ISO_8859_1).toLowerCase(Locale.ROOT);
  }

  String text() {
    return text;
  }

  boolean isEmpty() {
    return wanted.isEmpty();
  }

  /** Returns the metrics that have selected values, with only these. */
  List<WatchedMetric> select(List<WatchedMetric> metrics) {
    return isEmpty()
        ? metrics
        : metrics.stream().map(this::select).filter(m -> !m.series().isEmpty()).toList();
  }

  private WatchedMetric select(WatchedMetric metric) {
    return metric.with(metric.series().stream().filter(s -> passes(metric, s)).toList());
  }

  private boolean passes(WatchedMetric metric, Series series) {
    String instance = series.instanceName() == null ? "" : '[' + series.instanceName() + ']';
    return (metric.name() + instance).toLowerCase(Locale.ROOT).contains(wanted);
  }
}
