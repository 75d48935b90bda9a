package org.jmmv.web.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.View;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.HeapSize;
import org.jmmv.web.http.JsonBody;

/** The metrics by their names, a step for each: {@code metrics}. */
final class MetricsBody extends JsonBody {
  private final String search;
  private final int limit;
  private final MetricNames names;
  private int written;

  /**
   * Creates a body.
   *
   * @param search a text in lower case that names or help texts contain; empty: all
   * @param after the name after which the metrics come; empty: the first ones
   * @param limit the maximum number of metrics
   */
  MetricsBody(String search, String after, int limit) {
    this.search = search;
    this.limit = limit;
    names = new MetricNames(after);
  }

  /** Returns the number of metrics, without those of pmcd, which PCP's clients ask for. */
  static int count(View view) {
    return view.names().size() - view.names().leaves("pmcd").size();
  }

  @Override
  public long bytes() {
    return super.bytes() + HeapSize.of(search) + names.bytes();
  }

  @Override
  protected List<Step> steps() {
    return List.of(
        members(this::begin),
        array("metrics", (json, _) -> writeNext(json)),
        members(names::writeNext));
  }

  private void begin(JsonGenerator json) throws IOException {
    View view = catalog().begin(new Scope.AllFiles());
    MetricJson.writeVersion(catalog(), json);
    json.writeNumberField("total", count(view));
    names.lookFurther(view);
  }

  private boolean writeNext(JsonGenerator json) throws IOException {
    if (names.isOver() || written == limit) {
      return false;
    }
    View view = catalog().begin(new Scope.NoFiles());
    Metric metric = names.metric(view);
    if (metric != null && matches(names.next(), metric)) {
      json.writeStartObject();
      MetricJson.write(names.next(), metric, view, json);
      json.writeEndObject();
      written++;
    }
    names.lookFurther(view);
    return true;
  }

  private boolean matches(String name, Metric metric) {
    return search.isEmpty()
        || name.toLowerCase(Locale.ROOT).contains(search)
        || (metric.oneLine() != null
            && FileText.decode(metric.oneLine()).toLowerCase(Locale.ROOT).contains(search));
  }
}
