package org.jmmv.web.http;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The content codings that a client accepts (RFC 9110, 12.5.3). */
final class Codings {
  private Codings() {}

  /**
   * Returns whether a client wants gzip, and does not like the content as it is better.
   *
   * @param accepted the value of the header Accept-Encoding
   */
  static boolean wantsGzip(String accepted) {
    Map<String, Double> qualities = new HashMap<>();
    for (String coding : accepted.toLowerCase(Locale.ROOT).split(",", -1)) {
      String[] parts = coding.replaceAll("[ \\t]", "").split(";q=", 2);
      qualities.put(parts[0], parts.length == 1 ? 1 : Quality.of(parts[1]));
    }
    double others = qualities.getOrDefault("*", 0.0);
    double gzip = qualities.getOrDefault("gzip", qualities.getOrDefault("x-gzip", others));
    return gzip > 0 && gzip >= qualities.getOrDefault("identity", 0.0);
  }
}
