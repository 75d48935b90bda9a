package org.jmmv.web.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.ValueCursor;
import org.jmmv.core.View;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.InstanceTable;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.Printable;
import org.jmmv.pcp.ValueSink;
import org.jmmv.web.http.Failure;
import org.jmmv.web.http.JsonBody;

/**
 * The instances of a metric that have a value now, in the order of the instance domain: {@code
 * instances}. Many metrics may share a large instance domain and have few values.
 */
final class InstancesBody extends JsonBody {
  private final int pmid;
  private final Words words;
  private final int offset;
  private final Numbers found;
  private WordScan scan; // of the instances; null: it has not begun, or is over
  private InstanceFilter filter = InstanceFilter.ALL;
  private ValueCursor cursor; // null: nothing has been read, or all
  private int written; // number of instances

  /**
   * Creates a body.
   *
   * @param words those of a search: if the metric lacks some, its instances need to have them
   * @param offset the position of the first instance
   * @param limit the maximum number of instances
   */
  InstancesBody(int pmid, Words words, int offset, int limit) {
    this.pmid = pmid;
    this.words = words;
    this.offset = offset;
    found = new Numbers(limit);
  }

  /** Takes the numbers of some instances, and counts all. */
  private final class Numbers implements ValueSink {
    private final int[] taken;
    private int count;
    private int before; // of those counted, in earlier readings

    private Numbers(int limit) {
      taken = new int[limit];
    }

    /** Returns how many of the numbers are taken. */
    int kept() {
      return Math.clamp(count - offset, 0, taken.length);
    }

    @Override
    public void beginReading() {
      before = count;
    }

    @Override
    public int numbers(int type, int[] instances, long[] bits, int number) {
      for (int i = 0; i < number; i++) {
        add(instances[i]);
      }
      return number;
    }

    @Override
    public boolean text(int instance, byte[] bytes, int start, int length) {
      add(instance);
      return true;
    }

    private void add(int instance) {
      if (count >= offset && count - offset < taken.length) {
        taken[count - offset] = instance;
      }
      count++;
    }

    @Override
    public void clear() {
      count = before;
    }
  }

  @Override
  protected List<Step> steps() {
    return List.of(
        this::search,
        this::readNext,
        members(this::write),
        array("instances", this::writeNext),
        members(this::end));
  }

  /** Looks for instances with the words that the metric lacks. */
  private boolean search(Turn turn) throws Failure {
    View view = catalog().begin(new Scope.OfMetric(pmid));
    Metric metric = Parameters.known(pmid, view);
    if (scan == null) {
      scan = new WordScan(words, metric.names().isEmpty() ? "" : metric.names().getFirst(), metric);
    }
    if (scan.lookAtLabels(metric, view, turn) || scan.lookAtInstances(metric, view, turn)) {
      return true;
    }
    if (scan.missing() != 0) {
      filter = new InstanceFilter(false);
      filter.set(metric.inDom(), false, scan.take());
    }
    scan = null;
    return false;
  }

  private boolean readNext(Turn turn) throws Failure {
    View view = catalog().begin(new Scope.OfMetric(pmid));
    if (cursor == null) {
      Metric metric = Parameters.known(pmid, view);
      if (metric.inDom() == InDom.NULL) {
        throw Failure.badRequest("the metric has no instances");
      }
      cursor = view.read(metric, filter, turn, found);
    } else {
      cursor = cursor.readNext(view, turn, found);
    }
    return cursor != null;
  }

  private void write(JsonGenerator json) throws IOException {
    MetricJson.writeVersion(catalog(), json);
    json.writeStringField("pmid", Pmid.toString(pmid));
    json.writeNumberField("total", found.count);
  }

  private boolean writeNext(JsonGenerator json, Turn turn) throws IOException {
    View view = catalog().begin(new Scope.OfMetric(pmid));
    Metric metric = view.metric(pmid);
    InstanceTable table = view.table(metric == null ? InDom.NULL : metric.inDom());
    while (written < found.kept()) {
      int instance = found.taken[written++];
      int index = table.indexOf(instance);
      json.writeStartObject();
      json.writeNumberField("instance", Integer.toUnsignedLong(instance));
      json.writeStringField("name", index < 0 ? "" : Printable.utf8(table.name(index)));
      json.writeEndObject();
      if (isFull() || view.isOver(turn)) {
        return true;
      }
    }
    return false;
  }

  private void end(JsonGenerator json) throws IOException {
    if (offset + found.kept() < found.count) {
      json.writeNumberField("next", offset + found.kept());
    }
  }

  @Override
  public long bytes() {
    return super.bytes()
        + HeapSize.ofInts(found.taken.length)
        + words.bytes()
        + (scan == null ? 0 : scan.bytes())
        + (filter == InstanceFilter.ALL ? 0 : filter.bytes())
        + (cursor == null ? 0 : cursor.bytes());
  }
}
