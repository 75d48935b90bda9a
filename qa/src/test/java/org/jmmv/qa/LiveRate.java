package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** A rate that {@code jmmv serve} computes for a client of PCP's web API, such as Grafana. */
final class LiveRate {
  private static final String NAME = "fleet.rate";

  private final URI api;
  private final long firstAsked; // by System.nanoTime
  private final long firstAnswered;

  /**
   * Begins: the client asks for the first time.
   *
   * @param expression of the rate, as pmRegisterDerived(3) has it
   */
  LiveRate(FleetHost host, String expression) {
    URI root = host.http().resolve("/pmapi/");
    api = root.resolve(get(root.resolve("context?polltimeout=300")).get("context").asText() + "/");
    String encoded = URLEncoder.encode(expression, UTF_8);
    get(api.resolve("derive?name=%s&expr=%s".formatted(NAME, encoded)));
    firstAsked = System.nanoTime();
    fetch();
    firstAnswered = System.nanoTime();
  }

  /** Has the client ask again. Fails if the rate since then is not that of this increase. */
  void assertIncrease(long increase) {
    long asked = System.nanoTime();
    JsonNode reply = fetch();
    long answered = System.nanoTime();
    double nanos = increase / reply.at("/values/0/instances/0/value").asDouble() * 1e9;
    assertTrue(
        nanos >= asked - firstAnswered && nanos <= answered - firstAsked,
        () ->
            "%d in %.0f ns, not in %d to %d: %s"
                .formatted(increase, nanos, asked - firstAnswered, answered - firstAsked, reply));
  }

  private JsonNode fetch() {
    return get(api.resolve("fetch?names=" + NAME));
  }

  private static JsonNode get(URI uri) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(uri).build();
      return new ObjectMapper().readTree(client.send(request, BodyHandlers.ofString()).body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
