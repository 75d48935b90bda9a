package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;
import org.jmmv.qa.Application.Library;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real Prometheus scrapes {@code jmmv serve --http}. */
final class PrometheusTest {
  private static final int SECONDS = Nightly.scraping();
  private static final int PER_SECOND = 100;
  private static final double TOLERANCE = PER_SECOND * 0.02;

  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();
  private final ThisMachine machine = new ThisMachine();
  private Application shop;
  private CollectorProcess jmmv;

  @BeforeEach
  void start() {
    Need.PROMETHEUS.require();
    shop = pcp.open(Application.start(pcp, Library.LIBPCP_MMV, "shop", "plain"));
    jmmv = pcp.open(CollectorProcess.withHttp(pcp, 0));
  }

  /** Has the application count, and returns the rate that Prometheus sees. */
  private double rate(Prometheus prometheus) {
    shop.count("requests", PER_SECOND, SECONDS);
    List<Double> rate =
        prometheus.query("rate(mmv_shop_requests_total[%ds])".formatted(SECONDS - 5));
    assertEquals(1, rate.size());
    return rate.getFirst();
  }

  /** Without features it asks for OpenMetrics, with native histograms for protobuf. */
  @ParameterizedTest
  @ValueSource(strings = {"", "native-histograms"})
  void itScrapesWithoutAFailureAndSeesTheRateOfACounter(String features) {
    Prometheus prometheus =
        pcp.open(
            Prometheus.start(
                machine, pcp, Prometheus.scrapeConfigs(jmmv.http().getPort()), features));
    Await.until("a scrape", () -> !prometheus.query("up{job=\"mmv\"}").isEmpty());
    Await.until( // a busy machine delays the application
        "the rate", () -> Math.abs(rate(prometheus) - PER_SECOND) <= TOLERANCE);
    assertEquals(List.of(1.0), prometheus.query("max_over_time(up{job=\"mmv\"}[10m])"));
    assertEquals("", prometheus.failures());
    assertTrue(prometheus.query("jmmv_file_state{state=\"served\"}").contains(1.0));
  }

  @Test
  void workersOfOneProgramAreOneMetricWithALabel() {
    for (int worker = 101; worker <= 102; worker++) {
      MmvWriter file = new MmvWriter(2).cluster(worker);
      file.metric("requests", 1, ValueType.U64).semantics(Semantics.COUNTER).value(worker);
      file.metric("debug.loops", 2, ValueType.U64).value(1);
      file.write(pcp.mmv(), "unicorn_" + worker);
    }
    Prometheus prometheus =
        pcp.open(
            Prometheus.start(
                machine,
                pcp,
                Prometheus.scrapeConfigs(jmmv.http().getPort())
                    + Prometheus.documented("metric_relabel_configs:").indent(4),
                ""));
    Await.until(
        "both workers",
        () ->
            prometheus
                .query("sum(mmv_unicorn_requests_total{worker=~\"101|102\"})")
                .equals(List.of(203.0)));
    assertEquals(List.of(102.0), prometheus.query("mmv_unicorn_requests_total{worker=\"102\"}"));
    assertEquals(List.of(), prometheus.query("{__name__=~\"mmv_unicorn_.*(debug|101|102).*\"}"));
  }
}
