package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.jmmv.qa.Application.Library;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
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
    double rate = rate(prometheus);
    if (Math.abs(rate - PER_SECOND) > TOLERANCE) {
      rate = rate(prometheus); // a busy machine has delayed the application
    }
    assertEquals(PER_SECOND, rate, TOLERANCE);
    assertEquals(List.of(1.0), prometheus.query("max_over_time(up{job=\"mmv\"}[10m])"));
    assertEquals("", prometheus.failures());
    assertTrue(prometheus.query("jmmv_file_state{state=\"served\"}").contains(1.0));
  }
}
