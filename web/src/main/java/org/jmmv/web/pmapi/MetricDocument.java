package org.jmmv.web.pmapi;

import static org.jmmv.pcp.FileText.decode;
import static org.jmmv.pcp.FileText.encode;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.View;
import org.jmmv.core.derived.Descriptor;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.TextList;
import org.jmmv.pcp.ValueType;
import org.jmmv.web.http.Failure;

/** {@code /pmapi/metric}: descriptors, labels and help of the metrics at and below some names. */
final class MetricDocument extends Document {
  private final TextList given;
  private final boolean isSingle; // an unknown metric is an error
  private final boolean areNames; // otherwise PMIDs
  private int next; // of those given
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
    given = TextList.ofCommas(encode(ofNames.or(() -> pmids).orElse("")));
    if (areNames && given.size() == 0) {
      given.add(""); // the root
    }
    isSingle = given.size() == 1;
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
    if (!isSingle) {
      return;
    }
    String text = given.get(0);
    if (derived(text, areNames) != null) {
      return;
    }
    if (areNames && !begin().names().contains(text)) {
      throw Failure.badRequest(decode(text) + " traversal failed - Unknown metric name");
    } else if (!areNames && find(Call.pmid(text)).metric() == null) {
      throw Failure.badRequest(decode(text) + " - failed to lookup PMID");
    }
  }

  private boolean writeNext(JsonGenerator json) throws IOException {
    String name = nextName();
    if (name != null) {
      write(json, name);
    } else if (next < given.size()) {
      expand(json, given.get(next++));
    } else {
      return false;
    }
    return true;
  }

  private String nextName() {
    if (isBelow) {
      last = begin().names().nextBelow(prefix, last);
      isBelow = last != null;
      return last;
    }
    return written < names.size() ? names.get(written++) : null;
  }

  private void expand(JsonGenerator json, String text) throws IOException {
    Derived derived = derived(text, areNames);
    if (derived != null) {
      write(json, derived);
      return;
    }
    if (areNames) {
      prefix = text;
      begin(new Scope.OfName(prefix)); // checks its files
      isBelow = begin().names().contains(prefix);
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
    View view = begin(new Scope.NoFiles());
    Metric metric = view.metric(name);
    if (metric == null) { // it has gone since its name was listed
      writeUnknown(json, name);
      return;
    }
    write(json, name, metric.pmid(), Descriptor.of(metric), merged(view.labels(metric)));
    writeHelp(json, metric.oneLine() == null ? "" : metric.oneLine(), metric.help());
    json.writeEndObject();
  }

  private void write(JsonGenerator json, Derived derived) throws IOException {
    Descriptor descriptor = descriptor(derived);
    int inDom = descriptor.inDom();
    Labels ofInDom =
        inDom == InDom.NULL
            ? null
            : catalog().begin(new Scope.OfInDom(inDom)).labels(LabelType.INDOM, inDom);
    Labels labels = merged(ofInDom == null ? List.of() : List.of(ofInDom));
    write(json, derived.name(), derived.pmid(), descriptor, labels);
    writeHelp(json, "", null);
    json.writeEndObject();
  }

  /** Begins an object, and writes all but the help texts. */
  private static void write(
      JsonGenerator json, String name, int pmid, Descriptor descriptor, Labels labels)
      throws IOException {
    String semantics = Semantics.toString(descriptor.semantics());
    String type = ValueType.toString(descriptor.type());
    String units = descriptor.units().toString();
    json.writeStartObject();
    json.writeStringField("name", decode(name));
    json.writeStringField(
        "series",
        SeriesId.ofMetric(
            name,
            labels.identity().json(),
            semantics,
            ValueType.pcpName(descriptor.type()),
            units));
    json.writeStringField("pmid", Pmid.toString(pmid));
    if (descriptor.inDom() != InDom.NULL) {
      json.writeStringField("indom", InDom.toString(descriptor.inDom()));
    }
    json.writeStringField("type", type);
    json.writeStringField("sem", semantics);
    json.writeStringField("units", units.isEmpty() ? "none" : units);
    writeRaw(json, "labels", labels.json());
  }

  @Override
  public long bytes() {
    return super.bytes() + given.bytes() + HeapSize.of(prefix) + HeapSize.of(last) + names.bytes();
  }
}
