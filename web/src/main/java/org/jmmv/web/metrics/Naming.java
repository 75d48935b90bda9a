package org.jmmv.web.metrics;

/** How metrics, units and labels of PCP are named for Prometheus. */
public enum Naming {
  /**
   * As Prometheus recommends: base units, {@code _total} for counters, labels of the host only in
   * {@code target_info}.
   */
  PROMETHEUS,

  /** As pmproxy's {@code /metrics}: names and values as in PCP, all labels on each series. */
  PCP
}
