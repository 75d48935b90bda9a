package org.jmmv.writer;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;

/** The metrics and instance domains of an application. Only additions use the maps. */
final class Metrics {
  private final Registry registry;
  private final NavigableMap<String, Metric<?>> metrics = new TreeMap<>();
  private final Map<String, InDom> inDoms = new HashMap<>();

  Metrics(Registry registry) {
    this.registry = registry;
  }

  Registry registry() {
    return registry;
  }

  InDom addInDom(InDomDescription described) {
    InDom added =
        registry.add(
            "the instance domain " + described.name,
            () -> {
              InDom known = inDoms.get(described.name);
              return known == null ? newInDom(described) : known;
            });
    return added == null ? new InDom(registry, null) : added;
  }

  private InDom newInDom(InDomDescription described) throws IOException {
    int serial = described.serial;
    if (serial == 0) {
      serial = registry.numbers().of(Numbers.SERIAL, described.name, MmvImage.MAX_SERIAL);
    } else {
      registry.numbers().take(Numbers.SERIAL, described.name, serial);
    }
    InDom added =
        new InDom(registry, registry.image().addInDom(serial, described.oneLine, described.text));
    inDoms.put(described.name, added);
    addLabels(described.labels, Labels.IN_DOM, serial);
    return added;
  }

  <V extends MetricValue> Instances<V> addMetric(
      MetricDescription described, InDom inDom, Class<V> kind, Function<Place, V> make) {
    Instances<V> added =
        registry.add(
            "the metric " + described.name,
            () -> {
              Metric<?> known = metrics.get(described.name);
              return known == null
                  ? newMetric(described, inDom, kind, make)
                  : known.values(described, inDom, kind);
            });
    Type type = described.type;
    return added == null ? new Instances<>(instance -> make.apply(registry.nowhere(type))) : added;
  }

  /** Checks that no metric has a name which is the first part of the name of another. */
  private void checkNode(String name) {
    String inner = metrics.ceilingKey(name + ".");
    String other = inner != null && inner.startsWith(name + ".") ? inner : null;
    for (int dot = name.indexOf('.'); dot >= 0 && other == null; dot = name.indexOf('.', dot + 1)) {
      other = metrics.containsKey(name.substring(0, dot)) ? name.substring(0, dot) : null;
    }
    if (other != null) {
      throw new IllegalArgumentException(
          "there can't be a metric %s beside %s: one name continues the other"
              .formatted(name, other));
    }
  }

  private <V extends MetricValue> Instances<V> newMetric(
      MetricDescription described, InDom inDom, Class<V> kind, Function<Place, V> make)
      throws IOException {
    String name = described.name;
    checkNode(name);
    int item = described.item;
    if (item < 0) {
      item = registry.numbers().of(Numbers.ITEM, name, MmvImage.MAX_ITEM);
    } else {
      registry.numbers().take(Numbers.ITEM, name, item);
    }
    int serial = inDom == null ? 0 : inDom.serial();
    int index = registry.image().addMetric(described, item, serial);
    addLabels(described.labels, Labels.ITEM, item);
    Metric<V> metric = new Metric<>(registry, described, inDom, index, kind, make);
    metrics.put(name, metric);
    if (inDom == null) {
      var unused = metric.values().of("");
    }
    return metric.values();
  }

  private void addLabels(Map<String, byte[]> labels, int type, int identity) {
    labels.forEach(
        (name, json) -> registry.addLabel(name, type, identity, Labels.NO_INSTANCE, json));
  }
}
