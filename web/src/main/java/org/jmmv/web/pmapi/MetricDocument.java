package org.jmmv.web.pmapi;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.TextList;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;
import org.jmmv.web.http.Failure;

/** {@code /pmapi/metric}: descriptors, labels and help of the metrics at and below some names. */
final class MetricDocument extends Document {
  private static final List<String> TYPES =
      List.of(
          "32",
          "u32",
          "64",
          "u64",
          "float",
          "double",
          "string",
          "aggregate",
          "aggregate_static",
          "event",
          "highres_event");
  private static final String UNSUPPORTED = "unsupported";
  private static final String UNKNOWN = "unknown";

  private final CommaList given;
  private final boolean isSingle; // an unknown metric is an error
  private final boolean areNames; // otherwise PMIDs
  private boolean isBegun;
  private String prefix = ""; // the last one given
  private String last; // of the names at and below the prefix; null: none is written
  private boolean isBelow; // whether such names are written
  private TextList names = new TextList(); // of the last PMID
  private int written; // of these

  MetricDocument(Call call) {
    super(call);
    Optional<String> ofNames = call.first("prefix", "names", "name");
    Optional<String> pmids = call.first("pmids", "pmid");
    areNames = ofNames.isPresent() || pmids.isEmpty();
    given = areNames ? CommaList.ofAtLeastOne(ofNames.orElse("")) : CommaList.of(pmids.orElse(""));
    isSingle = given.isSingle();
  }

  @Override
  protected boolean writeNext(JsonGenerator json, Turn turn) throws IOException, Failure {
    String name = nextName();
    if (name != null) {
      beginOnce(json);
      write(json, name);
    } else if (given.hasNext()) {
      expand(json, given.next());
    } else {
      beginOnce(json);
      json.writeEndArray();
      json.writeEndObject();
      return false;
    }
    return true;
  }

  private void beginOnce(JsonGenerator json) throws IOException {
    if (!isBegun) {
      isBegun = true;
      begin(json);
      json.writeArrayFieldStart("metrics");
    }
  }

  private String nextName() {
    if (isBelow) {
      last = begin().names().nextBelow(context().metric(prefix), last);
      isBelow = last != null;
      return last;
    }
    return written < names.size() ? names.get(written++) : null;
  }

  private void expand(JsonGenerator json, String text) throws IOException, Failure {
    if (areNames) {
      prefix = text;
      isBelow = begin().names().contains(context().metric(prefix));
      if (!isBelow && isSingle) {
        throw BadRequest.of(text(prefix) + " traversal failed - Unknown metric name");
      } else if (!isBelow) {
        beginOnce(json);
        writeUnknown(json, prefix);
      }
      return;
    }
    Metric metric = find(Call.pmid(text)).metric();
    if (metric == null && isSingle) {
      throw BadRequest.of(text(text) + " - failed to lookup PMID");
    }
    names = new TextList();
    written = 0;
    if (metric != null) {
      metric.names().forEach(names::add);
    }
  }

  private static void writeUnknown(JsonGenerator json, String name) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", text(name));
    json.writeStringField("message", "Unknown metric name");
    json.writeBooleanField("success", false);
    json.writeEndObject();
  }

  private void write(JsonGenerator json, String name) throws IOException {
    View view = catalog().begin(new Scope.OfName(name));
    Metric metric = view.metric(name);
    if (metric == null) { // it has gone meanwhile
      writeUnknown(json, name);
      return;
    }
    boolean isDerived = !context().metric(prefix).equals(prefix);
    String shown = isDerived ? prefix : name;
    MergedLabels labels = MergedLabels.ofMetric(hostLabels(), view, metric.pmid(), metric.inDom());
    String semantics = Semantics.toString(metric.semantics());
    String type = type(metric.type());
    String units = Units.of(metric.units()).toString();
    json.writeStartObject();
    json.writeStringField("name", text(shown));
    json.writeStringField(
        "series", SeriesId.ofMetric(shown, labels.identity(), semantics, pcpType(type), units));
    json.writeStringField("pmid", Pmid.toString(metric.pmid()));
    if (metric.inDom() != InDom.NULL) {
      json.writeStringField("indom", InDom.toString(metric.inDom()));
    }
    json.writeStringField("type", type);
    json.writeStringField("sem", semantics);
    json.writeStringField("units", units.isEmpty() ? "none" : units);
    writeRaw(json, "labels", labels.json());
    writeHelp(json, metric.oneLine() == null ? "" : metric.oneLine(), metric.help());
    json.writeEndObject();
  }

  private static String type(int type) {
    return type == ValueType.NOSUPPORT
        ? UNSUPPORTED
        : type >= 0 && type < TYPES.size() ? TYPES.get(type) : UNKNOWN;
  }

  /** Returns the type as pmTypeStr(3) does. */
  private static String pcpType(String type) {
    return switch (type) {
      case UNSUPPORTED -> "NO_SUPPORT";
      case UNKNOWN -> "???";
      default -> type.toUpperCase(Locale.ROOT);
    };
  }

  @Override
  public long bytes() {
    return super.bytes() + given.bytes() + HeapSize.of(prefix) + HeapSize.of(last) + names.bytes();
  }
}
