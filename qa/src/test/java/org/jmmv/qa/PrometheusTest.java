package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.Units;
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

  private Prometheus start(String config) {
    return pcp.open(
        Prometheus.start(
            machine, pcp, Prometheus.scrapeConfigs(jmmv.http().getPort()) + config, ""));
  }

  @Test
  void aRuleRecordsTheMeanTimeOfARequest() throws IOException {
    MmvWriter file = new MmvWriter(2).cluster(103);
    file.metric("requests.time", 1, ValueType.U64).units(Units.parse("millisec").word()).value(0);
    file.metric("requests.served", 2, ValueType.U64).value(0);
    Path shop = file.write(pcp.mmv(), "shop"); // in place of the other one
    Path rules = Files.createDirectories(pcp.file("prometheus")).resolve("rules.yml");
    Files.writeString(rules, Prometheus.documented("groups:"));
    Prometheus prometheus = start("rule_files: [rules.yml]\n");
    Await.until("a scrape", () -> !prometheus.query("mmv_shop_requests_served_total").isEmpty());
    MmvWriter.storeLong(shop, file.valueAt(0), 2_500);
    MmvWriter.storeLong(shop, file.valueAt(1), 10);
    Await.until(
        "0.25 s",
        () -> prometheus.query("instance:mmv_shop_request_seconds:mean5m").equals(List.of(0.25)));
  }

  private MmvWriter worker(int number, long requests) {
    MmvWriter file = new MmvWriter(2).cluster(number);
    file.metric("requests", 1, ValueType.U64).semantics(Semantics.COUNTER).value(requests);
    file.metric("debug.loops", 2, ValueType.U64).value(1);
    MmvWriter.InDom queues = file.inDom(1).instance(7, "in");
    file.metric("queue", 3, ValueType.U64).inDom(queues).at(7, 5);
    file.write(pcp.mmv(), "unicorn_" + number);
    return file;
  }

  @Test
  void workersOfOneProgramAreOneMetricWithALabel() {
    worker(101, 1_000);
    worker(102, 2_000);
    Prometheus prometheus = start(Prometheus.documented("metric_relabel_configs:").indent(4));
    Await.until(
        "both workers",
        () ->
            prometheus
                .query("sum(mmv_unicorn_requests_total{worker=~\"101|102\"})")
                .equals(List.of(3_000.0)));
    assertEquals(List.of(2_000.0), prometheus.query("mmv_unicorn_requests_total{worker=\"102\"}"));
    assertEquals(List.of(), prometheus.query("{__name__=~\"mmv_unicorn_.*(debug|101|102).*\"}"));
    assertEquals(
        List.of(5.0, 5.0),
        prometheus.query("mmv_unicorn_queue_total{instname=\"in\",instid=\"\"}"));
  }

  @Test
  void theSumOfTheRatesIsRightWhenAWorkerIsReplaced() throws IOException {
    worker(101, 1_000);
    MmvWriter steady = worker(102, 2_000);
    Prometheus prometheus = start(Prometheus.documented("metric_relabel_configs:").indent(4));
    awaitRates(prometheus, 2);
    Files.delete(pcp.mmv().resolve("unicorn_101"));
    worker(103, 1);
    awaitRates(prometheus, 3);
    assertEquals(List.of(2_001.0), prometheus.query("sum(mmv_unicorn_requests_total)"));
    String sum = "sum(rate(mmv_unicorn_requests_total[10m]))";
    assertEquals(List.of(0.0), prometheus.query("max_over_time(" + sum + "[10m:1s])"));
    String wrong = "rate(sum(mmv_unicorn_requests_total)[10m:1s])";
    assertEquals(1, prometheus.query(wrong + " > 0").size());

    String standsStill = "changes(mmv_unicorn_requests_total{worker=\"102\"}[5m]) == 0";
    assertEquals(List.of(0.0), prometheus.query(standsStill));
    MmvWriter.storeLong(pcp.mmv().resolve("unicorn_102"), steady.valueAt(0), 3_000);
    Await.until("an increase", () -> prometheus.query(sum + " > 0").size() == 1);
    assertEquals(List.of(), prometheus.query(standsStill));
  }

  private static void awaitRates(Prometheus prometheus, int workers) {
    Await.until(
        workers + " rates",
        () -> prometheus.query("rate(mmv_unicorn_requests_total[10m])").size() == workers);
  }
}
