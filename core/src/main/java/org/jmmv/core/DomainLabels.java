package org.jmmv.core;

import org.jmmv.pcp.LabelParser;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;

/** The labels of domains: each has the name of its agent. */
final class DomainLabels {
  private final int domain;
  private final Labels own;
  private final Labels ofPmcd = of("pmcd");

  /**
   * Creates the labels.
   *
   * @param root the first component of the names of files' metrics
   * @param domain the domain of these metrics
   */
  DomainLabels(String root, int domain) {
    this.domain = domain;
    own = of(root);
  }

  private static Labels of(String agent) {
    return LabelParser.parse("{\"agent\":\"%s\"}".formatted(agent), LabelType.DOMAIN);
  }

  /** Returns the labels of a domain. */
  Labels of(int ident) {
    return ident == PmcdFacts.DOMAIN && ident != domain ? ofPmcd : own;
  }
}
