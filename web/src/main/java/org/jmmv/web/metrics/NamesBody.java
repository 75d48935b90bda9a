package org.jmmv.web.metrics;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jmmv.core.Metric;
import org.jmmv.core.NameTree;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.Printable;
import org.jmmv.reader.fault.FileName;
import org.jmmv.web.http.JsonBody;

/** The names of all metrics in Prometheus, and what is left out. */
final class NamesBody extends JsonBody {
  private final PlanCache plans;
  private Plan plan; // null: not made yet
  private String last = ""; // the name of the last metric
  private FileName lastFile; // of which series are left out; null: none yet

  NamesBody(PlanCache plans) {
    this.plans = plans;
  }

  @Override
  public long bytes() {
    return super.bytes() + plans.bytesOf(plan) + HeapSize.of(last);
  }

  @Override
  protected List<Step> steps() {
    return List.of(
        this::plan,
        members(this::begin),
        array("families", (json, _) -> writeNext(json, this::writeFamily)),
        array("conflicts", (json, _) -> writeNext(json, this::writeConflict)),
        array("leftOut", (json, _) -> writeNextFile(json)));
  }

  /** Returns whether the plan is still being made. */
  private boolean plan(Turn turn) {
    plan = plans.advance(catalog(), turn).orElse(null);
    return plan == null;
  }

  private void begin(JsonGenerator json) throws IOException {
    json.writeNumberField("epoch", catalog().changes().epoch());
    json.writeNumberField("version", plan.version());
    json.writeNumberField("unsuited", plan.unsuited());
  }

  /** Writes the element of a metric if the array has one. */
  private interface Element {
    void write(JsonGenerator json, Metric metric, FamilyName names, View view) throws IOException;
  }

  /** Writes the element of the next metric. Returns whether there is one. */
  private boolean writeNext(JsonGenerator json, Element element) throws IOException {
    View view = catalog().begin(new Scope.NoFiles());
    String name = view.names().nextBelow("", last);
    last = name == null ? "" : name;
    Metric metric = name == null ? null : view.metric(name);
    FamilyName names = FamilyName.of(name, metric, plans.naming());
    if (names != null) {
      element.write(json, metric, names, view);
    }
    return name != null;
  }

  private void writeFamily(JsonGenerator json, Metric metric, FamilyName names, View view)
      throws IOException {
    if (plan.has(last, metric, names)) {
      json.writeStartObject();
      json.writeStringField("metric", last);
      json.writeStringField("name", names.series());
      json.writeStringField("type", names.kind().name().toLowerCase(Locale.ROOT));
      json.writeEndObject();
    }
  }

  private void writeConflict(JsonGenerator json, Metric metric, FamilyName names, View view)
      throws IOException {
    String takenBy = plan.has(last, metric, names) ? null : takenBy(names, view);
    if (takenBy != null) {
      json.writeStartObject();
      json.writeStringField("metric", last);
      json.writeStringField("takenBy", takenBy);
      json.writeEndObject();
    }
  }

  /** Writes how many series of the next file are left out. Returns whether there is one. */
  private boolean writeNextFile(JsonGenerator json) throws IOException {
    FileName file = plan.series().next(lastFile);
    if (file != null) {
      json.writeStartObject();
      json.writeStringField("file", Printable.utf8(file.toString()));
      json.writeNumberField("series", plan.series().leftOut(file));
      json.writeEndObject();
      lastFile = file;
    }
    return file != null;
  }

  /** Returns the metric that has a name of a family, or null if it is not there any more. */
  private String takenBy(FamilyName names, View view) {
    for (String name : names.reserved()) {
      if (plan.isOwn(name)) {
        return name;
      }
      NameTree.Leaf owner = plan.owner(name, view);
      if (owner != null) {
        return owner.name();
      }
    }
    return null;
  }
}
