package org.jmmv.core;

import org.jmmv.reader.Labels;

/** Where metrics come from. Its names are in the catalogue's {@link NameTree}. */
interface MetricSource {
  /** Brings up to date what a request concerns. */
  default void refresh(Scope scope) {}

  /** The metric of a PMID, or null if this source has none with a name. */
  Metric metric(int pmid);

  /** An instance domain, or null. */
  default InstanceDomain instanceDomain(int inDom) {
    return null;
  }

  /**
   * The labels of a cluster, item or instance domain, or null.
   *
   * @param type one of {@link org.jmmv.pcp.LabelType}
   */
  default Labels labels(int type, int ident) {
    return null;
  }
}
