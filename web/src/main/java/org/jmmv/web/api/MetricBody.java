package org.jmmv.web.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Map;
import org.jmmv.core.Catalog;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.RateUnits;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;
import org.jmmv.web.http.Failure;
import org.jmmv.web.http.JsonBody;

/** All that is known of a metric but its values: {@code metric}. */
final class MetricBody extends JsonBody {
  private final Catalog catalog;
  private final int pmid;

  MetricBody(Catalog catalog, int pmid) {
    this.catalog = catalog;
    this.pmid = pmid;
  }

  @Override
  protected boolean writeNext(JsonGenerator json, Turn turn) throws IOException, Failure {
    View view = catalog.begin(new Scope.OfMetric(pmid));
    Metric metric = view.metric(pmid);
    if (metric == null) {
      throw Parameters.unknown(pmid);
    }
    String name = metric.names().isEmpty() ? "" : metric.names().getFirst();
    writeStart(name, metric, view, json);
    json.writeStringField("text", metric.help() == null ? "" : text(metric.help()));
    json.writeObjectFieldStart("labels");
    for (Map.Entry<String, String> label : view.labels(metric, Instance.NULL).entrySet()) {
      json.writeFieldName(text(label.getKey()));
      json.writeString(text(label.getValue()));
    }
    json.writeEndObject();
    json.writeEndObject();
    return false;
  }

  /** Writes the beginning of an object, with what all documents have of a metric. */
  static void writeStart(String name, Metric metric, View view, JsonGenerator json)
      throws IOException {
    Units units = Units.of(metric.units());
    json.writeStartObject();
    json.writeStringField("name", text(name));
    json.writeStringField("pmid", Pmid.toString(metric.pmid()));
    json.writeStringField("type", type(metric.type()));
    json.writeStringField("semantics", semantics(metric.semantics()));
    json.writeStringField("units", units.toString());
    if (metric.semantics() == Semantics.COUNTER) {
      write(RateUnits.of(units), json);
    }
    if (metric.inDom() != InDom.NULL) {
      json.writeNumberField("instances", view.maxValues(metric, InstanceFilter.ALL));
    }
    json.writeStringField("help", metric.oneLine() == null ? "" : text(metric.oneLine()));
  }

  private static void write(RateUnits rate, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("rate");
    json.writeNumberField("factor", rate.factor());
    json.writeStringField("units", rate.name());
    if (rate.hasLarger()) {
      json.writeArrayFieldStart("larger");
      for (RateUnits larger = rate; larger.hasLarger(); ) {
        larger = larger.larger();
        json.writeString(larger.name());
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private static String semantics(int semantics) {
    return switch (semantics) {
      case Semantics.COUNTER, Semantics.INSTANT, Semantics.DISCRETE ->
          Semantics.toString(semantics);
      default -> "unknown";
    };
  }

  private static String type(int type) {
    return switch (type) {
      case ValueType.I32 -> "32";
      case ValueType.U32 -> "u32";
      case ValueType.I64 -> "64";
      case ValueType.U64 -> "u64";
      case ValueType.FLOAT -> "float";
      case ValueType.DOUBLE -> "double";
      case ValueType.STRING -> "string";
      default -> "unknown";
    };
  }
}
