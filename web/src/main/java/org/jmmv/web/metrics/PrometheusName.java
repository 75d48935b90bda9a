package org.jmmv.web.metrics;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Set;

/** The names of metrics and labels in Prometheus. */
final class PrometheusName {
  private static final Set<String> TAKEN_LABELS =
      Set.of("instance", "job", "le", "quantile", "instname", "instid");

  private PrometheusName() {}

  /**
   * Returns the name of a label. Names that Prometheus or this program gives to other labels begin
   * with {@code exported_} instead, as do those that begin with "__", which Prometheus reserves.
   *
   * @param name the full name, with dots if the label is in a compound one
   */
  static String ofLabel(String name) {
    String replaced = ofMetric(name);
    return replaced.startsWith("__") || TAKEN_LABELS.contains(replaced)
        ? "exported_" + replaced
        : replaced;
  }

  /** Returns the name of a metric, which has letters, digits and "_" only. */
  static String ofMetric(String name) {
    byte[] text = name.getBytes(ISO_8859_1); // other characters become "?"
    for (int i = 0; i < text.length; i++) {
      if (!isDigit(text[i]) && !isLetter(text[i])) {
        text[i] = '_';
      }
    }
    String replaced = new String(text, ISO_8859_1);
    return text.length > 0 && isDigit(text[0]) ? '_' + replaced : replaced;
  }

  private static boolean isDigit(byte c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isLetter(byte c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }
}
