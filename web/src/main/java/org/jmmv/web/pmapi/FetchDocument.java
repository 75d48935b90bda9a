package org.jmmv.web.pmapi;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.Metric;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.TextList;
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
  private final TextList names = new TextList(); // of all metrics; files that share one have many
  private final FetchedValues values = new FetchedValues();
  private long nanos; // for reading
  private int name; // that is written next
  private int metric; // that of the name
  private int value = -1; // that is written next; -1: the name is not written

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
      List<String> shown = areNames ? List.of(text) : read.names();
      long ofNames = shown.stream().mapToLong(String::length).sum();
      long more = FetchedValues.max(read.type(), found.view().maxValues(read, filter));
      if (names.bytes() + ofNames + values.used() + more > MAX_KEPT) {
        throw Failure.badRequest("too many values for one request");
      }
      found.view().read(read, filter, values);
      shown.forEach(names::add);
      values.endMetric(read.pmid(), names.size());
    } else if (isSingle) {
      throw Failure.badRequest("bad parameters passed");
    }
    nanos += System.nanoTime() - start;
    return given.hasNext();
  }

  private void writeTime(JsonGenerator json) throws IOException {
    values.trim();
    catalog().fetches().add(values.count(), nanos);
    writeContext(json);
    json.writeFieldName("timestamp");
    json.writeNumber(String.format(Locale.ROOT, "%d.%09d", time.getEpochSecond(), time.getNano()));
  }

  /** Writes a value, or the beginning or the end of the values of a name. */
  private boolean writeNext(JsonGenerator json) throws IOException {
    if (name == names.size()) {
      return false;
    }
    while (name == values.endOfNames(metric)) { // a metric may have no name
      metric++;
    }
    if (value < 0) {
      value = values.begin(metric);
      json.writeStartObject();
      json.writeStringField("pmid", Pmid.toString(values.pmid(metric)));
      json.writeStringField("name", FileText.decode(names.get(name)));
      json.writeArrayFieldStart("instances");
    } else if (value < values.end(metric)) {
      values.write(json, metric, value++);
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
    return super.bytes() + given.bytes() + names.bytes() + values.bytes();
  }
}
