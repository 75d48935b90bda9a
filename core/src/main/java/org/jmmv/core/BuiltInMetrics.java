package org.jmmv.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jmmv.core.BuiltInMetric.Kind;
import org.jmmv.core.BuiltInMetric.Storing;
import org.jmmv.core.BuiltInMetric.Value;
import org.jmmv.core.HelpTexts.Help;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.Pmid;

/** Metrics of this program that have one domain and one node of the names. */
abstract class BuiltInMetrics implements MetricSource {
  private final int domain;
  private final Labels labels;
  private final String node; // with the dot after it
  private final int firstClaim;
  private final Map<Integer, BuiltInMetric> metrics = new HashMap<>();
  private final Map<Integer, BuiltInInDom> inDoms = new HashMap<>();
  private final List<Claim> claims = new ArrayList<>();

  /**
   * Creates an object without metrics.
   *
   * @param agent the domain's label "agent"
   * @param firstClaim an index after those of other metrics of this program
   */
  BuiltInMetrics(int domain, String agent, String node, int firstClaim) {
    this.domain = domain;
    labels = Labels.of(Map.of("agent", agent), LabelType.DOMAIN);
    this.node = node;
    this.firstClaim = firstClaim;
  }

  /** Adds a {@link BuiltInMetric}, whose name is given without the node. */
  final void add(
      int cluster,
      int item,
      String name,
      Kind kind,
      BuiltInInDom inDom,
      Supplier<Help> help,
      Value value,
      Storing storing) {
    int pmid = Pmid.build(domain, cluster, item);
    metrics.put(pmid, new BuiltInMetric(pmid, node + name, kind, inDom, help, value, storing));
    claims.add(new Claim(node + name, pmid, Claim.AGENT, firstClaim + claims.size()));
    if (inDom != null) {
      inDoms.put(inDom.id(), inDom);
    }
  }

  /** Adds the names of all metrics to a tree. */
  final void addTo(NameTree names) {
    names.addBuiltIn(claims);
  }

  @Override
  public final Metric metric(int pmid) {
    return metrics.get(pmid);
  }

  @Override
  public final InstanceDomain instanceDomain(int inDom, RequestState request) {
    BuiltInInDom own = inDoms.get(inDom);
    return own == null ? null : own.at(request);
  }

  /** Returns the labels of the domain: pmcd asks an agent in its own way, whatever the domain. */
  @Override
  public Labels labels(int type, int ident) {
    return type == LabelType.DOMAIN ? labels : null;
  }
}
