package org.jmmv.web.metrics;

import java.util.List;
import org.jmmv.core.Metric;
import org.jmmv.core.View;
import org.jmmv.pcp.Labels;

/** How metrics, units and labels of PCP are named for Prometheus. */
public enum Naming {
  /**
   * As Prometheus recommends: base units, {@code _total} for counters, labels of the host only in
   * {@code target_info}. Metrics of this program are left out: it has series of its own.
   */
  PROMETHEUS,

  /** As pmproxy's {@code /metrics}: names and values as in PCP, all labels on each series. */
  PCP;

  /** Returns whether a metric is among those that are named. */
  boolean has(Metric metric) {
    return this == PCP || !metric.origins(1).isEmpty();
  }

  /**
   * Returns the labels of all series of a metric. Those of later sets replace others with the same
   * name.
   *
   * @param ofHost the labels of the host
   */
  List<Labels> labels(Metric metric, View view, Labels ofHost) {
    List<Labels> sets = view.labels(metric);
    if (this == PCP) {
      sets.addFirst(ofHost);
    } else {
      sets.removeFirst(); // of the domain: which agent this is
    }
    return sets;
  }
}
