package org.jmmv.web.metrics;

import java.util.List;
import org.jmmv.core.Metric;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.Units;

/**
 * A family of series, without their labels.
 *
 * @param help a line of help, which also has the name and the units in PCP
 * @param start when its counters have begun, in nanoseconds since the epoch; 0 if that is not known
 */
record Family(FamilyName names, String help, long start) {
  /** Types of families, with the suffix of their series. */
  enum Kind {
    COUNTER("_total"),
    GAUGE(""),
    /** The value, a text, is a label. */
    INFO("_info"),
    UNKNOWN("");

    final String suffix;

    Kind(String suffix) {
      this.suffix = suffix;
    }
  }

  /**
   * Returns the family of a metric.
   *
   * @param name the metric's name in PCP
   */
  static Family of(FamilyName names, String name, Metric metric) {
    return new Family(names, help(name, metric), start(names, metric));
  }

  private static String help(String name, Metric metric) {
    String line = metric.oneLine() == null ? metric.help() : metric.oneLine();
    String units = Units.of(metric.units()).toString();
    String pcp = "PCP: " + name + (units.isEmpty() ? "" : ", " + units);
    return line == null || line.isEmpty() ? pcp : FileText.decode(line) + " (" + pcp + ")";
  }

  private static long start(FamilyName names, Metric metric) {
    List<Metric.Origin> origins = names.kind() == Kind.COUNTER ? metric.origins(2) : List.of();
    return origins.size() == 1 ? origins.getFirst().startNanos() : 0;
  }
}
