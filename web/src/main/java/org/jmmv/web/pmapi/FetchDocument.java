package org.jmmv.web.pmapi;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.Metric;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.Pmid;
import org.jmmv.web.http.Failure;

/**
 * {@code /pmapi/fetch}: the values of some metrics. All values are read before the first one is
 * written, so that they are of one time however slowly the client reads. Unknown metrics are left
 * out, but a single one is an error.
 */
final class FetchDocument extends Document {
  /** The maximum of what is kept until it is written, in bytes: 16 MiB. */
  private static final long MAX_KEPT = 16 << 20;

  private final CommaList given;
  private final boolean areNames; // otherwise PMIDs
  private final boolean isSingle;
  private final Instant time = Instant.now();
  private final List<FetchedMetric> metrics = new ArrayList<>();
  private long kept; // bytes of metrics
  private long nanos; // for reading
  private int metric; // that is written next
  private int name; // of the metric, that is written next
  private int value = -1; // of the metric, that is written next; -1: the name is not written

  FetchDocument(Call call) throws Failure {
    super(call);
    Optional<String> ofNames = call.first("names", "name");
    areNames = ofNames.isPresent();
    given =
        CommaList.of(
            ofNames
                .or(() -> call.first("pmids", "pmid"))
                .orElseThrow(() -> Failure.badRequest("no metric is given")));
    isSingle =
        call.first("names").isEmpty()
            && (call.first("name").isPresent() || call.first("pmids").isEmpty());
    if (!given.hasNext()) {
      throw Failure.badRequest("bad parameters passed");
    }
  }

  @Override
  protected List<Step> steps() {
    return List.of(
        (_, _) -> readNext(),
        members(this::writeTime),
        array("values", (json, _) -> writeNext(json)));
  }

  /** Reads the values of the next metric. Returns whether there are more. */
  private boolean readNext() throws Failure {
    long start = System.nanoTime();
    String text = given.next();
    Found found = areNames ? find(text) : find(Call.pmid(text));
    Metric read = found.metric();
    if (read != null) {
      InstanceFilter filter = context().profile();
      List<String> names = areNames ? List.of(text) : read.names();
      long ofNames = names.stream().mapToLong(String::length).sum();
      long more = FetchedMetric.max(read.type(), found.view().maxValues(read, filter));
      if (kept + ofNames + more > MAX_KEPT) {
        throw Failure.badRequest("too many values for one request");
      }
      FetchedMetric values = new FetchedMetric(read.pmid(), names);
      found.view().read(read, filter, values);
      values.trim();
      metrics.add(values);
      kept += values.bytes();
    } else if (isSingle) {
      throw Failure.badRequest("bad parameters passed");
    }
    nanos += System.nanoTime() - start;
    return given.hasNext();
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
    return super.bytes() + given.bytes() + HeapSize.ofReferences(metrics.size()) + kept;
  }
}
