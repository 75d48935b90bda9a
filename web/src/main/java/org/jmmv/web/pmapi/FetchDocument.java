package org.jmmv.web.pmapi;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.jmmv.core.Turn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jmmv.core.Catalog;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.View;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.ValueType;
import org.jmmv.web.http.Failure;

/**
 * {@code /pmapi/fetch}: the values of some metrics. All values are read before the first one is
 * written, so that they are of one time however slowly the client reads.
 */
final class FetchDocument extends Document {
  /** The maximum of what is kept of values until they are written, in bytes: 16 MiB. */
  private static final long MAX_BYTES = 16 << 20;

  private static final int BYTES_PER_SET = 100;
  private static final int STEP = 32; // values

  /** A set of values of the document. */
  private record Fetched(int pmid, String name) {}

  private final List<Fetched> sets;
  private final InstanceFilter filter;
  private final Instant time = Instant.now();
  private final FetchedValues values = new FetchedValues();
  private long nanos; // for reading
  private int read; // number of sets
  private int begun; // number of sets
  private int written; // number of values
  private boolean isBegun;

  private FetchDocument(Call call, List<Fetched> sets) {
    super(call);
    this.sets = sets;
    filter = call.context().profile().filter();
  }

  /**
   * Answers a call. Unknown metrics are left out.
   *
   * @throws Failure if a single metric is asked for and unknown, or if there are too many values
   */
  static FetchDocument of(Call call) throws Failure {
    Optional<String> names = call.first("names", "name");
    Optional<String> pmids = names.isPresent() ? Optional.empty() : call.first("pmids", "pmid");
    List<String> given =
        Call.list(names.or(() -> pmids).orElseThrow(() -> BadRequest.of("no metric is given")));
    List<Fetched> sets = new ArrayList<>();
    Map<Integer, List<String>> namesOf = new HashMap<>(); // many files may share a PMID
    boolean isComplete = true;
    long bytes = 0;
    Metric[] metrics =
        names.isPresent()
            ? call.metrics(given.stream().map(Call::bytes).toList())
            : call.metrics(Call.pmids(given));
    for (int i = 0; i < metrics.length; i++) {
      Metric metric = metrics[i];
      isComplete &= metric != null;
      if (metric != null) {
        List<String> shown =
            names.isPresent()
                ? List.of(Call.bytes(given.get(i)))
                : namesOf.computeIfAbsent(metric.pmid(), _ -> metric.names());
        shown.forEach(name -> sets.add(new Fetched(metric.pmid(), name)));
        bytes += bytes(metric, call) * shown.size();
      }
      if (bytes > MAX_BYTES) {
        throw BadRequest.of("too many values for one request");
      }
    }
    boolean isSingle =
        call.first("names").isEmpty()
            && (call.first("name").isPresent() || call.first("pmids").isEmpty());
    if (given.isEmpty() || (isSingle && !isComplete)) {
      throw BadRequest.of("bad parameters passed");
    }
    return new FetchDocument(call, sets);
  }

  /** Returns what is kept of the values of a metric, at most. */
  private static long bytes(Metric metric, Call call) {
    int each =
        ValueType.size(metric.type()) > 0 ? FetchedValues.NUMBER_BYTES : FetchedValues.STRING_BYTES;
    return BYTES_PER_SET + (long) each * call.maxValues(metric, call.context().profile().filter());
  }

  @Override
  protected boolean writeNext(JsonGenerator json, Turn turn) throws IOException {
    if (read < sets.size()) {
      readNext();
    } else if (!isBegun) {
      isBegun = true;
      call().catalog().fetches().add(values.count(), nanos);
      begin(json);
      json.writeFieldName("timestamp");
      json.writeNumber(
          String.format(Locale.ROOT, "%d.%09d", time.getEpochSecond(), time.getNano()));
      json.writeArrayFieldStart("values");
    } else if (begun > 0 && written < values.end(begun - 1)) {
      int end = Math.min(written + STEP, values.end(begun - 1));
      while (written < end) {
        values.write(json, begun - 1, written++);
      }
    } else if (begun < sets.size()) {
      endSet(json);
      beginSet(json, sets.get(begun++));
    } else {
      endSet(json);
      json.writeEndArray();
      json.writeEndObject();
      return false;
    }
    return true;
  }

  private void readNext() {
    long start = System.nanoTime();
    int pmid = sets.get(read++).pmid;
    Catalog catalog = call().catalog();
    View view = catalog.begin(new Scope.OfMetric(pmid));
    Metric metric = view.metric(pmid);
    if (metric != null) { // unless it has gone meanwhile
      view.read(metric, filter, values);
    }
    values.endMetric();
    nanos += System.nanoTime() - start;
  }

  private static void beginSet(JsonGenerator json, Fetched set) throws IOException {
    json.writeStartObject();
    json.writeStringField("pmid", Pmid.toString(set.pmid));
    json.writeStringField("name", text(set.name));
    json.writeArrayFieldStart("instances");
  }

  private void endSet(JsonGenerator json) throws IOException {
    if (begun > 0) {
      json.writeEndArray();
      json.writeEndObject();
    }
  }

  @Override
  public long bytes() {
    return values.bytes() + (long) BYTES_PER_SET * sets.size();
  }
}
