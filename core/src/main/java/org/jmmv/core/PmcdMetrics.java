package org.jmmv.core;

import java.util.ArrayList;
import java.util.List;
import org.jmmv.core.HelpTexts.Help;
import org.jmmv.core.OwnMetric.Kind;
import org.jmmv.core.OwnMetric.Reading;
import org.jmmv.core.OwnMetric.Storing;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmcd;
import org.jmmv.pcp.Pmid;

/**
 * The metrics {@code pmcd.*} that clients ask every pmcd(1) for, so that they find them in a
 * collector. Types and PMIDs are those of pmcd(1): pmlogger(1) knows two metrics by their PMIDs.
 */
final class PmcdMetrics implements MetricSource {
  /** In the order of claims, after the metrics of {@link ControlMetrics}, ordered by item. */
  private static final int FIRST_CLAIM = Pmid.MAX_ITEM + 1;

  private final List<OwnMetric> metrics = new ArrayList<>();
  private final PmcdClients clients;
  private final Labels labels = MetricSource.ofDomain("pmcd");

  PmcdMetrics(PmcdFacts facts, PmcdClients clients, NameTree names) {
    this.clients = clients;
    addText(21, "hostname", "Name of the host", facts.hostname());
    addText(5, "timezone", "Time zone, as in TZ", facts.timezone());
    facts.zoneinfo().ifPresent(zone -> addText(26, "zoneinfo", "Time zone, by name", zone));
    addText(7, "version", "Version of the collector", facts.version());
    addNumber(23, "pid", Kind.ID, "Process ID of the collector", facts.pid());
    addNumber(24, "seqnum", Kind.CODE, "Number of starts since the host's", 1);
    Storing describe = new Storing(_ -> PmError.PERMISSION, clients::describe);
    String whoAmI = "What each client says of itself";
    add(6, 0, "client.whoami", Kind.TEXT, PmcdClients.IN_DOM, whoAmI, clients.reading(), describe);
    List<Claim> claims = new ArrayList<>();
    for (OwnMetric metric : metrics) {
      claims.add(new Claim(metric.name(), metric.pmid(), Claim.AGENT, FIRST_CLAIM + claims.size()));
    }
    names.addOwn(claims);
  }

  private void addText(int item, String name, String oneLine, String value) {
    add(0, item, name, Kind.TEXT, InDom.NULL, oneLine, OwnMetric.text(() -> value), null);
  }

  private void addNumber(int item, String name, Kind kind, String oneLine, long value) {
    add(0, item, name, kind, InDom.NULL, oneLine, OwnMetric.number(kind, () -> value), null);
  }

  private void add(
      int cluster,
      int item,
      String name,
      Kind kind,
      int inDom,
      String oneLine,
      Reading reading,
      Storing storing) {
    int pmid = Pmid.build(Pmcd.DOMAIN, cluster, item);
    Help help = new Help(oneLine, null);
    metrics.add(new OwnMetric(pmid, "pmcd." + name, kind, inDom, () -> help, reading, storing));
  }

  @Override
  public Metric metric(int pmid) {
    if (Pmid.domain(pmid) == Pmcd.DOMAIN) {
      for (OwnMetric metric : metrics) {
        if (metric.pmid() == pmid) {
          return metric;
        }
      }
    }
    return null;
  }

  @Override
  public InstanceDomain instanceDomain(int inDom, RequestState request) {
    return inDom == PmcdClients.IN_DOM ? clients.inDom() : null;
  }

  @Override
  public Labels labels(int type, int ident) {
    return type == LabelType.DOMAIN && ident == Pmcd.DOMAIN ? labels : null;
  }
}
