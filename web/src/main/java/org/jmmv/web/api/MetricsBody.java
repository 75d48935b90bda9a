package org.jmmv.web.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.jmmv.core.Turn;
import java.util.List;
import java.util.Locale;
import org.jmmv.core.Catalog;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.View;
import org.jmmv.web.http.JsonBody;

/** The metrics by their names, a step for each: {@code metrics}. */
final class MetricsBody extends JsonBody {
  private static final String PMCD = "pmcd.";

  private final Catalog catalog;
  private final String search;
  private final int limit;
  private final List<String> names; // of pmcd's metrics, too
  private final int total;
  private final long version;
  private boolean isBegun;
  private int next; // position of the next name
  private int written;

  /**
   * Creates a body.
   *
   * @param search a text in lower case that names or help texts contain; empty: all
   * @param offset the position of the first name
   * @param limit the maximum number of metrics
   */
  MetricsBody(Catalog catalog, String search, int offset, int limit) {
    this.catalog = catalog;
    this.search = search;
    this.limit = limit;
    View view = catalog.begin(new Scope.OfAll());
    names = view.names().next("", Integer.MAX_VALUE);
    total = count(view);
    version = catalog.changes().version();
    next = offset;
  }

  /** Returns the number of metrics, without those of pmcd, which PCP's clients ask for. */
  static int count(View view) {
    return view.names().size() - view.names().leaves("pmcd").size();
  }

  @Override
  public long bytes() {
    return (long) Integer.BYTES * names.size(); // nobody else has it when the names have changed
  }

  @Override
  protected boolean writeNext(JsonGenerator json, Turn turn) throws IOException {
    if (!isBegun) {
      isBegun = true;
      json.writeStartObject();
      json.writeNumberField("epoch", catalog.changes().epoch());
      json.writeNumberField("version", version);
      json.writeNumberField("total", total);
      json.writeArrayFieldStart("metrics");
      return true;
    }
    if (next < names.size() && written < limit) {
      String name = names.get(next);
      next++;
      View view = catalog.begin(new Scope.OfName(name));
      Metric metric = name.startsWith(PMCD) ? null : view.metric(name);
      if (metric != null && matches(name, metric)) {
        MetricBody.writeStart(name, metric, view, json);
        json.writeEndObject();
        written++;
      }
      return true;
    }
    json.writeEndArray();
    if (next < names.size()) {
      json.writeNumberField("next", next);
    }
    json.writeEndObject();
    return false;
  }

  private boolean matches(String name, Metric metric) {
    return search.isEmpty()
        || name.toLowerCase(Locale.ROOT).contains(search)
        || (metric.oneLine() != null
            && text(metric.oneLine()).toLowerCase(Locale.ROOT).contains(search));
  }
}
