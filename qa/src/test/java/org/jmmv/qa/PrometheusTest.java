package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jmmv.qa.Application.Library;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real Prometheus scrapes {@code jmmv serve --http}. */
final class PrometheusTest {
  private static final int SECONDS = Nightly.scraping();
  private static final double PER_SECOND = 100;

  private final List<AutoCloseable> open = new ArrayList<>();
  private TemporaryPcp pcp;
  private Application shop;
  private CollectorProcess jmmv;

  @BeforeEach
  void start() {
    Need.PROMETHEUS.require();
    pcp = new TemporaryPcp();
    open.add(pcp);
    shop = Application.start(pcp, Library.LIBPCP_MMV, "shop", "plain");
    open.add(shop);
    jmmv = CollectorProcess.start(pcp, "--http", "127.0.0.1:0");
    open.add(jmmv);
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** Returns the configuration that docs/web.md has. */
  private String scrapeConfigs() {
    return TemporaryPcp.text(Path.of("../docs/web.md"))
        .replaceFirst("(?s).*\n    (scrape_configs:\n.*?)\n\n.*", "$1")
        .replace("\n    ", "\n")
        .replace("9464", Integer.toString(jmmv.http().getPort()));
  }

  /** Starts Prometheus, and returns where it answers. */
  private URI startPrometheus(String features) throws IOException {
    Path directory = Files.createDirectories(pcp.file("prometheus"));
    Path config =
        Files.writeString(
            directory.resolve("prometheus.yml"),
            "global: {scrape_interval: 500ms, scrape_timeout: 500ms}\n" + scrapeConfigs());
    int port = freePort();
    List<String> command =
        new ArrayList<>(
            List.of(
                "prometheus",
                "--config.file=" + config,
                "--storage.tsdb.path=" + directory.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port));
    if (!features.isEmpty()) {
      command.add("--enable-feature=" + features);
    }
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    open.add(() -> {
      process.destroy();
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    });
    return URI.create("http://127.0.0.1:" + port + "/");
  }

  /** Returns the values of a query, empty if there are none. */
  private static List<Double> query(URI prometheus, String query) {
    URI uri =
        prometheus.resolve(
            "api/v1/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8));
    try (HttpClient client = HttpClient.newHttpClient()) {
      String body =
          client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
      List<Double> values = new ArrayList<>();
      for (JsonNode series : new ObjectMapper().readTree(body).at("/data/result")) {
        values.add(Double.valueOf(series.at("/value/1").asText()));
      }
      return values;
    } catch (IOException e) {
      return List.of(); // it does not listen yet
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Without features it asks for OpenMetrics, with native histograms for protobuf. */
  @ParameterizedTest
  @ValueSource(strings = {"", "native-histograms"})
  void itScrapesWithoutAFailureAndSeesTheRateOfACounter(String features) throws Exception {
    URI prometheus = startPrometheus(features);
    Await.until("a scrape", () -> !query(prometheus, "up{job=\"mmv\"}").isEmpty());
    long start = System.nanoTime();
    double elapsed = 0;
    while (elapsed < SECONDS) {
      Thread.sleep(50);
      elapsed = (System.nanoTime() - start) / 1e9;
      shop.set("requests", Long.toString(Math.round(elapsed * PER_SECOND)));
    }
    List<Double> up = query(prometheus, "min_over_time(up{job=\"mmv\"}[%ds])".formatted(SECONDS));
    List<Double> rate =
        query(prometheus, "rate(mmv_shop_requests_total[%ds])".formatted(SECONDS - 5));
    assertEquals(List.of(1.0), up);
    assertEquals(1, rate.size());
    assertEquals(PER_SECOND, rate.getFirst(), PER_SECOND * 0.02);
    assertTrue(query(prometheus, "jmmv_file_state{state=\"served\"}").contains(1.0));
  }
}
