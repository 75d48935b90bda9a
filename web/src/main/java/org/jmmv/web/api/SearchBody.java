package org.jmmv.web.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.HeapSize;
import org.jmmv.web.http.JsonBody;

/**
 * Metrics in whose labels, or in whose instances, there are the words that their own texts lack:
 * {@code search}.
 */
final class SearchBody extends JsonBody {
  private static final long COUNT_BYTES =
      HeapSize.ofHashEntry()
          + HeapSize.ofObject(0, Long.BYTES)
          + HeapSize.ofObject(0, Integer.BYTES);

  private final Words words;
  private final int limit;
  private final Map<Long, Integer> counts = new HashMap<>(); // metrics share instance domains
  private MetricNames names;
  private WordScan scan; // of the next metric; null: it has not begun
  private int written;

  /**
   * Creates a body.
   *
   * @param after the name after which the metrics come; empty: the first ones
   * @param limit the maximum number of metrics
   */
  SearchBody(Words words, String after, int limit) {
    this.words = words;
    this.limit = limit;
    names = new MetricNames(after);
  }

  @Override
  public long bytes() {
    return super.bytes()
        + words.bytes()
        + names.bytes()
        + counts.size() * COUNT_BYTES
        + (scan == null ? 0 : scan.bytes());
  }

  @Override
  protected List<Step> steps() {
    return List.of(
        members(this::begin), array("metrics", this::writeNext), members(names::writeNext));
  }

  private void begin(JsonGenerator json) throws IOException {
    View view = catalog().begin(new Scope.AllFiles());
    MetricJson.writeVersion(catalog(), json);
    names.lookFurther(view);
  }

  private boolean writeNext(JsonGenerator json, Turn turn) throws IOException {
    if (names.isOver() || written == limit) {
      return false;
    }
    View view = catalog().begin(new Scope.NoFiles());
    Metric metric = names.metric(view);
    if (metric != null && look(metric, view, turn, json)) {
      return true;
    }
    scan = null;
    names.lookFurther(view);
    return true;
  }

  /** Looks at a metric, and writes it if it is one. Returns whether to go on with it. */
  private boolean look(Metric metric, View view, Turn turn, JsonGenerator json) throws IOException {
    if (scan == null) {
      scan = new WordScan(words, names.next(), metric);
      if (scan.missing() == 0) {
        return false;
      }
    }
    if (scan.lookAtLabels(metric, view, turn)) {
      return true;
    }
    long key = (long) scan.missing() << Integer.SIZE | Integer.toUnsignedLong(metric.inDom());
    Integer count = counts.get(key);
    if (count == null) {
      if (scan.lookAtInstances(metric, view, turn)) {
        return true;
      }
      count = scan.count();
      counts.put(key, count);
    }
    if (scan.missing() == 0 || count > 0) {
      json.writeStartObject();
      json.writeStringField("name", FileText.decode(names.next()));
      if (scan.missing() != 0) {
        json.writeNumberField("instances", count);
      }
      json.writeEndObject();
      written++;
    }
    return false;
  }
}
