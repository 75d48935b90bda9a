package org.jmmv.web.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.jmmv.core.Catalog;
import org.jmmv.core.InstanceDomain;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.View;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.ValueSink;
import org.jmmv.web.http.Failure;

/**
 * The instances of a metric that have a value now, in the order of the instance domain: {@code
 * instances}. Many metrics may share a large instance domain and have few values.
 *
 * @param offset the position of the first instance
 * @param limit the maximum number of instances
 */
record InstancesJson(Catalog catalog, int pmid, int offset, int limit) {
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

  /** Writes the members of the document. */
  void write(JsonGenerator json) throws IOException, Failure {
    View view = catalog.begin(new Scope.OfMetric(pmid));
    Metric metric = Parameters.known(pmid, view);
    if (metric.inDom() == InDom.NULL) {
      throw Failure.badRequest("the metric has no instances");
    }
    InstanceDomain domain = view.instances(metric.inDom());
    Numbers found = new Numbers();
    if (domain != null) {
      view.read(metric, InstanceFilter.ALL, found);
    }
    MetricJson.writeVersion(catalog, json);
    json.writeStringField("pmid", Pmid.toString(pmid));
    json.writeNumberField("total", found.count);
    json.writeArrayFieldStart("instances");
    int end = (int) Math.min(found.count, (long) offset + limit);
    for (int i = offset; i < end; i++) {
      int instance = found.taken[i - offset];
      int index = domain.table().indexOf(instance);
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
}
