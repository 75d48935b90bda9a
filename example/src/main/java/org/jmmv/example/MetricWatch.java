package org.jmmv.example;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jmmv.client.AgentConnection;
import org.jmmv.client.AgentErrorException;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.StateChange;
import org.jmmv.pcp.TextType;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Desc;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.Value;
import org.jmmv.protocol.ValueSet;

/**
 * Samples the metrics of all applications. Each sample is a single fetch. Names, descriptors,
 * instances and help texts are requested once, and again when the agent reports a change.
 */
final class MetricWatch {

  private static final String ROOT = "mmv";

  /** The prefix of the agent's own metrics, which are left out. */
  private static final String CONTROL = "mmv.control.";

  private static final int CHANGED = StateChange.LABELS | StateChange.NAMES;

  private final AgentConnection agent;
  private final LongSupplier nanoTime;
  private List<Metric> metrics = List.of();
  private boolean stale = true;
  private Map<Key, Double> counters = new HashMap<>();
  private long lastTime;

  /** The metadata of a metric; {@code instances} maps instance numbers to names. */
  private record Metric(
      String name, Desc desc, Units units, Map<Integer, String> instances, String help) {}

  /** Identifies a value: a metric and an instance number. */
  private record Key(String name, int instance) {}

  /**
   * Creates a watch without samples.
   *
   * @param nanoTime a clock in nanoseconds, used to compute rates
   */
  MetricWatch(AgentConnection agent, LongSupplier nanoTime) {
    this.agent = agent;
    this.nanoTime = nanoTime;
  }

  /** Returns the number of metrics in the last sample. */
  int size() {
    return metrics.size();
  }

  /** Fetches the current values. Counters have the rate since the previous sample. */
  List<Row> sample() throws IOException {
    if (stale) {
      load();
    }
    Result result = fetch();
    if (changed(result)) {
      load();
      result = fetch();
    }
    stale = metrics.isEmpty() || changed(result);
    return rows(result);
  }

  private static boolean changed(Result result) {
    return (result.seconds() & CHANGED) != 0;
  }

  private Result fetch() throws IOException {
    if (metrics.isEmpty()) {
      return new Result(0, 0, 0, List.of());
    }
    int[] pmids = metrics.stream().mapToInt(metric -> metric.desc().pmid()).toArray();
    return agent.fetch(Profile.all(0, 0), pmids);
  }

  private void load() throws IOException {
    List<Metric> found = new ArrayList<>();
    for (String name : agent.traverse(ROOT).stream().sorted().toList()) {
      if (!name.startsWith(CONTROL)) {
        try {
          found.add(describe(name));
        } catch (AgentErrorException e) {
          // The application has just ended: leave the metric out.
        }
      }
    }
    metrics = found;
  }

  private Metric describe(String name) throws IOException {
    Desc desc = agent.describe(agent.pmid(name));
    Map<Integer, String> instances = new HashMap<>();
    if (desc.inDom() != InDom.NULL) {
      for (Instance instance : agent.instances(desc.inDom()).instances()) {
        instances.put(instance.number(), printable(instance.name()));
      }
    }
    return new Metric(printable(name), desc, Units.of(desc.units()), instances, help(desc.pmid()));
  }

  private String help(int pmid) throws IOException {
    try {
      return printable(agent.text(pmid, TextType.PMID | TextType.ONELINE));
    } catch (AgentErrorException e) {
      return "";
    }
  }

  private List<Row> rows(Result result) {
    long time = nanoTime.getAsLong();
    double seconds = (time - lastTime) / 1e9;
    Map<Key, Double> last = counters;
    counters = new HashMap<>();
    lastTime = time;
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < metrics.size(); i++) {
      Metric metric = metrics.get(i);
      ValueSet set = result.sets().get(i);
      if (set.values().isEmpty()) {
        String why = set.status() == 0 ? "no values" : PmError.describe(set.status());
        rows.add(new Row(metric.name(), "", why, true, "", "", metric.help()));
      }
      for (InstanceValue value : set.values()) {
        rows.add(row(metric, value, last, seconds));
      }
    }
    return rows;
  }

  private Row row(Metric metric, InstanceValue value, Map<Key, Double> last, double seconds) {
    int type = metric.desc().valueType();
    boolean text = !value.value().isNumber();
    String rate = "";
    if (!text && metric.desc().semantics() == Semantics.COUNTER) {
      Key key = new Key(metric.name(), value.instance());
      double now = number(value.value(), type);
      Double before = last.get(key);
      counters.put(key, now);
      // A counter that decreased belongs to an application that was restarted.
      if (before != null && now >= before) {
        rate = Rate.format((now - before) / seconds, metric.units());
      }
    }
    return new Row(
        metric.name(),
        instance(metric, value.instance()),
        text ? '"' + printable(value.value().asText()) + '"' : format(value.value(), type),
        text,
        rate,
        text ? "" : metric.units().toString(),
        metric.help());
  }

  private static String instance(Metric metric, int number) {
    return number == Instance.NULL ? "" : metric.instances().getOrDefault(number, "#" + number);
  }

  private static double number(Value value, int type) {
    return type == ValueType.U32 ? Integer.toUnsignedLong((int) value.asLong()) : value.asDouble();
  }

  private static String format(Value value, int type) {
    return switch (type) {
      case ValueType.FLOAT, ValueType.DOUBLE ->
          String.format(Locale.ROOT, "%,.2f", value.asDouble());
      case ValueType.U32 ->
          String.format(Locale.ROOT, "%,d", Integer.toUnsignedLong((int) value.asLong()));
      default -> String.format(Locale.ROOT, "%,d", new BigInteger(value.asText()));
    };
  }

  /**
   * Decodes untrusted text as UTF-8 for a terminal: control and format characters become {@code ?}.
   *
   * @param wire one char per byte
   */
  static String printable(String wire) {
    return new String(wire.getBytes(ISO_8859_1), UTF_8).replaceAll("[\\p{Cc}\\p{Cf}]", "?");
  }
}
