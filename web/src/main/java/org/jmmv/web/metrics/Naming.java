package org.jmmv.web.metrics;

import org.jmmv.core.Metric;

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
}
