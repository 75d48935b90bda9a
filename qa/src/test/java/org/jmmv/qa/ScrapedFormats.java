package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.jmmv.pcp.ValueType;
import org.jmmv.qa.Application.Library;
import org.jmmv.testkit.MmvWriter;

/**
 * A Prometheus that can be told which format to ask for, and that stores a zero at the time since
 * when a counter has counted: 2.50 and later ones.
 */
final class ScrapedFormats {
  private static final String COUNT = "4711"; // of one application
  private static final int FIRST = 500; // what another one has counted before it is scraped
  private static final int SCRAPES = 5;
  private static final List<String> FORMATS =
      List.of("PrometheusProto", "OpenMetricsText1.0.0", "PrometheusText0.0.4");

  private final Machine machine;

  ScrapedFormats(Machine machine) {
    this.machine = machine;
  }

  /** Has it scrape in each format, and checks what it has seen. */
  void check() throws IOException {
    try (TemporaryPcp pcp = new TemporaryPcp(machine);
        Application shop =
            Application.start(
                machine,
                pcp.file("application.err"),
                pcp.mmv(),
                Library.LIBPCP_MMV,
                "shop",
                "plain")) {
      int port = PrivatePmcd.freePort();
      String serve =
          "%s serve --listen none --http 127.0.0.1:%d --state %s %s >%s 2>&1 &"
              .formatted(
                  AgentCommand.TOOL, port, pcp.file("state"), pcp.mmv(), pcp.file("serve.log"));
      machine.run("sh", "-c", serve).outOfSuccess();
      try (Prometheus prometheus =
          Prometheus.start(machine, pcp, configs(port), "created-timestamp-zero-ingestion")) {
        Await.until(
            "scrapes in each format",
            () -> prometheus.log() + TemporaryPcp.text(pcp.file("serve.log")),
            () -> prometheus.query("up == 1").size() == FORMATS.size());
        MmvWriter guest = new MmvWriter(1).generation(Instant.now().getEpochSecond());
        guest.metric("served", 1, ValueType.U64).value(FIRST);
        guest.write(pcp.mmv(), "guest");
        shop.set("requests", COUNT);
        check(prometheus);
      } finally {
        machine.run("pkill", "-f", "[s]erve.*" + pcp.mmv());
      }
    }
  }

  private static String configs(int port) {
    StringBuilder configs = new StringBuilder("scrape_configs:\n");
    for (String format : FORMATS) {
      configs.append(
          """
            - job_name: %s
              scrape_protocols: [%s]
              static_configs:
                - targets: ["127.0.0.1:%d"]
          """
              .formatted(format, format, port));
    }
    return configs.toString();
  }

  private static void check(Prometheus prometheus) {
    String counted = "mmv_shop_requests_total == " + COUNT;
    Await.until(
        "the count in each format",
        prometheus::log,
        () -> prometheus.query(counted).size() == FORMATS.size());
    String scraped = "count_over_time(mmv_guest_served_total[1h]) >= " + SCRAPES;
    Await.until(
        "scrapes in each format",
        prometheus::log,
        () -> prometheus.query(scraped).size() == FORMATS.size());
    List<Double> none = Collections.nCopies(FORMATS.size(), 0.0);
    assertEquals(none, prometheus.query("resets(mmv_guest_served_total[1h])"));
    assertEquals(none, prometheus.query("resets(mmv_shop_requests_total[1h])"));
    String increase = "increase(mmv_guest_served_total{job=\"%s\"}[1h])";
    assertEquals(List.of(0.0), prometheus.query(increase.formatted(FORMATS.getLast())));
    List<Double> seen = prometheus.query(increase.formatted(FORMATS.getFirst()));
    assertTrue(seen.size() == 1 && seen.getFirst() >= FIRST, seen::toString);
    assertEquals("", prometheus.failures());
  }
}
