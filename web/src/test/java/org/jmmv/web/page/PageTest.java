package org.jmmv.web.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.jmmv.web.WebServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageTest {
  /** What a page or a script loads. All addresses are relative, for a proxy at another path. */
  private static final Pattern LOADED =
      Pattern.compile("(?:\\b(?:src|href)=\"|\\bfrom ')(page/[^\"']+|\\./[^\"']+)[\"']");

  /** Of scripts and styles, compressed, with those of uPlot: what a slow line loads in a second. */
  private static final int MAX_BYTES = 80 * 1024;

  @TempDir private Path directory;
  private WebServer server;

  @BeforeEach
  void serve() {
    server = new WebServer(directory);
  }

  @AfterEach
  void close() {
    server.close();
  }

  /** Returns the responses to the page and everything that it loads, by their paths. */
  private Map<String, HttpResponse<String>> load() {
    Map<String, HttpResponse<String>> loaded = new LinkedHashMap<>();
    Deque<String> paths = new ArrayDeque<>();
    paths.add("/");
    while (!paths.isEmpty()) {
      String path = paths.remove();
      HttpResponse<String> response = server.get(path);
      loaded.put(path, response);
      Matcher found = LOADED.matcher(path.contains("uplot") ? "" : response.body());
      while (found.find()) {
        String next = found.group(1).replaceFirst("^(page|\\.)/", "/page/");
        if (!loaded.containsKey(next) && !paths.contains(next)) {
          paths.add(next);
        }
      }
    }
    return loaded;
  }

  @Test
  void everythingThatThePageLoadsIsServedWithAPolicyAndAType() {
    Map<String, HttpResponse<String>> loaded = load();
    assertTrue(loaded.containsKey("/page/uplot-1.6.30/uPlot.iife.min.js"), loaded::toString);
    assertTrue(loaded.containsKey("/page/charts.js"), loaded::toString);
    loaded.forEach((path, response) -> {
      assertEquals(200, response.statusCode(), path);
      assertEquals(
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
              + " img-src 'self' data:; base-uri 'none'; form-action 'none';"
              + " frame-ancestors 'none'",
          header(response, "content-security-policy"));
      assertEquals("nosniff", header(response, "x-content-type-options"));
      assertEquals("no-referrer", header(response, "referrer-policy"));
      String type = header(response, "content-type");
      String ending = path.substring(path.lastIndexOf('.') + 1);
      assertTrue(
          type.startsWith(
              switch (ending) {
                case "js" -> "text/javascript";
                case "css" -> "text/css";
                case "svg" -> "image/svg+xml";
                default -> "text/html";
              }),
          path + " " + type);
    });
  }

  private static String header(HttpResponse<String> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  @Test
  void scriptsAndStylesAreSmall() throws IOException {
    int bytes = 0;
    for (Map.Entry<String, HttpResponse<String>> one : load().entrySet()) {
      if (one.getKey().matches(".*\\.(js|css)")) {
        bytes += compressed(one.getValue().body());
      }
    }
    assertTrue(bytes <= MAX_BYTES, "bytes: " + bytes);
  }

  private static int compressed(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(UTF_8));
    }
    return bytes.size();
  }

  @Test
  void scriptsMakeNoElementsOfTexts() {
    Pattern dangerous =
        Pattern.compile(
            "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|createContextualFragment"
                + "|DOMParser|setHTML|\\beval\\b|new Function|srcdoc|javascript:");
    load()
        .forEach((path, response) -> {
          if (!path.contains("uplot")) {
            assertFalse(dangerous.matcher(response.body()).find(), path);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"%s", "\"other\", %s", "W/\"x\",%s , \"y\"", "*"})
  void aFileThatHasNotChangedIsNotSentAgain(String tags) {
    String tag = header(server.get("/page/app.js"), "etag");
    assertTrue(tag.startsWith("W/"), "it is the same for each encoding: " + tag);
    HttpResponse<String> again = server.get("/page/app.js", "If-None-Match", tags.formatted(tag));
    assertEquals(304, again.statusCode());
    assertEquals("", again.body());
    assertEquals(Optional.empty(), again.headers().firstValue("content-length")); // RFC 9110, 8.6
    String strong = tag.substring(2); // as some proxies pass it on
    assertEquals(304, server.get("/page/app.js", "If-None-Match", strong).statusCode());
    assertEquals(200, server.get("/page/app.js", "If-None-Match", "\"other\"").statusCode());
  }

  @Test
  void usualSpellingsOfPathsAreRedirected() {
    HttpResponse<String> page = server.get("/index.html");
    assertEquals(308, page.statusCode());
    assertEquals("./", header(page, "location"));
    HttpResponse<String> metrics = server.get("/metrics/");
    assertEquals(308, metrics.statusCode());
    assertEquals("../metrics", header(metrics, "location"));
    assertEquals(404, server.get("/metrics/x").statusCode());
  }

  @Test
  void nothingElseIsServedBelowThePage() {
    assertEquals(404, server.get("/page/index.html.js").statusCode());
    assertEquals(404, server.get("/page/../page/Page.class").statusCode());
    assertEquals(404, server.get("/page/%2e%2e/Page.class").statusCode());
  }
}
