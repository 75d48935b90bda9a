package org.jmmv.core;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueSink;
import org.jmmv.pcp.ValueType;

/**
 * The metrics {@code pmcd.*} that clients ask every pmcd(1) for, so that they find them in a
 * collector. Types and PMIDs are those of pmcd(1): pmlogger(1) knows two metrics by their PMIDs.
 */
final class PmcdMetrics implements MetricSource {
  static final int DOMAIN = 2;

  /** The instance domain of the collector's clients. */
  static final int CLIENT_INDOM = InDom.build(DOMAIN, 6);

  /**
   * In the order of claims. The agent's own metrics have the lower numbers, and no file name,
   * either.
   */
  private static final int FIRST_CLAIM = 1000;

  /** A metric of {@code pmcd}. Its values are discrete and have no units. */
  private abstract static class PmcdMetric implements Metric {
    private final int pmid;
    private final String name;
    private final int type;
    private final String oneLine;

    PmcdMetric(int cluster, int item, String name, int type, String oneLine) {
      pmid = Pmid.build(DOMAIN, cluster, item);
      this.name = "pmcd." + name;
      this.type = type;
      this.oneLine = oneLine;
    }

    @Override
    public int pmid() {
      return pmid;
    }

    @Override
    public int type() {
      return type;
    }

    @Override
    public int inDom() {
      return InDom.NULL;
    }

    @Override
    public int semantics() {
      return Semantics.DISCRETE;
    }

    @Override
    public int units() {
      return 0;
    }

    @Override
    public List<String> names() {
      return List.of(name);
    }

    @Override
    public String oneLine() {
      return oneLine;
    }

    @Override
    public String help() {
      return null;
    }

    @Override
    public int maxValues(InstanceFilter filter) {
      return 1;
    }
  }

  private static final class Text extends PmcdMetric {
    private final byte[] value;

    Text(int item, String name, String oneLine, String value) {
      super(0, item, name, ValueType.STRING, oneLine);
      this.value = value.getBytes(ISO_8859_1);
    }

    @Override
    public void read(InstanceFilter filter, ValueSink sink) {
      sink.text(Instance.NULL, value, 0, value.length);
    }
  }

  private static final class Count extends PmcdMetric {
    private final long value;

    Count(int item, String name, int type, String oneLine, long value) {
      super(0, item, name, type, oneLine);
      this.value = value;
    }

    @Override
    public void read(InstanceFilter filter, ValueSink sink) {
      sink.numbers(type(), new int[] {Instance.NULL}, new long[] {value}, 1);
    }
  }

  private static final class WhoAmI extends PmcdMetric {
    private final PmcdClients clients;

    WhoAmI(PmcdClients clients) {
      super(6, 0, "client.whoami", ValueType.STRING, "What each client says of itself");
      this.clients = clients;
    }

    @Override
    public int inDom() {
      return CLIENT_INDOM;
    }

    @Override
    public int maxValues(InstanceFilter filter) {
      return clients.count();
    }

    @Override
    public void read(InstanceFilter filter, ValueSink sink) {
      clients.read(filter, sink);
    }

    @Override
    public boolean isStorable() {
      return true;
    }

    @Override
    public PmError store(String text) {
      return clients.describe(text);
    }
  }

  private final List<PmcdMetric> metrics = new ArrayList<>();
  private final PmcdClients clients;

  PmcdMetrics(PmcdFacts facts, PmcdClients clients, NameTree names) {
    this.clients = clients;
    metrics.add(new Text(21, "hostname", "Name of the host", facts.hostname()));
    metrics.add(new Text(5, "timezone", "Time zone, as in TZ", facts.timezone()));
    facts
        .zoneinfo()
        .ifPresent(zone -> metrics.add(new Text(26, "zoneinfo", "Time zone, by name", zone)));
    metrics.add(new Text(7, "version", "Version of the collector", facts.version()));
    metrics.add(new Count(23, "pid", ValueType.U64, "Process ID of the collector", facts.pid()));
    metrics.add(new Count(24, "seqnum", ValueType.U32, "Number of starts since the host's", 1));
    metrics.add(new WhoAmI(clients));
    List<NameTree.Claim> claims = new ArrayList<>();
    for (PmcdMetric metric : metrics) {
      claims.add(
          new NameTree.Claim(
              metric.name, metric.pmid, NameTree.AGENT, FIRST_CLAIM + claims.size()));
    }
    names.update(List.of(), claims, (_, _) -> {});
  }

  /** Returns the number of metrics. */
  int count() {
    return metrics.size();
  }

  @Override
  public Metric metric(int pmid) {
    if (Pmid.domain(pmid) == DOMAIN) {
      for (PmcdMetric metric : metrics) {
        if (metric.pmid == pmid) {
          return metric;
        }
      }
    }
    return null;
  }

  @Override
  public InstanceDomain instanceDomain(int inDom) {
    return inDom == CLIENT_INDOM ? clients.inDom() : null;
  }
}
