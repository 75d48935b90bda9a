package org.jmmv.core;

import org.jmmv.pcp.PmidList;

/** What a request concerns, and so what has to be up to date before it is answered. */
public sealed interface Scope {
  /** The metric of a PMID. */
  record OfMetric(int pmid) implements Scope {}

  /** The metrics of several PMIDs. */
  record OfMetrics(PmidList pmids) implements Scope {}

  /** The metric of a name. */
  record OfName(String name) implements Scope {}

  /** An instance domain. */
  record OfInDom(int inDom) implements Scope {}

  /**
   * The labels of a domain, a cluster, an item or an instance domain.
   *
   * @param type one of {@link org.jmmv.pcp.LabelType}
   * @param ident a domain, a PMID or an instance domain, as the type says
   */
  record OfLabels(int type, int ident) implements Scope {}

  /** All names. */
  record OfAll() implements Scope {}
}
