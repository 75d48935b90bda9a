package org.jmmv.web.pmapi;

import com.fasterxml.jackson.core.JsonGenerator;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jmmv.core.Catalog;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Labels;
import org.jmmv.serving.LongReply.Progress;
import org.jmmv.web.http.Failure;
import org.jmmv.web.http.JsonBody;

/**
 * A document that answers a call. It begins with the number of the context. If the call can't be
 * fulfilled, another document says why.
 */
abstract class Document extends JsonBody {
  private final Catalog catalog;
  private final Labels hostLabels;
  private final Context context;
  private final String client; // an identifier that the client has given; null: none
  private boolean hasLookedForFiles;

  Document(Call call) {
    catalog = call.catalog();
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

  final Catalog catalog() {
    return catalog;
  }

  final Labels hostLabels() {
    return hostLabels;
  }

  final Context context() {
    return context;
  }

  /** Begins a request about all names. The first one looks for new files. */
  final View begin() {
    Scope scope = hasLookedForFiles ? new Scope.OfNone() : new Scope.OfAll();
    hasLookedForFiles = true;
    return catalog.begin(scope);
  }

  /** Looks up the metric with a name in the context, which has one char per byte. */
  final Found find(String name) {
    String named = context.metric(name);
    return find(new Scope.OfName(named), view -> view.metric(named));
  }

  /** Looks up the metric with a PMID. */
  final Found find(int pmid) {
    return find(new Scope.OfMetric(pmid), view -> view.metric(pmid));
  }

  /** Looks up a metric. The first one that is unknown has new files looked for: one may have it. */
  private Found find(Scope scope, Function<View, Metric> metric) {
    Found found = Found.of(catalog.begin(scope), metric);
    if (found.metric == null && !hasLookedForFiles) {
      begin();
      found = Found.of(catalog.begin(scope), metric);
    }
    return found;
  }

  /**
   * Returns the instance domain of a metric.
   *
   * @throws Failure if the metric is unknown or singular
   */
  final int inDom(String name) throws Failure {
    Metric metric = find(name).metric;
    if (metric == null) {
      throw BadRequest.of(text(name) + " - failed to lookup metric");
    }
    if (metric.inDom() == InDom.NULL) {
      throw BadRequest.of(text(name) + " - metric has null indom");
    }
    return metric.inDom();
  }

  @Override
  public final Progress write(ByteBuf out, Turn turn) throws Failure {
    try {
      return super.write(out, turn);
    } catch (Failure e) {
      Optional<String> why = Optional.of(e.getMessage());
      throw new Failure(
          e.status(),
          e.getMessage(),
          JSON,
          new StatusDocument(OptionalLong.of(context.number()), why));
    }
  }

  @Override
  public long bytes() {
    return super.bytes() + HeapSize.of(client);
  }

  /** Writes the beginning of the document. */
  final void begin(JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeNumberField("context", context.number());
    if (client != null) {
      json.writeStringField("client", client);
    }
  }

  /** Writes all of the document that says that the call is fulfilled. */
  final void writeSuccess(JsonGenerator json) throws IOException {
    StatusDocument.write(json, OptionalLong.of(context.number()), Optional.empty());
  }

  /** Writes a member that is a JSON text from a file, one char per byte. */
  static void writeRaw(JsonGenerator json, String name, String value) throws IOException {
    json.writeFieldName(name);
    json.writeRawValue(text(value));
  }

  /**
   * Writes help texts.
   *
   * @param oneLine null: there is none
   * @param help null: the other one stands in for it
   */
  static void writeHelp(JsonGenerator json, String oneLine, String help) throws IOException {
    if (oneLine != null) {
      json.writeStringField("text-oneline", text(oneLine));
    }
    String shown = help == null || help.isEmpty() ? oneLine : help;
    if (shown != null) {
      json.writeStringField("text-help", text(shown));
    }
  }
}
