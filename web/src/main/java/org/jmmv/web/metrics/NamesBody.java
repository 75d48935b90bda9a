package org.jmmv.web.metrics;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jmmv.core.Catalog;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.KeyedHash;
import org.jmmv.web.http.JsonBody;

/** The names of all metrics in Prometheus, and those of metrics that are left out. */
final class NamesBody extends JsonBody {
  private static final int BATCH = 64; // names that are listed at once

  private final Catalog catalog;
  private final PlanCache.Entry plans;
  private Plan plan; // null: not made yet
  private boolean hasBegun;
  private boolean isOfConflicts; // otherwise families are being written
  private String last = ""; // name

  /** Creates a body. */
  NamesBody(Catalog catalog, PlanCache.Entry plans) {
    this.catalog = catalog;
    this.plans = plans;
  }

  @Override
  public long bytes() {
    return super.bytes() + plans.bytes(plan) + HeapSize.of(last);
  }

  @Override
  protected boolean writeNext(JsonGenerator json, Turn turn) throws IOException {
    if (plan == null) {
      plan = plans.advance(turn).orElse(null);
      return true;
    }
    if (!hasBegun) {
      hasBegun = true;
      json.writeStartObject();
      json.writeNumberField("epoch", catalog.changes().epoch());
      json.writeNumberField("version", plan.version());
      json.writeNumberField("unsuited", plan.unsuited());
      json.writeArrayFieldStart("families");
      return true;
    }
    View view = catalog.begin(new Scope.OfNone());
    List<String> names = view.names().next(last, BATCH);
    int written = 0;
    while (written < names.size() && (written == 0 || !turn.isOver())) {
      last = names.get(written++);
      write(last, view, json);
    }
    if (!names.isEmpty()) {
      return true;
    }
    json.writeEndArray();
    if (isOfConflicts) {
      json.writeEndObject();
      return false;
    }
    json.writeArrayFieldStart("conflicts");
    isOfConflicts = true;
    last = "";
    return true;
  }

  /** Writes a metric if it belongs into the array that is being written. */
  private void write(String name, View view, JsonGenerator json) throws IOException {
    Metric metric = view.metric(name);
    FamilyName names =
        metric == null || !plans.naming().has(metric)
            ? null
            : FamilyName.of(name, metric, plans.naming()).orElse(null);
    if (names == null) {
      return;
    }
    boolean isOnPage = plan.has(name, metric, names);
    if (isOnPage && !isOfConflicts) {
      json.writeStartObject();
      json.writeStringField("metric", name);
      json.writeStringField("name", names.series());
      json.writeStringField("type", names.kind().name().toLowerCase(Locale.ROOT));
      json.writeEndObject();
    } else if (!isOnPage && isOfConflicts) {
      String takenBy = takenBy(names, view);
      if (takenBy != null) {
        json.writeStartObject();
        json.writeStringField("metric", name);
        json.writeStringField("takenBy", takenBy);
        json.writeEndObject();
      }
    }
  }

  /** Returns the metric that has a name of a family, or null if it is not there any more. */
  private String takenBy(FamilyName names, View view) {
    for (String name : names.reserved()) {
      long owner = plan.owners().get(KeyedHash.of(name));
      if (owner == NameOwners.OWN) {
        return name;
      }
      Metric metric = owner == NameOwners.NONE ? null : view.metric(NameOwners.pmid(owner));
      for (String other : metric == null ? List.<String>of() : metric.names()) {
        if (NameOwners.owner(other, metric.pmid()) == owner) {
          return other;
        }
      }
    }
    return null;
  }
}
