package org.jmmv.core;

import org.jmmv.pcp.Labels;

/**
 * A source of metrics for the catalogue. It adds the names of its metrics to the catalogue's {@link
 * NameTree} itself.
 */
interface MetricSource {
  /**
   * Returns the metric with a PMID, or null if this source has no such metric or the metric has no
   * name.
   */
  Metric metric(int pmid);

  /** Returns an instance domain, as a request sees it, or null if this source does not have it. */
  default InstanceDomain instanceDomain(int inDom, RequestState request) {
    return null;
  }

  /**
   * Returns the labels of an object, or null if this source has none; see {@link View#labels(int,
   * int)}.
   */
  default Labels labels(int type, int ident) {
    return null;
  }
}
