package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The requests of Grafana's data source PCP Vector in its browser mode: a page of another origin
 * sends each with the header {@code Content-Type: application/json}, and with a password.
 */
@Timeout(600)
final class PluginInBrowserTest {
  /** Sends requests, each in the context that the first one makes, and returns the replies. */
  private static final String SEND =
      """
      const [root, password, requests] = arguments;
      return (async () => {
        const send = async (path, parameters) => {
          const response = await fetch(`${root}pmapi/${path}?${new URLSearchParams(parameters)}`, {
            headers: {'Content-Type': 'application/json', Authorization: password},
            credentials: 'include'});
          return response.json();
        };
        try {
          const {context} = await send('context', {hostspec: '127.0.0.1', polltimeout: 30});
          const replies = [];
          for (const [path, parameters] of JSON.parse(requests)) {
            replies.push(await send(`${context}/${path}`, parameters));
          }
          return JSON.stringify(replies);
        } catch (error) {
          return String(error);
        }
      })();
      """;

  private static final String PASSWORD =
      "Basic " + Base64.getEncoder().encodeToString("prometheus:secret".getBytes(UTF_8));

  private static final String REQUESTS =
      """
      [["fetch", {"names": "pmcd.version"}],
       ["children", {"prefix": "mmv.app"}],
       ["metric", {"names": "mmv.app.size,mmv.app.none"}],
       ["indom", {"name": "mmv.app.size"}],
       ["fetch", {"names": "mmv.app.size"}],
       ["derive", {"name": "derived_1", "expr": "mmv.app.size * 2"}],
       ["metric", {"names": "derived_1"}],
       ["fetch", {"names": "derived_1"}],
       ["derive", {"name": "derived_2", "expr": "mmv.app.size *"}],
       ["derive", {"name": "derived_3", "expr": "mmv.app.none + 1"}],
       ["store", {"name": "mmv.app.size", "value": "1"}]]
      """;

  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();
  private HttpServer grafana; // has an empty page

  @BeforeEach
  void start() throws IOException {
    Need.CHROMIUM.require();
    MmvWriter app = new MmvWriter(2).cluster(11);
    app.metric("size", 1, ValueType.U64).semantics(Semantics.INSTANT).value(7);
    app.write(pcp.mmv(), "app");
    grafana = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    grafana.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.sendResponseHeaders(200, -1);
          }
        });
    grafana.start();
  }

  @AfterEach
  void stop() {
    grafana.stop(0);
  }

  private String send(Browser browser, String origin) throws IOException {
    Path settings =
        Files.writeString(
            pcp.file("jmmv.toml"),
            """
            [http]
            origins = ["%s"]
            [http.users]
            prometheus = "$2y$10$pmy4o6KESlBpbLWUVh68Tu9PnIDW5msYwWLKWSvcDCKvWvUK0Bxq."
            """
                .formatted(origin));
    try (CollectorProcess jmmv =
        CollectorProcess.start(pcp, "--http", "127.0.0.1:0", "--settings", settings.toString())) {
      Object replies = browser.run(SEND, jmmv.http().toString(), PASSWORD, REQUESTS);
      int port = jmmv.http().getPort();
      assertEquals(200, LocalHttp.get(new ThisMachine(), port, "/-/ready").status());
      return (String) replies;
    }
  }

  @Test
  void aPageOfAPermittedOriginGetsWhatThePluginAsksFor() throws IOException {
    String origin = "http://127.0.0.1:" + grafana.getAddress().getPort();
    try (Browser browser = new Browser(pcp.file("profile"), 400, 300)) {
      browser.open(origin);
      String replies = send(browser, origin);
      for (String part :
          new String[] {
            "\"name\":\"pmcd.version\",\"instances\":[{\"instance\":null,\"value\":\"",
            "\"leaf\":[\"size\"],\"nonleaf\":[]",
            "\"name\":\"mmv.app.size\"",
            "metric has null indom",
            "\"instances\":[{\"instance\":null,\"value\":7}]",
            "\"name\":\"derived_1\"",
            "\"instances\":[{\"instance\":null,\"value\":14}]",
            "Syntax Error",
            "Semantic Error",
            "No permission to perform requested operation"
          }) {
        assertTrue(replies.contains(part), part + " in " + replies);
      }
      assertEquals("TypeError: Failed to fetch", send(browser, "https://grafana.example.com"));
    }
  }
}
