package org.jmmv.web.pmapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jmmv.web.WebServer;
import org.jmmv.web.http.SiteRules;

/** A directory that is served over HTTP, and a client of the web API with a context. */
final class ServedDirectory implements AutoCloseable {
  private final WebServer server;
  private final String context;
  private final String[] headers;

  /**
   * Serves a directory.
   *
   * @param users as in {@link SiteRules}
   * @param headers sent with each request
   */
  ServedDirectory(Path directory, Map<String, String> users, String... headers) {
    this.headers = headers;
    server = new WebServer(directory, users);
    Matcher number =
        Pattern.compile("\\{\"context\":(\\d+),").matcher(get("context?polltimeout=60").body());
    assertTrue(number.lookingAt());
    context = number.group(1);
  }

  /** Returns what a client without a context is answered. */
  HttpResponse<String> get(String request, String... others) {
    String[] all = Stream.of(headers, others).flatMap(Stream::of).toArray(String[]::new);
    HttpResponse<String> response = server.get("/pmapi/" + request, all);
    assertEquals("application/json", response.headers().firstValue("content-type").orElse(""));
    return response;
  }

  /** Returns what the context is answered, without its number and the time. */
  String ask(String request, String... others) {
    return get(context + "/" + request, others)
        .body()
        .replace("\"context\":" + context + ",", "")
        .replaceFirst("\"timestamp\":\\d{10}\\.\\d{9},", "");
  }

  @Override
  public void close() {
    server.close();
  }
}
