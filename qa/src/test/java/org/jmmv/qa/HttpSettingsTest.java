package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The table http of jmmv.toml, as docs/web.md has it. */
final class HttpSettingsTest {
  private static final int WIDE = 6000; // instances, more than the documented max_series

  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();
  private CollectorProcess jmmv;

  private void certificate(String name) {
    PemFiles.make(pcp.file(""), name);
  }

  /** Returns the response to a request, and its status, 000 if there is no answer. */
  private String curl(String path, String... options) {
    List<String> command =
        new ArrayList<>(List.of("curl", "--silent", "--write-out", "%{http_code}"));
    command.addAll(List.of(options));
    command.add("https://localhost:%d%s".formatted(jmmv.http().getPort(), path));
    return Shell.run(Map.of(), command).out();
  }

  private String status(String... options) {
    String response = curl("/metrics", options);
    return response.substring(response.length() - 3);
  }

  private String[] options(String ca, String certificate, String user) {
    return new String[] {
      "--resolve", "localhost:%d:127.0.0.1".formatted(jmmv.http().getPort()),
      "--cacert", pcp.file(ca).toString(),
      "--cert", pcp.file(certificate + ".pem").toString(),
      "--key", pcp.file(certificate + "-key.pem").toString(),
      "--user", user
    };
  }

  /** Serves files with the documented settings, which ask for a password and a certificate. */
  private void serve() throws IOException {
    certificate("server");
    certificate("client");
    MmvWriter file = new MmvWriter(2).cluster(1);
    file.metric("answer", 1, ValueType.I32).value(42);
    file.write(pcp.mmv(), "shop");
    MmvWriter wide = new MmvWriter(2).cluster(2);
    MmvWriter.InDom inDom = wide.inDom(1);
    MmvWriter.Metric metric = wide.metric("m", 1, ValueType.I32).inDom(inDom);
    for (int i = 0; i < WIDE; i++) {
      inDom.instance(i, "i" + i);
      metric.at(i, i);
    }
    wide.write(pcp.mmv(), "wide");
    String settings =
        TemporaryPcp.text(Path.of("../docs/web.md"))
            .replaceFirst("(?s).*\n    (\\[http\\]\n.*?)\n\n.*", "$1")
            .replace("127.0.0.1:9464", "127.0.0.1:0")
            .replace(", \"unix:/run/jmmv/http\"", "")
            .replace("/etc/jmmv/cert.pem", pcp.file("server.pem").toString())
            .replace("/etc/jmmv/key.pem", pcp.file("server-key.pem").toString())
            .replace("/etc/jmmv/clients.pem", pcp.file("client.pem").toString());
    Files.writeString(Files.createDirectories(pcp.file("etc/jmmv")).resolve("jmmv.toml"), settings);
    jmmv =
        pcp.open(
            CollectorProcess.start(pcp, Map.of("PCP_SYSCONF_DIR", pcp.file("etc").toString())));
  }

  @Test
  void prometheusGivesItsPasswordAndItsCertificate() throws IOException {
    Need.PROMETHEUS.require();
    serve();
    Path directory = Files.createDirectories(pcp.file("prometheus"));
    Files.copy(pcp.file("server.pem"), directory.resolve("ca.pem"));
    Files.copy(pcp.file("client.pem"), directory.resolve("client.pem"));
    Files.copy(pcp.file("client-key.pem"), directory.resolve("client-key.pem"));
    Files.writeString(directory.resolve("jmmv.password"), "secret");
    String job =
        Prometheus.scrapeConfigs(jmmv.http().getPort())
            + Prometheus.documented("scheme: https").replace("/jmmv/", "/").indent(4);
    Prometheus prometheus = pcp.open(Prometheus.start(new ThisMachine(), pcp, job, ""));
    Await.until(
        "a scrape",
        prometheus::log,
        () -> prometheus.query("mmv_shop_answer_total").equals(List.of(42.0)));
  }

  @Test
  void aRequestNeedsThePasswordAndTheCertificateThatTheSettingsAskFor() throws IOException {
    Need.CURL.require();
    serve();
    certificate("stranger");
    assertEquals("200", status(options("server.pem", "client", "prometheus:secret")));
    assertEquals("401", status(options("server.pem", "client", "prometheus:wrong")));
    assertEquals("000", status(options("server.pem", "stranger", "prometheus:secret")));
    assertEquals("000", status(options("stranger.pem", "client", "prometheus:secret")));
    assertTrue(
        curl("/api/v1/about", options("server.pem", "client", "prometheus:secret"))
            .contains("\"needsCertificate\":true"));
    assertTrue(
        curl("/metrics", options("server.pem", "client", "prometheus:secret"))
            .contains("\njmmv_file_series_left_out{file=\"wide\"} %d\n".formatted(WIDE)));
    String plain = "http://127.0.0.1:%d/metrics".formatted(jmmv.http().getPort());
    assertEquals(
        "this port expects TLS: ask for an https URL\n",
        Shell.run(Map.of(), List.of("curl", "--silent", plain)).out());

    certificate("server"); // renewed
    Await.until(
        "the renewed certificate",
        () -> status(options("server.pem", "client", "prometheus:secret")).equals("200"));
    assertTrue(
        jmmv.output().contains("server.pem, its key or client_ca has changed"), jmmv.output());
  }

  /** Runs {@code jmmv serve} with {@code --ask}, and returns its exit status. */
  private static int ask(String... options) {
    return Shell.jmmv(
            Map.of(),
            Stream.concat(Stream.of("serve", "--ask"), Stream.of(options)).toArray(String[]::new))
        .status();
  }

  @Test
  void aServerIsAskedWithItsOwnOptions() throws IOException {
    certificate("server");
    String http = "unix:" + pcp.file("http.socket");
    Path settings = pcp.file("my.toml");
    Files.writeString(
        settings,
        """
        [http]
        cert = "%s"
        key = "%s"
        [http.users]
        ann = "$2y$10$pmy4o6KESlBpbLWUVh68Tu9PnIDW5msYwWLKWSvcDCKvWvUK0Bxq."
        """
            .formatted(pcp.file("server.pem"), pcp.file("server-key.pem")));
    assertEquals(1, ask("ready", "--http", http), "nothing listens yet");
    jmmv =
        pcp.open(
            CollectorProcess.start(
                pcp, "--http", http, "--http", "127.0.0.1:0", "--settings", settings.toString()));
    Await.until(
        "the server is ready",
        () -> ask("ready", "--http", http, "--settings", settings.toString()) == 0);
    assertEquals(1, ask("ready", "--http", http), "without TLS");
    String address = "127.0.0.1:" + jmmv.http().getPort();
    assertEquals(0, ask("healthy", "--http", address, "--settings", settings.toString()));
    assertEquals(2, ask("ready"), "it is not known where");
  }

  @Test
  void allAddressesOfBothFamiliesCanBeGiven() throws IOException {
    Need.CURL.require();
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    jmmv =
        pcp.open(
            CollectorProcess.start(
                pcp, "--http", "0.0.0.0:" + port, "--http", ":" + port, "--http-host", "jmmv"));
    assertEquals(0, ask("healthy", "--http", ":" + port));
    String url = "http://jmmv:%d/-/healthy".formatted(port);
    assertEquals(
        "healthy\n",
        Shell.run(
                Map.of(),
                List.of("curl", "--silent", "--resolve", "jmmv:%d:127.0.0.1".formatted(port), url))
            .outOfSuccess());
  }
}
