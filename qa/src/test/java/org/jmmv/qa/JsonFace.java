package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.nio.file.Path;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogOptions;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.pcp.ValueSink;
import org.jmmv.pcp.ValueType;

/** An example of a face: all values of a directory as JSON, with their labels. */
final class JsonFace {
  static String print(Path directory) {
    ObjectNode metrics = new ObjectMapper().createObjectNode();
    try (Catalog catalog = new Catalog(new CatalogOptions(directory))) {
      catalog.load();
      View view = catalog.begin(new Scope.AllFiles());
      for (String name : view.names().leaves("mmv")) {
        Metric metric = view.metric(name);
        Values values = new Values(view, metric, metrics.putArray(name));
        view.read(metric, InstanceFilter.ALL, Turn.ENDLESS, values);
      }
    }
    return metrics.toString();
  }

  private record Values(View view, Metric metric, ArrayNode values) implements ValueSink {
    @Override
    public int numbers(int type, int[] instances, long[] bits, int count) {
      for (int i = 0; i < count; i++) {
        add(instances[i], ValueType.decimal(type, bits[i]));
      }
      return count;
    }

    @Override
    public boolean text(int instance, byte[] bytes, int offset, int length) {
      add(instance, new String(bytes, offset, length, UTF_8));
      return true;
    }

    private void add(int instance, String text) {
      ObjectNode value = values.addObject().put("instance", instance).put("value", text);
      ObjectNode labels = value.putObject("labels");
      view.labels(metric, instance).forEach((l, json) -> labels.putRawValue(l, new RawValue(json)));
    }

    @Override
    public void clear() {
      values.removeAll();
    }
  }
}
