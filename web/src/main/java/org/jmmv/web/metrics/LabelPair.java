package org.jmmv.web.metrics;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jmmv.pcp.FileText;
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
   * the first one of the last set counts. To Prometheus, an empty one is none.
   */
  static List<LabelPair> of(List<Labels> sets) {
    Map<String, String> all = new TreeMap<>();
    for (Labels set : sets) {
      Map<String, String> renamed = new TreeMap<>();
      set.values().forEach((name, json) -> renamed.putIfAbsent(PrometheusName.ofLabel(name), json));
      all.putAll(renamed);
    }
    List<LabelPair> pairs = new ArrayList<>();
    all.forEach((name, json) -> pairs.add(new LabelPair(name, text(json))));
    return pairs;
  }

  /** Returns sorted labels with another one, which replaces that with the same name. */
  static List<LabelPair> with(LabelPair other, List<LabelPair> labels) {
    return Stream.concat(
            labels.stream().filter(label -> !label.name.equals(other.name)), Stream.of(other))
        .sorted(Comparator.comparing(LabelPair::name))
        .toList();
  }

  /** Returns a string without its quotes and escapes, and other JSON as it is. */
  private static String text(String json) {
    String utf8 = FileText.decode(json);
    if (utf8.charAt(0) == '"' && utf8.indexOf('\\') < 0) {
      return utf8.substring(1, utf8.length() - 1);
    }
    try (JsonParser parser = JSON.createParser(utf8)) {
      return parser.nextToken() == JsonToken.VALUE_STRING ? parser.getText() : utf8;
    } catch (IOException e) { // the reader of MMV files admits valid JSON only
      throw new UncheckedIOException(e);
    }
  }
}
