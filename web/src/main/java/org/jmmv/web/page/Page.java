package org.jmmv.web.page;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jmmv.web.http.Body;
import org.jmmv.web.http.Request;
import org.jmmv.web.http.Response;
import org.jmmv.web.http.Site;

/** The files of the page, at {@code /} and below {@code /page/}. */
public final class Page {
  private static final String UPLOT = "/META-INF/resources/webjars/uplot/1.6.30/dist/";
  private static final String UPLOT_PATH = "/page/uplot-1.6.30/";

  private static final String FOREVER = "public, max-age=31536000, immutable"; // by its version

  /** A page that tries to load anything else, or to run a script of a file's text, is stopped. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'"
          + " data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml");

  private static final List<String> FILES =
      List.of(
          "address.js",
          "api.js",
          "app.js",
          "chart.js",
          "charts.js",
          "describe.js",
          "dom.js",
          "export.js",
          "format.js",
          "guide.js",
          "icon.svg",
          "line.js",
          "live.js",
          "notice.js",
          "overview.js",
          "page.css",
          "plot.js",
          "ratio.js",
          "rows.js",
          "search.js",
          "series.js",
          "sparkline.js",
          "theme.js",
          "timeline.js",
          "tree.js");

  private static final Pattern COMMA = Pattern.compile("\\s*,\\s*");

  private final Map<String, byte[]> loaded = new HashMap<>(); // by their names in jars

  public void addTo(Site site) {
    site.add("/", request -> file(request, "index.html", "no-cache"));
    site.redirect("/index.html", "./");
    for (String name : FILES) {
      site.add("/page/" + name, request -> file(request, name, "no-cache"));
    }
    for (String name : List.of("uPlot.iife.min.js", "uPlot.min.css")) {
      site.add(UPLOT_PATH + name, request -> file(request, UPLOT + name, FOREVER));
    }
  }

  private Response file(Request request, String name, String caching) {
    byte[] bytes = loaded.computeIfAbsent(name, Page::load);
    String tag = tag(bytes);
    Response response =
        isKnown(tag, request)
            ? Response.of(HttpResponseStatus.NOT_MODIFIED, type(name), Body.of(new byte[0]))
            : Response.ok(type(name), Body.of(bytes));
    HttpHeaders headers = response.headers();
    headers.set(HttpHeaderNames.CACHE_CONTROL, caching);
    headers.set(HttpHeaderNames.ETAG, tag);
    headers.set(HttpHeaderNames.CONTENT_SECURITY_POLICY, POLICY);
    headers.set("referrer-policy", "no-referrer");
    headers.set("cross-origin-opener-policy", "same-origin");
    return response;
  }

  /** Returns whether a client has a file, see RFC 9110, 8.8.3.2 (weak comparison). */
  private static boolean isKnown(String tag, Request request) {
    String known = String.join(",", request.headers().getAll(HttpHeaderNames.IF_NONE_MATCH));
    return COMMA
        .splitAsStream(known.strip())
        .anyMatch(one -> one.equals("*") || one.equals(tag) || ("W/" + one).equals(tag));
  }

  private static String type(String name) {
    return TYPES.get(name.substring(name.lastIndexOf('.') + 1));
  }

  /** Returns a weak tag: it is the same whether the file is compressed or not. */
  private static String tag(byte[] bytes) {
    CRC32C sum = new CRC32C();
    sum.update(ByteBuffer.wrap(bytes));
    return "W/\"%x-%x\"".formatted(bytes.length, sum.getValue());
  }

  private static byte[] load(String name) {
    try (InputStream file = Page.class.getResourceAsStream(name)) {
      return file.readAllBytes();
    } catch (IOException e) { // it is in the same jar as this class, or in one beside it
      throw new UncheckedIOException(e);
    }
  }
}
