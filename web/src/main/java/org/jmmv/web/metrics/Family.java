package org.jmmv.web.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jmmv.core.Metric;
import org.jmmv.core.View;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.Units;

/**
 * A metric as a family of series. It is made to be encoded, and not kept: it keeps labels of files
 * in the heap.
 *
 * @param help a line of help, which also has the name and the units in PCP
 * @param labels the labels of all series: those of later sets replace others with the same name
 * @param start when its counters have begun, in nanoseconds since the epoch; 0 if that is not known
 */
record Family(FamilyName names, String help, List<Labels> labels, long start) {
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
  static Family of(
      FamilyName names, String name, Metric metric, Naming naming, View view, Labels ofHost) {
    List<Metric.Origin> origins = metric.origins(2);
    return new Family(
        names,
        help(name, metric),
        labels(metric, naming, view, ofHost),
        origins.size() == 1 ? Generation.nanos(origins.getFirst().generation()) : 0);
  }

  private static String help(String name, Metric metric) {
    String line = metric.oneLine() == null ? metric.help() : metric.oneLine();
    String units = Units.of(metric.units()).toString();
    String pcp = "PCP: " + name + (units.isEmpty() ? "" : ", " + units);
    return line == null || line.isEmpty() ? pcp : "%s (%s)".formatted(FileText.decode(line), pcp);
  }

  private static List<Labels> labels(Metric metric, Naming naming, View view, Labels ofHost) {
    List<Labels> sets = new ArrayList<>();
    if (naming == Naming.PCP) {
      sets.add(ofHost);
      sets.add(view.labels(LabelType.DOMAIN, Pmid.domain(metric.pmid())));
    }
    if (metric.inDom() != InDom.NULL) {
      sets.add(view.labels(LabelType.INDOM, metric.inDom()));
    }
    sets.add(view.labels(LabelType.CLUSTER, metric.pmid()));
    sets.add(view.labels(LabelType.ITEM, metric.pmid()));
    sets.removeIf(Objects::isNull);
    return sets;
  }
}
