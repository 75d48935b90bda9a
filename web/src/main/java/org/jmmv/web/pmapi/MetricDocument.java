package org.jmmv.web.pmapi;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.jmmv.core.Turn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jmmv.core.Metric;
import org.jmmv.core.NameTree;
import org.jmmv.core.Scope;
import org.jmmv.core.View;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.Semantics;
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
  private static final int MAX_NAMES = 100_000; // of PMIDs, each of which may have many
  private static final int BYTES_PER_NAME = 8; // in a list of names that the catalogue has, too

  private final Iterator<String> prefixes;
  private String prefix = "";
  private List<String> names = List.of(); // at and below the prefix
  private int written; // of these
  private boolean isBegun;

  private MetricDocument(Call call, List<String> prefixes) {
    super(call);
    this.prefixes = prefixes.iterator();
  }

  /**
   * Answers a call.
   *
   * @throws Failure if a single name is unknown; an unknown one of several does not affect the
   *     others
   */
  static MetricDocument of(Call call) throws Failure {
    Optional<String> names = call.first("prefix", "names", "name");
    Optional<String> pmids = call.first("pmids", "pmid");
    if (names.isEmpty() && pmids.isPresent()) {
      return new MetricDocument(call, names(call, Call.list(pmids.get())));
    }
    List<String> prefixes = Call.list(names.orElse(""));
    if (prefixes.size() == 1) {
      String only = prefixes.getFirst();
      String name = call.context().metric(Call.bytes(only));
      if (!call.catalog().begin(new Scope.OfAll()).names().contains(name)) {
        throw BadRequest.of(only + " traversal failed - Unknown metric name");
      }
    }
    return new MetricDocument(
        call, prefixes.isEmpty() ? List.of("") : prefixes.stream().map(Call::bytes).toList());
  }

  private static List<String> names(Call call, List<String> pmids) throws Failure {
    List<String> names = new ArrayList<>();
    Map<Integer, List<String>> namesOf = new HashMap<>(); // many files may share a PMID
    for (Metric metric : call.metrics(Call.pmids(pmids))) {
      if (metric != null) {
        names.addAll(namesOf.computeIfAbsent(metric.pmid(), _ -> metric.names()));
      } else if (pmids.size() == 1) {
        throw BadRequest.of(pmids.getFirst() + " - failed to lookup PMID");
      }
      if (names.size() > MAX_NAMES) {
        throw BadRequest.of("too many metrics for one request");
      }
    }
    return names;
  }

  @Override
  protected boolean writeNext(JsonGenerator json, Turn turn) throws IOException {
    if (!isBegun) {
      isBegun = true;
      begin(json);
      json.writeArrayFieldStart("metrics");
    } else if (written < names.size()) {
      write(json, names.get(written++));
    } else if (prefixes.hasNext()) {
      prefix = prefixes.next();
      expand(json);
    } else {
      json.writeEndArray();
      json.writeEndObject();
      return false;
    }
    return true;
  }

  private void expand(JsonGenerator json) throws IOException {
    NameTree tree = call().catalog().begin(new Scope.OfAll()).names();
    String name = call().context().metric(prefix);
    names = tree.leaves(name);
    written = 0;
    if (!tree.contains(name)) {
      writeUnknown(json, prefix);
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
    View view = call().catalog().begin(new Scope.OfName(name));
    Metric metric = view.metric(name);
    if (metric == null) { // it has gone meanwhile
      writeUnknown(json, name);
      return;
    }
    boolean isDerived = !call().context().metric(prefix).equals(prefix);
    String shown = isDerived ? prefix : name;
    MergedLabels labels = MergedLabels.ofMetric(call(), view, metric.pmid(), metric.inDom());
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
    return (long) BYTES_PER_NAME * names.size();
  }
}
