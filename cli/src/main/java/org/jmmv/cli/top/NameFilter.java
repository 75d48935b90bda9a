package org.jmmv.cli.top;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jmmv.config.Converters;
import org.jmmv.core.BoundedPattern;
import org.jmmv.pcp.FileText;
import org.jmmv.reader.watch.NamePattern;

/**
 * Selects values by a text that their names contain, in which {@code *} stands for any characters
 * and {@code ?} for one. A text between slashes is a regular expression instead. Case is ignored:
 * of all letters in an expression, of ASCII letters in a text.
 */
final class NameFilter {
  /** A filter is compared with each name and instance as they are drawn, and fits into its line. */
  private static final int MAX_BYTES = 100;

  private static final String IGNORING_CASE = "(?i)";

  private final String text;
  private final Predicate<String> names; // one char per byte, with the instance in brackets
  private final Optional<String> problem;

  /**
   * Creates a filter.
   *
   * @param text not longer than {@link #isShort} allows; empty: everything is selected
   */
  NameFilter(String text) {
    this.text = text;
    Predicate<String> selected = _ -> false;
    Optional<String> reason = Optional.empty();
    try {
      boolean isRegex = text.length() > 1 && text.startsWith("/") && text.endsWith("/");
      selected = isRegex ? regex(text.substring(1, text.length() - 1)) : glob(text);
    } catch (IllegalArgumentException e) {
      String message = e.getMessage().replace(IGNORING_CASE, "");
      reason = Optional.of("The regular expression can't be used: " + message + '.');
    }
    names = selected;
    problem = reason;
  }

  /**
   * Returns a text that can be that of a filter.
   *
   * @throws IllegalArgumentException if it is too long
   */
  static String checked(String text) {
    if (!isShort(text)) {
      throw Converters.wrong("a text of at most %d bytes".formatted(MAX_BYTES), text);
    }
    return text;
  }

  /** Returns whether a text can be that of a filter. */
  static boolean isShort(String text) {
    return text.getBytes(UTF_8).length <= MAX_BYTES;
  }

  private static Predicate<String> glob(String text) {
    String literal = lower(text).replace("\\", "\\\\").replace("[", "\\[");
    NamePattern pattern = NamePattern.of('*' + literal + '*');
    return name -> pattern.matches(lower(name).getBytes(ISO_8859_1));
  }

  private static Predicate<String> regex(String text) {
    BoundedPattern pattern = BoundedPattern.ofAny(List.of(IGNORING_CASE + text));
    return name -> pattern.isIn(FileText.decodeOrLatin1(name));
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

  /** Returns why the filter selects nothing whatever the names are, if that is so. */
  Optional<String> problem() {
    return problem;
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
    return names.test(metric.name() + instance);
  }
}
