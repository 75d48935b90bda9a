package org.jmmv.web.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import org.jmmv.core.InstanceDomain;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.ValueCursor;
import org.jmmv.core.View;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.ValueSink;
import org.jmmv.web.http.Failure;
import org.jmmv.web.http.JsonBody;

/**
 * The instances of a metric that have a value now, in the order of the instance domain: {@code
 * instances}. Many metrics may share a large instance domain and have few values.
 */
final class InstancesBody extends JsonBody {
  private final int pmid;
  private final int offset;
  private final Numbers found;
  private ValueCursor rest; // null: nothing has been read, or all

  /**
   * Creates a body.
   *
   * @param offset the position of the first instance
   * @param limit the maximum number of instances
   */
  InstancesBody(int pmid, int offset, int limit) {
    this.pmid = pmid;
    this.offset = offset;
    found = new Numbers(limit);
  }

  /** Takes the numbers of some instances, and counts all. */
  private final class Numbers implements ValueSink {
    private final int[] taken;
    private int count;
    private int kept; // of those counted, in earlier readings

    private Numbers(int limit) {
      taken = new int[limit];
    }

    @Override
    public void beginReading() {
      kept = count;
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
      count = kept;
    }
  }

  @Override
  protected List<Step> steps() {
    return List.of((_, turn) -> readNext(turn), members(this::write));
  }

  private boolean readNext(Turn turn) throws Failure {
    View view = catalog().begin(new Scope.OfMetric(pmid));
    if (rest == null) {
      Metric metric = Parameters.known(pmid, view);
      if (metric.inDom() == InDom.NULL) {
        throw Failure.badRequest("the metric has no instances");
      }
      rest = view.read(metric, InstanceFilter.ALL, turn, found);
    } else {
      rest = rest.readNext(view, turn, found);
    }
    return rest != null;
  }

  private void write(JsonGenerator json) throws IOException {
    View view = catalog().begin(new Scope.OfMetric(pmid));
    Metric metric = view.metric(pmid);
    InstanceDomain domain = metric == null ? null : view.instances(metric.inDom());
    MetricJson.writeVersion(catalog(), json);
    json.writeStringField("pmid", Pmid.toString(pmid));
    json.writeNumberField("total", found.count);
    json.writeArrayFieldStart("instances");
    int end = (int) Math.min(found.count, (long) offset + found.taken.length);
    for (int i = offset; i < end; i++) {
      int instance = found.taken[i - offset];
      int index = domain == null ? -1 : domain.table().indexOf(instance);
      json.writeStartObject();
      json.writeNumberField("instance", Integer.toUnsignedLong(instance));
      json.writeStringField("name", index < 0 ? "" : FileText.decode(domain.table().name(index)));
      json.writeEndObject();
    }
    json.writeEndArray();
    if (end < found.count) {
      json.writeNumberField("next", end);
    }
  }

  @Override
  public long bytes() {
    return super.bytes() + HeapSize.ofInts(found.taken.length) + (rest == null ? 0 : rest.bytes());
  }
}
