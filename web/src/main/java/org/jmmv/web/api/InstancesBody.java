package org.jmmv.web.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.jmmv.core.Catalog;
import org.jmmv.core.InstanceDomain;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
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
  private final Catalog catalog;
  private final int pmid;
  private final int offset;
  private final int limit;

  /**
   * Creates a body.
   *
   * @param offset the position of the first instance
   * @param limit the maximum number of instances
   */
  InstancesBody(Catalog catalog, int pmid, int offset, int limit) {
    this.catalog = catalog;
    this.pmid = pmid;
    this.offset = offset;
    this.limit = limit;
  }

  /** Takes the numbers of some instances, and counts all. */
  private final class Numbers implements ValueSink {
    private final int[] taken = new int[limit];
    private int count;

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
      if (count >= offset && count - offset < limit) {
        taken[count - offset] = instance;
      }
      count++;
    }

    @Override
    public void clear() {
      count = 0;
    }
  }

  @Override
  protected boolean writeNext(JsonGenerator json, Turn turn) throws IOException, Failure {
    View view = catalog.begin(new Scope.OfMetric(pmid));
    Metric metric = view.metric(pmid);
    if (metric == null) {
      throw Parameters.unknown(pmid);
    }
    if (metric.inDom() == InDom.NULL) {
      throw Parameters.bad("the metric has no instances");
    }
    InstanceDomain domain = view.instances(metric.inDom());
    Numbers found = new Numbers();
    if (domain != null) {
      view.read(metric, InstanceFilter.ALL, found);
    }
    json.writeStartObject();
    json.writeNumberField("epoch", catalog.changes().epoch());
    json.writeNumberField("version", catalog.changes().version());
    json.writeStringField("pmid", Pmid.toString(pmid));
    json.writeNumberField("total", found.count);
    json.writeArrayFieldStart("instances");
    int end = (int) Math.min(found.count, (long) offset + limit);
    for (int i = offset; i < end; i++) {
      int instance = found.taken[i - offset];
      int index = domain.indexOf(instance);
      json.writeStartObject();
      json.writeNumberField("instance", Integer.toUnsignedLong(instance));
      json.writeStringField("name", index < 0 ? "" : text(domain.name(index)));
      json.writeEndObject();
    }
    json.writeEndArray();
    if (end < found.count) {
      json.writeNumberField("next", end);
    }
    json.writeEndObject();
    return false;
  }
}
