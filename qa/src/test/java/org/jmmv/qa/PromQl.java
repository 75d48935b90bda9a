package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;

/**
 * A server that answers queries in PromQL: Prometheus or VictoriaMetrics.
 *
 * @param port of 127.0.0.1
 */
record PromQl(int port) {
  private static final int OK = 200; // the status of HTTP

  /** Returns the series that a query selects now; none if the server is still starting. */
  List<JsonNode> series(String query) {
    return get("query=" + URLEncoder.encode(query, UTF_8));
  }

  /**
   * Returns the series that a query selects.
   *
   * @param time in seconds since 1970
   */
  List<JsonNode> series(String query, long time) {
    return get("query=" + URLEncoder.encode(query, UTF_8) + "&time=" + time);
  }

  /** Returns the only value of a query at a time. */
  double value(String query, long time) {
    List<JsonNode> series = series(query, time);
    if (series.size() != 1) {
      throw new AssertionError(query + " selects " + series);
    }
    return series.getFirst().at("/value/1").asDouble();
  }

  private List<JsonNode> get(String parameters) {
    URI uri = URI.create("http://127.0.0.1:" + port + "/api/v1/query?" + parameters);
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> response =
          client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
      List<JsonNode> series = new ArrayList<>();
      if (response.statusCode() == OK) {
        new ObjectMapper().readTree(response.body()).at("/data/result").forEach(series::add);
      }
      return series;
    } catch (ConnectException e) {
      return List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the seconds between the first and the last sample of a query such as {@code x[1m]}. */
  static double duration(JsonNode series) {
    JsonNode samples = series.get("values");
    return samples.get(samples.size() - 1).get(0).asDouble() - samples.get(0).get(0).asDouble();
  }
}
