package org.jmmv.web.metrics;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jmmv.pcp.Labels;

/**
 * A label of a series.
 *
 * @param name its name in Prometheus
 */
record LabelPair(String name, String value) {
  private static final JsonFactory JSON = new JsonFactory();

  /**
   * Returns the labels of sets as Prometheus has them, sorted by name. Of those with the same name,
   * the first one of the last set counts.
   *
   * @param sets null stands for no labels
   */
  static List<LabelPair> of(List<Labels> sets) {
    Map<String, String> all = new TreeMap<>();
    for (Labels set : sets) {
      if (set != null) {
        Map<String, String> renamed = new TreeMap<>();
        set.values()
            .forEach((name, json) -> renamed.putIfAbsent(PrometheusName.ofLabel(name), json));
        all.putAll(renamed);
      }
    }
    List<LabelPair> pairs = new ArrayList<>();
    all.forEach((name, json) -> {
      String value = text(json);
      if (!value.isEmpty()) { // to Prometheus, an empty label is none
        pairs.add(new LabelPair(name, value));
      }
    });
    return pairs;
  }

  /** Returns labels, of which later ones replace earlier ones with the same name. */
  static List<LabelPair> merged(List<LabelPair> all, List<LabelPair> own) {
    List<LabelPair> merged = new ArrayList<>();
    for (LabelPair label : all) {
      if (own.stream().noneMatch(other -> other.name.equals(label.name))) {
        merged.add(label);
      }
    }
    merged.addAll(own);
    return merged;
  }

  /** Returns a string without its quotes and escapes, and other JSON as it is. */
  private static String text(String json) {
    String utf8 = new String(json.getBytes(ISO_8859_1), UTF_8);
    try (JsonParser parser = JSON.createParser(utf8)) {
      return parser.nextToken() == JsonToken.VALUE_STRING ? parser.getText() : utf8;
    } catch (IOException e) { // the reader of MMV files admits valid JSON only
      throw new UncheckedIOException(e);
    }
  }
}
