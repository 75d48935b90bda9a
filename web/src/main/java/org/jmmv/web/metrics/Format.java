package org.jmmv.web.metrics;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jmmv.web.http.Quality;

/** The formats of a page. */
enum Format {
  /** The format of Prometheus; for whoever asks for nothing else. */
  TEXT("text/plain; version=0.0.4; charset=utf-8"),

  /** OpenMetrics 1.0. */
  OPENMETRICS("application/openmetrics-text; version=1.0.0; charset=utf-8"),

  /** Protocol buffers, which have the time since when a counter counts. */
  PROTOBUF(
      "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited");

  private final String contentType;

  Format(String contentType) {
    this.contentType = contentType;
  }

  Encoding encoding() {
    return switch (this) {
      case TEXT -> new TextEncoding(false);
      case OPENMETRICS -> new TextEncoding(true);
      case PROTOBUF -> new ProtobufEncoding();
    };
  }

  /**
   * Returns the value of the header Content-Type.
   *
   * @param accept what the client accepts
   */
  String contentType(String accept) {
    return accept.contains("escaping=") ? contentType + "; escaping=underscores" : contentType;
  }

  /**
   * Returns the format that a client likes best: the first one of those with the highest quality.
   *
   * @param accept the value of the header Accept (RFC 9110, 12.5.1), empty if there is none
   */
  static Format of(String accept) {
    Format best = TEXT;
    double highest = 0;
    for (String range : accept.toLowerCase(Locale.ROOT).split(",", -1)) {
      String[] parts = range.replaceAll("\\s", "").split(";", -1);
      double quality = 1;
      for (String part : parts) {
        if (part.startsWith("q=")) {
          quality = Quality.of(part.substring(2));
        }
      }
      Optional<Format> format = of(parts);
      if (format.isPresent() && quality > highest) {
        best = format.get();
        highest = quality;
      }
    }
    return best;
  }

  private static Optional<Format> of(String[] range) {
    return switch (range.length == 0 ? "" : range[0]) {
      case "text/plain", "text/*", "*/*" -> Optional.of(TEXT);
      case "application/openmetrics-text" ->
          has(range, "version=", "1.0.0", "0.0.1") ? Optional.of(OPENMETRICS) : Optional.empty();
      case "application/vnd.google.protobuf" ->
          has(range, "proto=", "io.prometheus.client.metricfamily")
                  && has(range, "encoding=", "delimited")
              ? Optional.of(PROTOBUF)
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  /** Returns whether a parameter has one of some values, or is not there. */
  private static boolean has(String[] range, String parameter, String... values) {
    for (String part : range) {
      if (part.startsWith(parameter)) {
        return List.of(values).contains(part.substring(parameter.length()).replace("\"", ""));
      }
    }
    return true;
  }
}
