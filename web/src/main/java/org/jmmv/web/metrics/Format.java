package org.jmmv.web.metrics;

import java.util.Optional;
import org.jmmv.web.http.Accepted;

/** The formats of a page. */
enum Format {
  /** The format of Prometheus; the default. */
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
    for (Accepted range : Accepted.of(accept)) {
      Optional<Format> format = of(range);
      if (format.isPresent() && range.quality() > highest) {
        best = format.get();
        highest = range.quality();
      }
    }
    return best;
  }

  private static Optional<Format> of(Accepted range) {
    return switch (range.name()) {
      case "text/plain", "text/*", "*/*" -> Optional.of(TEXT);
      case "application/openmetrics-text" ->
          range.has("version", "1.0.0", "0.0.1") ? Optional.of(OPENMETRICS) : Optional.empty();
      case "application/vnd.google.protobuf" ->
          range.has("proto", "io.prometheus.client.metricfamily")
                  && range.has("encoding", "delimited")
              ? Optional.of(PROTOBUF)
              : Optional.empty();
      default -> Optional.empty();
    };
  }
}
