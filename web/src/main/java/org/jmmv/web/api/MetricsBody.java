package org.jmmv.web.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jmmv.core.Catalog;
import org.jmmv.core.Metric;
import org.jmmv.core.NameTree;
import org.jmmv.core.Scope;
import org.jmmv.core.View;
import org.jmmv.web.http.JsonBody;

/** The metrics by their names, a step for each: {@code metrics}. */
final class MetricsBody extends JsonBody {
  private static final String PMCD = "pmcd";
  private static final int NAME_BYTES = 100; // of a name in the heap

  private final Catalog catalog;
  private final String search;
  private final int limit;
  private final List<String> names;
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
    names = names(catalog.begin(new Scope.OfAll()));
    version = catalog.changes().version();
    next = offset;
  }

  /** Returns the names of all metrics but those of pmcd, which PCP's clients ask for. */
  static List<String> names(View view) {
    List<String> names = new ArrayList<>();
    for (NameTree.Child root : view.names().children("")) {
      if (!root.name().equals(PMCD)) {
        names.addAll(view.names().leaves(root.name()));
      }
    }
    return names;
  }

  @Override
  public long bytes() {
    return (long) NAME_BYTES * names.size();
  }

  @Override
  protected boolean writeNext(JsonGenerator json) throws IOException {
    if (!isBegun) {
      isBegun = true;
      json.writeStartObject();
      json.writeNumberField("version", version);
      json.writeNumberField("total", names.size());
      json.writeArrayFieldStart("metrics");
      return true;
    }
    if (next < names.size() && written < limit) {
      String name = names.get(next);
      Metric metric = catalog.begin(new Scope.OfName(name)).metric(name);
      next++;
      if (metric != null && matches(name, metric)) {
        MetricBody.writeStart(name, metric, json);
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
