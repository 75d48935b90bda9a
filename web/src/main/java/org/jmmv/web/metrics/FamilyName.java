package org.jmmv.web.metrics;

import java.util.List;
import org.jmmv.core.Metric;
import org.jmmv.pcp.BaseUnit;
import org.jmmv.pcp.Scale;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;

/**
 * What a family is called. It depends on the name and the descriptor of its metric only.
 *
 * @param kind its type in Prometheus
 * @param name its name in OpenMetrics, without the suffix of its series
 * @param series the name of its series
 * @param unit the base unit, the last part of the name; empty if there is none
 * @param scale how values become multiples of the base unit
 */
record FamilyName(Family.Kind kind, String name, String series, String unit, Scale scale) {
  /**
   * Returns the name of a metric's family; null if it has none, because its values can't be shown:
   * texts that may change at any time would begin a new series each time.
   *
   * @param name the metric's name in PCP
   * @param metric null: withdrawn
   */
  static FamilyName of(String name, Metric metric, Naming naming) {
    if (metric == null || !naming.has(metric)) {
      return null;
    }
    int type = metric.type();
    int semantics = metric.semantics();
    boolean isText = type == ValueType.STRING;
    boolean isShown =
        isText
            ? naming == Naming.PROMETHEUS && semantics == Semantics.DISCRETE
            : ValueType.size(type) > 0;
    if (!isShown) {
      return null;
    }
    Family.Kind kind = isText ? Family.Kind.INFO : kind(semantics);
    boolean isPcp = naming == Naming.PCP;
    BaseUnit unit = BaseUnit.of(Units.of(isText || isPcp ? 0 : metric.units()));
    String base = PrometheusName.ofMetric(name);
    String family = isPcp ? base : unit.named(withoutSuffix(base, kind));
    String series = isPcp ? family : family.concat(kind.suffix);
    return new FamilyName(kind, family, series, unit.suffix(), unit.scale());
  }

  private static Family.Kind kind(int semantics) {
    return switch (semantics) {
      case Semantics.COUNTER -> Family.Kind.COUNTER;
      case Semantics.INSTANT, Semantics.DISCRETE -> Family.Kind.GAUGE;
      default -> Family.Kind.UNKNOWN;
    };
  }

  /** Returns a name that does not end with the suffix of its series, or with that of a counter. */
  private static String withoutSuffix(String base, Family.Kind kind) {
    return without(kind.suffix, without(Family.Kind.COUNTER.suffix, base));
  }

  private static String without(String suffix, String name) {
    return name.endsWith(suffix) ? name.substring(0, name.length() - suffix.length()) : name;
  }

  /**
   * Returns the names that nothing else may have: the family's, and those that its series have or
   * may get.
   */
  List<String> reserved() {
    if (series.equals(name)) {
      return List.of(name);
    }
    return kind == Family.Kind.COUNTER
        ? List.of(name, series, name + "_created")
        : List.of(name, series);
  }
}
