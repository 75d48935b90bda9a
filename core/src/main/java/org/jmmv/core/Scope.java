package org.jmmv.core;

import org.jmmv.pcp.PmidList;

/**
 * The objects that a request concerns. The catalogue checks the files of these objects for changes
 * before the request is answered.
 */
public sealed interface Scope {
  /** The metric with a PMID. */
  record OfMetric(int pmid) implements Scope {}

  /** The metrics with several PMIDs. */
  record OfMetrics(PmidList pmids) implements Scope {}

  /** The metric with a full name. */
  record OfName(String name) implements Scope {}

  /** An instance domain. */
  record OfInDom(int inDom) implements Scope {}

  /**
   * The labels of a domain, a cluster, an item or an instance domain.
   *
   * @param type one of {@link org.jmmv.pcp.LabelType}
   * @param ident a domain, a PMID or an instance domain, depending on the type
   */
  record OfLabels(int type, int ident) implements Scope {}

  /** No objects: what was found before is enough. Changes are looked for as with every request. */
  record NoFiles() implements Scope {}

  /** The whole name space. */
  record AllFiles() implements Scope {}
}
