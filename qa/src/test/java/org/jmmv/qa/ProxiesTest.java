package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.stream.Stream;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Everything that is served over HTTP, by way of proxies as docs/web.md configures them. */
@Timeout(600)
final class ProxiesTest {
  private static final String PASSWORD =
      "Basic " + Base64.getEncoder().encodeToString("prometheus:secret".getBytes(UTF_8));

  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();
  private HttpClient client;
  private final MmvWriter app = new MmvWriter(2).cluster(11);
  private Path file;

  private static Stream<Arguments> combinations() {
    return Stream.of(Proxy.Kind.values())
        .flatMap(kind ->
            Stream.of("/", "/jmmv/")
                .flatMap(path ->
                    Stream.of(false, true).map(hasTls -> Arguments.of(kind, path, hasTls))));
  }

  @BeforeEach
  void write() {
    Need.NGINX.require();
    Need.PROXIES.require();
    app.metric("size", 1, ValueType.U64).semantics(Semantics.INSTANT).value(7);
    file = app.write(pcp.mmv(), "app");
    PemFiles.make(pcp.file(""), "server");
    client = HttpClient.newBuilder().sslContext(PemFiles.trusting(pcp.file("server.pem"))).build();
  }

  @AfterEach
  void close() {
    client.close();
  }

  private CollectorProcess serve(boolean hasTls) throws IOException {
    String tls =
        "cert = \"%s\"\nkey = \"%s\"\n"
            .formatted(pcp.file("server.pem"), pcp.file("server-key.pem"));
    Path settings =
        Files.writeString(
            pcp.file("jmmv.toml"),
            """
            [http]
            trusted_proxies = ["127.0.0.1"]
            %s
            [http.users]
            prometheus = "$2y$10$pmy4o6KESlBpbLWUVh68Tu9PnIDW5msYwWLKWSvcDCKvWvUK0Bxq."
            """
                .formatted(hasTls ? tls : ""));
    return CollectorProcess.start(
        pcp, "--http", "127.0.0.1:0", "--allow", "192.0.2.0/24", "--settings", settings.toString());
  }

  private <T> HttpResponse<T> get(
      String address, HttpResponse.BodyHandler<T> handler, String... headers) {
    try {
      HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address));
      return client.send(
          headers.length == 0 ? request.build() : request.headers(headers).build(), handler);
    } catch (IOException e) {
      throw new AssertionError(address, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private String get(String address) {
    HttpResponse<String> response =
        get(address, BodyHandlers.ofString(), "Authorization", PASSWORD);
    assertEquals(200, response.statusCode(), response::body);
    return response.body();
  }

  private int status(String address, String... headers) {
    return get(address, BodyHandlers.discarding(), headers).statusCode();
  }

  @ParameterizedTest
  @MethodSource("combinations")
  void everythingWorksBehindAProxy(Proxy.Kind kind, String path, boolean hasTls)
      throws IOException {
    try (CollectorProcess server = serve(hasTls);
        Proxy proxy = new Proxy(pcp, kind, path, server.http().getPort(), hasTls)) {
      String root = proxy.address(path);
      assertTrue(get(root).contains("<html"));
      assertTrue(get(root + "metrics").contains("mmv_app_size 7\n"));
      assertTrue(get(root + "pmapi/fetch?names=mmv.app.size").contains("\"value\":7"));
      assertEquals(401, status(root + "metrics"));
      assertEquals(200, status(root + "-/ready"));
      try (BufferedReader events = stream(root, 30_000)) {
        awaitEvent(events, "7"); // the next ones do not fill a buffer before the time limit
      }
      try (BufferedReader events = stream(root, 200)) {
        awaitEvent(events, "7");
        MmvWriter.storeLong(file, app.valueAt(0), 8);
        awaitEvent(events, "8");
      }
    }
  }

  private BufferedReader stream(String root, int interval) {
    HttpResponse<InputStream> stream =
        get(
            "%sapi/v1/stream?interval=%d&series=70.11.1".formatted(root, interval),
            BodyHandlers.ofInputStream(),
            "Authorization",
            PASSWORD);
    assertEquals(200, stream.statusCode());
    return new BufferedReader(new InputStreamReader(stream.body(), UTF_8));
  }

  private static void awaitEvent(BufferedReader events, String value) throws IOException {
    String line;
    do {
      line = events.readLine();
      assertNotNull(line, "the stream has ended");
    } while (!line.contains("\"values\":[\"" + value + "\"]"));
  }

  /** Caddy passes on only what a proxy of its own configuration has said of its client. */
  @ParameterizedTest
  @EnumSource(value = Proxy.Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "CADDY")
  void aProxySaysForWhomItAsks(Proxy.Kind kind) throws IOException {
    try (CollectorProcess server = serve(false);
        Proxy proxy = new Proxy(pcp, kind, "/jmmv/", server.http().getPort(), false)) {
      String ready = proxy.address("/jmmv/-/ready");
      assertEquals(200, status(ready, "X-Forwarded-For", "192.0.2.7"));
      assertEquals(403, status(ready, "X-Forwarded-For", "198.51.100.7"));
    }
  }
}
