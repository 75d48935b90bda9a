package org.jmmv.cli.top;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import org.jmmv.config.ToolCommand;
import org.jmmv.reader.watch.NamePattern;

/**
 * Selects values by a text that their names contain, in which {@code *} stands for any characters
 * and {@code ?} for one. Upper and lower case of ASCII letters do not matter.
 */
final class NameFilter {
  private final String text;
  private final NamePattern pattern;

  /**
   * Creates a filter.
   *
   * @param text not longer than {@link #isShort} allows; empty: everything is selected
   */
  NameFilter(String text) {
    this.text = text;
    String literal = lower(text).replace("\\", "\\\\").replace("[", "\\[");
    pattern = NamePattern.of('*' + literal + '*');
  }

  /** Returns whether a text can be that of a filter. */
  static boolean isShort(String text) {
    return text.getBytes(UTF_8).length <= ToolCommand.MAX_FILTER;
  }

  private static String lower(String text) {
    StringBuilder lower = new StringBuilder(text);
    for (int i = 0; i < lower.length(); i++) {
      char c = lower.charAt(i);
      if (c >= 'A' && c <= 'Z') {
        lower.setCharAt(i, (char) (c - 'A' + 'a'));
      }
    }
    return lower.toString();
  }

  String text() {
    return text;
  }

  boolean isEmpty() {
    return text.isEmpty();
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
    return pattern.matches(lower(metric.name() + instance).getBytes(ISO_8859_1));
  }
}
