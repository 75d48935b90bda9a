package org.jmmv.web.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a request asks for. The request line has a path, or a whole URI, as clients send it to a
 * proxy (RFC 9112, 3.2.2); then the host is that of the URI.
 *
 * @param host the host, with a port if the client gives one; null if the client gives none
 */
record Target(String host, QueryStringDecoder uri) {
  private static final Pattern WHOLE = Pattern.compile("(?is)https?://([^/?#]*)(.*)");

  static Target of(HttpRequest request) {
    Matcher whole = WHOLE.matcher(request.uri());
    if (!whole.matches()) {
      return of(request.headers().get(HttpHeaderNames.HOST), request.uri());
    }
    String path = whole.group(2);
    return of(whole.group(1), path.startsWith("/") ? path : "/" + path);
  }

  private static Target of(String host, String uri) {
    return new Target(host, QueryStringDecoder.builder().semicolonIsNormalChar(true).build(uri));
  }
}
