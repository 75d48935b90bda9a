package org.jmmv.web.pmapi;

import static org.jmmv.pcp.FileText.decode;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.View;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.TextList;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;
import org.jmmv.web.http.Failure;

/** {@code /pmapi/metric}: descriptors, labels and help of the metrics at and below some names. */
final class MetricDocument extends Document {
  private final CommaList given;
  private final boolean isSingle; // an unknown metric is an error
  private final boolean areNames; // otherwise PMIDs
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
  protected List<Step> steps() {
    return List.of(
        once(this::check),
        members(this::writeContext),
        array("metrics", (json, _) -> writeNext(json)));
  }

  /** Refuses a single metric that is unknown. */
  private void check() throws Failure {
    if (isSingle && areNames && !begin().names().contains(context().metric(given.text()))) {
      throw Failure.badRequest(decode(given.text()) + " traversal failed - Unknown metric name");
    } else if (isSingle && !areNames && find(Call.pmid(given.text())).metric() == null) {
      throw Failure.badRequest(decode(given.text()) + " - failed to lookup PMID");
    }
  }

  private boolean writeNext(JsonGenerator json) throws IOException {
    String name = nextName();
    if (name != null) {
      write(json, name);
    } else if (given.hasNext()) {
      expand(json, given.next());
    } else {
      return false;
    }
    return true;
  }

  private String nextName() {
    if (isBelow) {
      last = begin().names().nextBelow(context().metric(prefix), last);
      isBelow = last != null;
      return last;
    }
    return written < names.size() ? names.get(written++) : null;
  }

  private void expand(JsonGenerator json, String text) throws IOException {
    if (areNames) {
      prefix = text;
      isBelow = begin().names().contains(context().metric(prefix));
      if (!isBelow) {
        writeUnknown(json, prefix);
      }
      return;
    }
    Metric metric = find(Call.pmid(text)).metric();
    names = new TextList();
    written = 0;
    if (metric != null) {
      metric.names().forEach(names::add);
    }
  }

  private static void writeUnknown(JsonGenerator json, String name) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", decode(name));
    json.writeStringField("message", "Unknown metric name");
    json.writeBooleanField("success", false);
    json.writeEndObject();
  }

  private void write(JsonGenerator json, String name) throws IOException {
    View view = catalog().begin(new Scope.OfName(name));
    Metric metric = view.metric(name);
    if (metric == null) { // it has gone since its name was listed
      writeUnknown(json, name);
      return;
    }
    boolean isDerived = !context().metric(prefix).equals(prefix);
    String shown = isDerived ? prefix : name;
    List<Labels> sets = view.labels(metric);
    sets.addFirst(view.labels(LabelType.DOMAIN, Pmid.domain(metric.pmid())));
    Labels labels = merged(sets);
    String semantics = Semantics.toString(metric.semantics());
    String type = ValueType.toString(metric.type());
    String units = Units.of(metric.units()).toString();
    json.writeStartObject();
    json.writeStringField("name", decode(shown));
    json.writeStringField(
        "series",
        SeriesId.ofMetric(shown, labels.identity().json(), semantics, pcpType(type), units));
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

  /** Returns the type as pmTypeStr(3) does. */
  private static String pcpType(String type) {
    return switch (type) {
      case "unsupported" -> "NO_SUPPORT";
      case "unknown" -> "???";
      default -> type.toUpperCase(Locale.ROOT);
    };
  }

  @Override
  public long bytes() {
    return super.bytes() + given.bytes() + HeapSize.of(prefix) + HeapSize.of(last) + names.bytes();
  }
}
