package org.jmmv.web.api;

import static org.jmmv.pcp.FileText.decode;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jmmv.core.Catalog;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.View;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.Printable;
import org.jmmv.pcp.RateUnits;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;
import org.jmmv.web.http.Failure;

/** Metrics in JSON. */
final class MetricJson {
  private static final double NANOS_PER_MILLI = 1e6;

  private MetricJson() {}

  /** Returns a time of {@link System#nanoTime} as documents have it. */
  static double millis(long nanos) {
    return nanos / NANOS_PER_MILLI;
  }

  /** Writes when a document is made, and what tells when PMIDs of it are not valid any more. */
  static void writeNow(Catalog catalog, JsonGenerator json) throws IOException {
    json.writeNumberField("time", System.currentTimeMillis());
    json.writeNumberField("clock", millis(System.nanoTime()));
    writeVersion(catalog, json);
  }

  /** Writes what tells when PMIDs and instance numbers of a document are not valid any more. */
  static void writeVersion(Catalog catalog, JsonGenerator json) throws IOException {
    json.writeNumberField("epoch", catalog.changes().epoch());
    json.writeNumberField("version", catalog.changes().version());
  }

  /** Writes all that is known of a metric but its values, the members of {@code metric}. */
  static void writeAll(int pmid, Catalog catalog, JsonGenerator json) throws IOException, Failure {
    View view = catalog.begin(new Scope.OfMetric(pmid));
    Metric metric = Parameters.known(pmid, view);
    write(metric.names().isEmpty() ? "" : metric.names().getFirst(), metric, view, json);
    json.writeStringField("text", metric.help() == null ? "" : decode(metric.help()));
    json.writeObjectFieldStart("labels");
    for (Map.Entry<String, String> label : view.labels(metric, Instance.NULL).entrySet()) {
      json.writeStringField(label.getKey(), label.getValue());
    }
    json.writeEndObject();
  }

  /** Writes what all documents have of a metric. */
  static void write(String name, Metric metric, View view, JsonGenerator json) throws IOException {
    Units units = Units.of(metric.units());
    json.writeStringField("name", decode(name));
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
    json.writeStringField("help", metric.oneLine() == null ? "" : decode(metric.oneLine()));
    List<Metric.Origin> files = metric.origins(1);
    if (!files.isEmpty()) {
      json.writeStringField("file", Printable.utf8(files.getFirst().file().name()));
    }
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

  /** Returns the type, the semantics and the units of a metric, as documents have them. */
  static String kind(Metric metric) {
    return type(metric.type())
        + ' '
        + semantics(metric.semantics())
        + ' '
        + Units.of(metric.units());
  }

  private static String semantics(int semantics) {
    return Semantics.isKnown(semantics) ? Semantics.toString(semantics) : "unknown";
  }

  private static String type(int type) {
    boolean isOfFiles = ValueType.size(type) > 0 || type == ValueType.STRING;
    return isOfFiles ? ValueType.toString(type) : "unknown";
  }
}
