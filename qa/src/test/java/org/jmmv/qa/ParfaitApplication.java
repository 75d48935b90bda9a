package org.jmmv.qa;

import static io.pcp.parfait.dxm.IdentifierSourceSet.DEFAULT_SET;
import static io.pcp.parfait.dxm.semantics.Semantics.COUNTER;
import static io.pcp.parfait.dxm.semantics.Semantics.DISCRETE;
import static io.pcp.parfait.dxm.semantics.Semantics.INSTANT;

import io.pcp.parfait.dxm.MetricName;
import io.pcp.parfait.dxm.MmvVersion;
import io.pcp.parfait.dxm.PcpMmvWriter;
import io.pcp.parfait.dxm.semantics.Semantics;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.HashMap;
import java.util.Map;
import javax.measure.Unit;
import tech.units.indriya.AbstractUnit;
import tech.units.indriya.unit.Units;

/** An application with Parfait, arguments FILE SHAPE. It has the same protocol as application.c. */
final class ParfaitApplication {
  private final PcpMmvWriter writer;
  private final Map<String, Object> metrics = new HashMap<>();

  private ParfaitApplication(PcpMmvWriter writer) {
    this.writer = writer;
  }

  public static void main(String[] args) throws IOException {
    MmvVersion version = args[1].equals("long") ? MmvVersion.MMV_VERSION2 : MmvVersion.MMV_VERSION1;
    PcpMmvWriter writer = new PcpMmvWriter(args[0], DEFAULT_SET, version);
    writer.setClusterIdentifier(503);
    ParfaitApplication application = new ParfaitApplication(writer);
    switch (args[1]) {
      case "plain" -> application.addPlain();
      case "long" -> application.addLong();
      default -> application.add("answer", INSTANT, AbstractUnit.ONE, 0);
    }
    writer.start();
    application.serve();
  }

  private void addPlain() {
    add("requests", COUNTER, AbstractUnit.ONE, 0L);
    add("queue[orders].depth", INSTANT, AbstractUnit.ONE, 0);
    add("queue[invoices].depth", INSTANT, AbstractUnit.ONE, 0);
    add("throughput", INSTANT, AbstractUnit.ONE, 0.0);
    add("busy", COUNTER, Units.SECOND, 0L);
    add("state", DISCRETE, AbstractUnit.ONE, "starting");
    writer.setInstanceDomainHelpText("queue", "Queues", "The queues of the application.");
    writer.setMetricHelpText("requests", "requests taken", "All that came.");
    writer.setMetricHelpText("queue.depth", "waiting requests", "All that wait.");
  }

  private void addLong() {
    String name = "a_name_that_is_longer_than_the_sixty_three_bytes_that_version_one_has_for_it";
    add(name, COUNTER, AbstractUnit.ONE, 0L);
    add("queue[" + name + "].depth", INSTANT, AbstractUnit.ONE, 0);
  }

  private void add(String name, Semantics semantics, Unit<?> unit, Object value) {
    metrics.put(name, value);
    writer.addMetric(MetricName.parse(name), semantics, unit, value);
  }

  private void serve() throws IOException {
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
    System.out.println("ready");
    for (String order = orders.readLine(); order != null; order = orders.readLine()) {
      String[] words = order.split(" ", 3);
      String name =
          words[1].equals("-") ? words[0] : words[0].replaceFirst("\\.|$", "[" + words[1] + "]$0");
      writer.updateMetric(MetricName.parse(name), parse(words[2], metrics.get(name)));
      System.out.println("ok");
    }
  }

  private static Object parse(String word, Object example) {
    return switch (example) {
      case Integer _ -> Integer.valueOf(word);
      case Long _ -> Long.valueOf(word);
      case Double _ -> Double.valueOf(word);
      default -> word;
    };
  }
}
