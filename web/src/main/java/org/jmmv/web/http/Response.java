package org.jmmv.web.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;

/**
 * A response.
 *
 * @param headers those of the content; the others are added when it is written
 */
public record Response(HttpResponseStatus status, HttpHeaders headers, Body body) {
  static final String METHODS = "GET, HEAD, OPTIONS";

  /** After how long a client may ask again: then a connection may be free, or a file read. */
  private static final String RETRY_SECONDS = "2";

  private static final String TEXT = "text/plain; charset=utf-8";

  /** Creates a response with status 200. */
  public static Response ok(String contentType, Body body) {
    return of(HttpResponseStatus.OK, contentType, body);
  }

  public static Response of(HttpResponseStatus status, String contentType, Body body) {
    HttpHeaders headers = new DefaultHttpHeaders();
    headers.set(HttpHeaderNames.CONTENT_TYPE, contentType);
    return new Response(status, headers, body);
  }

  /** Creates a response with a line of text. */
  public static Response text(HttpResponseStatus status, String line) {
    return of(status, TEXT, Body.of((line + "\n").getBytes(UTF_8)));
  }

  /** Creates the response to a request that has failed. */
  static Response of(Failure why) {
    return text(why.status(), why.getMessage());
  }

  /** Creates a response that sends clients to another path, relative to that of the request. */
  static Response redirect(String path) {
    return text(HttpResponseStatus.PERMANENT_REDIRECT, path).with(HttpHeaderNames.LOCATION, path);
  }

  /** Adds the headers that say what a failed request should have had. */
  Response with(Failure why) {
    if (why.status().equals(HttpResponseStatus.UNAUTHORIZED)) {
      headers.set(HttpHeaderNames.WWW_AUTHENTICATE, "Basic realm=\"jmmv\", charset=\"UTF-8\"");
    } else if (why.status().equals(HttpResponseStatus.METHOD_NOT_ALLOWED)) {
      headers.set(HttpHeaderNames.ALLOW, METHODS);
    } else if (why.status().equals(HttpResponseStatus.SERVICE_UNAVAILABLE)) {
      headers.set(HttpHeaderNames.RETRY_AFTER, RETRY_SECONDS);
    }
    return this;
  }

  /** Creates a response with status 204, which has no content. */
  public static Response empty() {
    return new Response(
        HttpResponseStatus.NO_CONTENT, new DefaultHttpHeaders(), Body.of(new byte[0]));
  }

  /** Returns the response to the same request if it has failed. It keeps the other headers. */
  Response failed(Failure why) {
    Response error = body.failed(why);
    return new Response(error.status, headers.setAll(error.headers), error.body);
  }

  public Response with(CharSequence name, CharSequence value) {
    headers.set(name, value);
    return this;
  }
}
