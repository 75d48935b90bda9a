package org.jmmv.web.pmapi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jmmv.core.Catalog;
import org.jmmv.serving.Access;
import org.jmmv.serving.Clients;
import org.jmmv.serving.Server;
import org.jmmv.web.Web;
import org.jmmv.web.http.SiteRules;
import org.jmmv.web.metrics.Naming;

/** A directory that is served over HTTP, and a client of the web API with a context. */
final class ServedDirectory implements AutoCloseable {
  private final HttpClient client = HttpClient.newHttpClient();
  private final Server server;
  private final int port;
  private final String context;
  private final String[] headers;

  /**
   * Serves a directory.
   *
   * @param users as in {@link SiteRules}
   * @param headers sent with each request
   */
  ServedDirectory(Path directory, Map<String, String> users, String... headers)
      throws IOException, InterruptedException {
    this.headers = headers;
    server = new Server(new Catalog.Builder(directory).build(), new Access(10, List.of()));
    SiteRules rules = new SiteRules(Set.of("localhost"), Set.of(), users);
    Clients.Face web =
        Web.face(server, () -> rules, () -> Naming.PROMETHEUS, "1", Optional.empty());
    InetSocketAddress address = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    port = ((InetSocketAddress) server.listen(address, web)).getPort();
    Matcher number =
        Pattern.compile("\\{\"context\":(\\d+),").matcher(get("context?polltimeout=60").body());
    assertTrue(number.lookingAt());
    context = number.group(1);
  }

  /** Returns what a client without a context is answered. */
  HttpResponse<String> get(String request, String... others)
      throws IOException, InterruptedException {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/pmapi/" + request));
    for (String[] some : new String[][] {headers, others}) {
      if (some.length > 0) {
        builder.headers(some);
      }
    }
    HttpResponse<String> response = client.send(builder.build(), BodyHandlers.ofString(UTF_8));
    assertEquals("application/json", response.headers().firstValue("content-type").orElse(""));
    return response;
  }

  /** Returns what the context is answered, without its number and the time. */
  String ask(String request, String... headers) throws IOException, InterruptedException {
    return get(context + "/" + request, headers)
        .body()
        .replace("\"context\":" + context + ",", "")
        .replaceFirst("\"timestamp\":\\d{10}\\.\\d{9},", "");
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
