package org.jmmv.core;

import java.util.function.Supplier;
import org.jmmv.core.BuiltInMetric.Kind;
import org.jmmv.core.BuiltInMetric.Storing;
import org.jmmv.core.BuiltInMetric.Value;
import org.jmmv.core.HelpTexts.Help;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmcd;
import org.jmmv.pcp.Pmid;

/**
 * The metrics {@code pmcd.*} that clients ask every pmcd(1) for, so that they find them in a
 * collector. Types and PMIDs are those of pmcd(1): pmlogger(1) knows two metrics by their PMIDs.
 */
final class PmcdMetrics extends BuiltInMetrics {
  /** In the order of claims, after the metrics of {@link ControlMetrics}, ordered by item. */
  private static final int FIRST_CLAIM = Pmid.MAX_ITEM + 1;

  PmcdMetrics(PmcdFacts facts, PmcdClients clients, NameTree names) {
    super(Pmcd.DOMAIN, "pmcd", "pmcd.", FIRST_CLAIM);
    addText(21, "hostname", "Name of the host", facts.hostname());
    addText(5, "timezone", "Time zone, as in TZ", facts.timezone());
    facts.zoneinfo().ifPresent(zone -> addText(26, "zoneinfo", "Time zone, by name", zone));
    addText(7, "version", "Version of the collector", facts.version());
    addNumber(23, "pid", Kind.ID, "Process ID of the collector", facts.pid());
    addNumber(24, "seqnum", Kind.CODE, "Number of starts since the host's", 1);
    Storing describe = new Storing(_ -> PmError.PERMISSION, clients::describe);
    Supplier<Help> whoAmI = help("What each client says of itself");
    Value descriptions = clients.new Descriptions();
    add(6, 0, "client.whoami", Kind.TEXT, clients, whoAmI, descriptions, describe);
    addTo(names);
  }

  private void addText(int item, String name, String oneLine, String value) {
    add(0, item, name, Kind.TEXT, null, help(oneLine), BuiltInMetric.text(() -> value), null);
  }

  private void addNumber(int item, String name, Kind kind, String oneLine, long value) {
    add(0, item, name, kind, null, help(oneLine), BuiltInMetric.number(kind, () -> value), null);
  }

  @Override
  public Labels labels(int type, int ident) {
    return ident == Pmcd.DOMAIN ? super.labels(type, ident) : null;
  }

  private static Supplier<Help> help(String oneLine) {
    Help help = new Help(oneLine, null);
    return () -> help;
  }
}
