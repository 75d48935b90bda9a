package org.jmmv.web.pmapi;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.Selections;
import org.jmmv.core.View;
import org.jmmv.core.derived.Descriptor;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Labels;
import org.jmmv.web.http.Failure;
import org.jmmv.web.http.JsonBody;
import org.jmmv.web.http.Response;

/**
 * A document that answers a call. It begins with the number of the context. If the call can't be
 * fulfilled, another document says why.
 */
abstract class Document extends JsonBody {
  private final Labels hostLabels;
  private final Context context;
  private final String client; // an identifier that the client has given; null: none
  private final Selections selections = new Selections(); // by the profile
  private boolean hasLookedForFiles;

  Document(Call call) {
    hostLabels = call.hostLabels();
    context = call.context();
    client = call.request().last("client").orElse(null);
  }

  /**
   * What a step looks up.
   *
   * @param view what it sees
   * @param metric null: it is unknown
   */
  record Found(View view, Metric metric) {
    private static Found of(View view, Function<View, Metric> metric) {
      return new Found(view, metric.apply(view));
    }
  }

  /** Returns labels, after those of the context, as pmMergeLabelSets(3) merges them. */
  final Labels merged(List<Labels> sets) {
    return Labels.mergeAll(Stream.concat(Stream.of(hostLabels), sets.stream()).toList());
  }

  final Context context() {
    return context;
  }

  /** Returns the derived metric with a name or, as text, a PMID; null if there is none. */
  final Derived derived(String given, boolean isName) {
    return isName ? context.derived(given) : context.derived(Call.pmid(given));
  }

  /** Begins a request about all names. The first one looks for new files. */
  final View begin() {
    Scope scope = hasLookedForFiles ? new Scope.NoFiles() : new Scope.AllFiles();
    hasLookedForFiles = true;
    return begin(scope);
  }

  /** Begins a turn of a request. */
  final View begin(Scope scope) {
    return catalog().begin(scope, selections);
  }

  /** Looks up the metric with a name, which has one char per byte. */
  final Found find(String name) {
    return find(new Scope.OfName(name), view -> view.metric(name));
  }

  /** Looks up the metric with a PMID. */
  final Found find(int pmid) {
    return find(new Scope.OfMetric(pmid), view -> view.metric(pmid));
  }

  /** Looks up a metric. The first one that is unknown has new files looked for: one may have it. */
  private Found find(Scope scope, Function<View, Metric> metric) {
    Found found = Found.of(begin(scope), metric);
    if (found.metric == null && !hasLookedForFiles) {
      begin();
      found = Found.of(begin(scope), metric);
    }
    return found;
  }

  /**
   * Returns the instance domain of a metric, which may be derived.
   *
   * @throws Failure if the metric is unknown or singular
   */
  final int inDom(String name) throws Failure {
    Derived derived = context.derived(name);
    Metric metric = derived == null ? find(name).metric : null;
    if (derived == null && metric == null) {
      throw Failure.badRequest(FileText.decode(name) + " - failed to lookup metric");
    }
    int inDom = derived == null ? metric.inDom() : descriptor(derived).inDom();
    if (inDom == InDom.NULL) {
      throw Failure.badRequest(FileText.decode(name) + " - metric has null indom");
    }
    return inDom;
  }

  /** Returns the descriptor of a derived metric, for the metrics that it needs as they are now. */
  final Descriptor descriptor(Derived derived) {
    View view = begin(); // of all: each request about one would check all files that share it
    Map<String, Descriptor> found = new HashMap<>();
    for (String name : derived.metric().operands()) {
      Metric metric = view.metric(name);
      if (metric != null) {
        found.put(name, Descriptor.of(metric));
      }
    }
    derived.metric().bind(found);
    context.count(derived);
    return derived.metric().descriptor();
  }

  @Override
  public final Response failed(Failure why) {
    return failed(OptionalLong.of(context.number()), why);
  }

  /**
   * Returns the response to a call that can't be fulfilled.
   *
   * @param context the number of the context, as far as there is one
   */
  static Response failed(OptionalLong context, Failure why) {
    Optional<String> error = Optional.of(why.getMessage());
    return Response.of(why.status(), JSON, of(json -> writeStatus(json, context, error)));
  }

  /** Returns the step that says that the call is fulfilled, and all that such a document has. */
  final Step success() {
    return members(json -> writeStatus(json, OptionalLong.of(context.number()), Optional.empty()));
  }

  private static void writeStatus(JsonGenerator json, OptionalLong context, Optional<String> error)
      throws IOException {
    if (context.isPresent()) {
      json.writeNumberField("context", context.getAsLong());
    }
    if (error.isPresent()) {
      json.writeStringField("message", error.get());
    }
    json.writeBooleanField("success", error.isEmpty());
  }

  @Override
  public long bytes() {
    return super.bytes() + HeapSize.of(client) + selections.bytes();
  }

  /** Writes the members that a document begins with. */
  final void writeContext(JsonGenerator json) throws IOException {
    json.writeNumberField("context", context.number());
    if (client != null) {
      json.writeStringField("client", client);
    }
  }

  /** Writes a member that is a JSON text from a file, one char per byte. */
  static void writeRaw(JsonGenerator json, String name, String value) throws IOException {
    json.writeFieldName(name);
    json.writeRawValue(FileText.decode(value));
  }

  /**
   * Writes help texts.
   *
   * @param oneLine null: there is none
   * @param help null: the other one stands in for it
   */
  static void writeHelp(JsonGenerator json, String oneLine, String help) throws IOException {
    if (oneLine != null) {
      json.writeStringField("text-oneline", FileText.decode(oneLine));
    }
    String shown = help == null || help.isEmpty() ? oneLine : help;
    if (shown != null) {
      json.writeStringField("text-help", FileText.decode(shown));
    }
  }
}
