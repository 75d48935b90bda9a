package org.jmmv.web.pmapi;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.KeptValues;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.ValueCursor;
import org.jmmv.core.View;
import org.jmmv.core.derived.Descriptor;
import org.jmmv.core.derived.Evaluation;
import org.jmmv.core.derived.Operand;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.TextList;
import org.jmmv.web.http.Failure;

/**
 * {@code /pmapi/fetch}: the values of some metrics. All values are read before the first one is
 * written, so that they are of one time however slowly the client reads. Each metric is read once,
 * also if derived ones need it. Unknown metrics are left out, but a single one is an error.
 */
final class FetchDocument extends Document {
  /** The maximum of what is kept until it is written, in bytes: 16 MiB. */
  private static final long MAX_KEPT = 16 << 20;

  private final TextList given;
  private final boolean areNames; // otherwise PMIDs
  private final boolean isSingle;
  private int next; // of those given
  private final Instant time = Instant.now();
  private final Contexts contexts;
  private final Map<Integer, Operand> read = new HashMap<>(); // by PMID, also derived ones
  private final List<FetchedMetric> metrics = new ArrayList<>();
  private final Map<String, Operand> operands = new HashMap<>(); // of the derived metric
  private Operand unfinished; // that is read, or null
  private ValueCursor cursor; // of its values; null: none are left
  private Derived derived; // that is calculated, or null
  private int operand; // that it needs next
  private Evaluation evaluation; // null: not all operands are read
  private long kept; // bytes of what is read, and of metrics
  private long nanos; // for reading
  private int metric; // that is written next
  private int name; // of the metric, that is written next
  private int value = -1; // of the metric, that is written next; -1: the name is not written

  FetchDocument(Call call, Contexts contexts) throws Failure {
    super(call);
    this.contexts = contexts;
    Optional<String> ofNames = call.first("names", "name");
    areNames = ofNames.isPresent();
    String text =
        ofNames
            .or(() -> call.first("pmids", "pmid"))
            .orElseThrow(() -> Failure.badRequest("no metric is given"));
    given = TextList.ofCommas(FileText.encode(text));
    isSingle =
        call.first("names").isEmpty()
            && (call.first("name").isPresent() || call.first("pmids").isEmpty());
    if (given.size() == 0) {
      throw Failure.badRequest("bad parameters passed");
    }
  }

  @Override
  protected List<Step> steps() {
    return List.of(
        this::readNext, members(this::writeTime), array("values", (json, _) -> writeNext(json)));
  }

  /** Reads a metric, or goes on with a derived one. Returns whether there is more to do. */
  private boolean readNext(Turn turn) throws Failure {
    long start = System.nanoTime();
    if (unfinished != null) {
      readRest(turn);
    } else if (derived == null) {
      readGiven(given.get(next++), turn);
    } else if (evaluation == null) {
      readOperand(turn);
    } else {
      evaluate(turn);
    }
    if (unfinished == null && bytesKept() > MAX_KEPT) { // while it grows, it takes twice as much
      throw tooMany();
    }
    nanos += System.nanoTime() - start;
    return unfinished != null || derived != null || next < given.size();
  }

  private static Failure tooMany() {
    return Failure.badRequest("too many values for one request");
  }

  private void readGiven(String text, Turn turn) throws Failure {
    derived = derived(text, areNames);
    if (derived != null) {
      Operand known = read.get(derived.pmid());
      if (known != null) {
        addDerived(known);
      }
      return;
    }
    Found found = areNames ? find(text) : find(Call.pmid(text));
    Metric metric = found.metric();
    if (metric != null) {
      List<String> names = areNames ? List.of(text) : metric.names();
      add(new FetchedMetric(metric.pmid(), names, read(found, turn).values()));
    } else if (isSingle) {
      throw Failure.badRequest("bad parameters passed");
    }
  }

  private void add(FetchedMetric fetched) {
    metrics.add(fetched);
    kept += fetched.bytes();
  }

  /** Reads the values of a metric, once for the document, or begins to. */
  private Operand read(Found found, Turn turn) throws Failure {
    Metric metric = found.metric();
    Operand known = read.get(metric.pmid());
    if (known != null) {
      return known;
    }
    InstanceFilter filter = context().profile();
    int count = found.view().maxValues(metric, filter);
    if (bytesKept() + KeptValues.max(metric.type(), count) > MAX_KEPT) {
      throw tooMany();
    }
    Operand operand = new Operand(Descriptor.of(metric), new KeptValues());
    read.put(metric.pmid(), operand);
    unfinished = operand;
    cursor = found.view().read(metric, filter, turn, operand.values());
    finish();
    return operand;
  }

  private void readRest(Turn turn) {
    View view = begin(new Scope.OfMetric(cursor.pmid()));
    cursor = cursor.readNext(view, turn, unfinished.values());
    finish();
  }

  /** Ends the reading of a metric if nothing is left. */
  private void finish() {
    if (cursor == null) {
      keep(unfinished);
      unfinished = null;
    }
  }

  /** Reads the next metric that the derived one needs, or begins to calculate that one. */
  private void readOperand(Turn turn) throws Failure {
    List<String> needed = derived.metric().operands();
    if (operand < needed.size()) {
      String text = needed.get(operand++);
      Found found = find(text);
      if (found.metric() != null) {
        operands.put(text, read(found, turn));
      }
      return;
    }
    evaluation = derived.metric().evaluate(operands, context().profile(), System.nanoTime());
    operands.clear();
    operand = 0;
  }

  private void evaluate(Turn turn) throws Failure {
    View view = begin(new Scope.NoFiles()); // the files of the operands are checked
    if (!evaluation.goOn(view::table, turn)) {
      Operand calculated = new Operand(derived.metric().descriptor(), evaluation.result());
      evaluation = null;
      read.put(derived.pmid(), calculated);
      keep(calculated);
      context().count(derived);
      contexts.charge(context());
      addDerived(calculated);
    }
  }

  /** Adds the derived metric, which is calculated once for the document. */
  private void addDerived(Operand calculated) {
    add(new FetchedMetric(derived.pmid(), List.of(derived.name()), calculated.values()));
    derived = null;
  }

  private void keep(Operand operand) {
    operand.values().trim();
    kept += HeapSize.ofHashEntry() + HeapSize.ofObject(0, Integer.BYTES) + operand.bytes();
  }

  private void writeTime(JsonGenerator json) throws IOException {
    catalog().fetches().add(metrics.stream().mapToInt(FetchedMetric::count).sum(), nanos);
    writeContext(json);
    json.writeFieldName("timestamp");
    json.writeNumber(String.format(Locale.ROOT, "%d.%09d", time.getEpochSecond(), time.getNano()));
  }

  /** Writes a value, or the beginning or the end of the values of a name. */
  private boolean writeNext(JsonGenerator json) throws IOException {
    if (metric == metrics.size()) {
      return false;
    }
    FetchedMetric values = metrics.get(metric);
    if (name == values.names().size()) { // a metric may have no name
      metric++;
      name = 0;
    } else if (value < 0) {
      value = 0;
      json.writeStartObject();
      json.writeStringField("pmid", Pmid.toString(values.pmid()));
      json.writeStringField("name", FileText.decode(values.names().get(name)));
      json.writeArrayFieldStart("instances");
    } else if (value < values.count()) {
      values.write(json, value++);
    } else {
      json.writeEndArray();
      json.writeEndObject();
      value = -1;
      name++;
    }
    return true;
  }

  @Override
  public long bytes() {
    return super.bytes() + given.bytes() + bytesKept();
  }

  private long bytesKept() {
    return kept
        + HeapSize.ofReferences(metrics.size())
        + operands.size() * HeapSize.ofHashEntry()
        + (unfinished == null ? 0 : unfinished.bytes())
        + (cursor == null ? 0 : cursor.bytes())
        + (evaluation == null ? 0 : evaluation.bytes());
  }
}
