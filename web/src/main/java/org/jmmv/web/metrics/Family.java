package org.jmmv.web.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jmmv.core.Metric;
import org.jmmv.core.View;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;
import org.jmmv.web.http.JsonBody;

/**
 * A metric as a family of series.
 *
 * @param source the metric's name in PCP, and its descriptor
 * @param kind its type in Prometheus
 * @param name its name in OpenMetrics, without the suffix of its series
 * @param series the name of its series
 * @param unit the base unit, the last part of the name; empty if there is none
 * @param help a line of help, which also has the name and the units in PCP
 * @param scale how values become multiples of the base unit
 * @param labels the labels of all series
 * @param files the names of its files, the first {@value #MAX_FILES} of them
 * @param start when its counters have begun, in nanoseconds since the epoch; 0 if that is not known
 */
record Family(
    Source source,
    Kind kind,
    String name,
    String series,
    String unit,
    String help,
    Scale scale,
    List<LabelPair> labels,
    List<String> files,
    long start) {
  private static final int MAX_FILES = 16;

  /** What of a metric a family was made of. */
  record Source(String name, int pmid, int type, int semantics, int units, int inDom) {
    static Source of(String name, Metric metric) {
      return new Source(
          name, metric.pmid(), metric.type(), metric.semantics(), metric.units(), metric.inDom());
    }
  }

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
   * Returns the family of a metric, or empty if its values can't be shown: texts that may change at
   * any time would begin a new series each time.
   */
  static Optional<Family> of(String name, Metric metric, Naming naming, View view, Labels ofHost) {
    Source source = Source.of(name, metric);
    boolean isText = source.type == ValueType.STRING;
    boolean isShown =
        isText
            ? naming == Naming.PROMETHEUS && source.semantics == Semantics.DISCRETE
            : ValueType.size(source.type) > 0;
    if (!isShown) {
      return Optional.empty();
    }
    Kind kind = isText ? Kind.INFO : kind(source.semantics);
    boolean isPcp = naming == Naming.PCP;
    BaseUnit unit =
        isText || isPcp ? BaseUnit.of(Units.of(0)) : BaseUnit.of(Units.of(source.units));
    List<Metric.Origin> origins = metric.origins(MAX_FILES);
    String base = PrometheusName.ofMetric(name);
    String family = isPcp ? base : unit.named(withoutSuffix(base, kind));
    return Optional.of(
        new Family(
            source,
            kind,
            family,
            isPcp ? family : family.concat(kind.suffix),
            unit.suffix(),
            help(name, metric),
            unit.scale(),
            labels(metric, isPcp, view, ofHost),
            origins.stream().map(origin -> origin.file().toString()).toList(),
            origins.size() == 1 ? Generation.nanos(origins.getFirst().generation()) : 0));
  }

  private static Kind kind(int semantics) {
    return switch (semantics) {
      case Semantics.COUNTER -> Kind.COUNTER;
      case Semantics.INSTANT, Semantics.DISCRETE -> Kind.GAUGE;
      default -> Kind.UNKNOWN;
    };
  }

  /** Returns a name that does not end with the suffix of its series, or with that of a counter. */
  private static String withoutSuffix(String base, Kind kind) {
    return without(kind.suffix, without(Kind.COUNTER.suffix, base));
  }

  private static String without(String suffix, String name) {
    return name.endsWith(suffix) ? name.substring(0, name.length() - suffix.length()) : name;
  }

  private static String help(String name, Metric metric) {
    String line = metric.oneLine() == null ? metric.help() : metric.oneLine();
    String units = Units.of(metric.units()).toString();
    String pcp = "PCP: " + name + (units.isEmpty() ? "" : ", " + units);
    return line == null || line.isEmpty() ? pcp : "%s (%s)".formatted(JsonBody.text(line), pcp);
  }

  private static List<LabelPair> labels(Metric metric, boolean isPcp, View view, Labels ofHost) {
    Labels ofInDom =
        metric.inDom() == InDom.NULL ? null : view.labels(LabelType.INDOM, metric.inDom());
    List<Labels> sets = new ArrayList<>();
    if (isPcp) {
      sets.add(ofHost);
      sets.add(view.labels(LabelType.DOMAIN, Pmid.domain(metric.pmid())));
    }
    sets.add(ofInDom);
    sets.add(view.labels(LabelType.CLUSTER, metric.pmid()));
    sets.add(view.labels(LabelType.ITEM, metric.pmid()));
    return LabelPair.of(sets);
  }

  /**
   * Returns the names that nothing else may have: the family's, and those that its series have or
   * may get.
   */
  List<String> reserved() {
    if (series.equals(name)) {
      return List.of(name);
    }
    return kind == Kind.COUNTER ? List.of(name, series, name + "_created") : List.of(name, series);
  }
}
