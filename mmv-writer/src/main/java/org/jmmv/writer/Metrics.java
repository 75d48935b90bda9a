package org.jmmv.writer;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The metrics and instance domains of an application. Only additions use the maps. Those without
 * room are kept, too, but not without end: as many as there may be with room.
 */
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

  /** Closes the file, and has no section of a timer go on in it. */
  void close() {
    registry.add(() -> {
      registry.close();
      metrics.values().forEach(metric -> metric.values().close());
      return this;
    });
  }

  InDom addInDom(InDomDescription described) {
    return registry.add(() -> {
      InDom known = inDoms.get(described.name);
      return known == null ? newInDom(described) : known;
    });
  }

  private InDom newInDom(InDomDescription described) {
    InDom added =
        new InDom(
            registry,
            registry.tryToAdd(
                "the instance domain " + described.name, () -> inDomRecord(described)));
    if (added.hasRoom() || inDoms.size() < MmvLayout.MAX_METRICS) {
      inDoms.put(described.name, added);
    }
    return added;
  }

  private MmvImage.InDomRecord inDomRecord(InDomDescription described) throws IOException {
    registry.image().checkInDoms();
    int serial = described.serial;
    if (serial == 0) {
      serial = registry.numbers().of(Numbers.SERIAL, described.name, MmvLayout.MAX_SERIAL);
    } else {
      registry.numbers().take(Numbers.SERIAL, described.name, serial);
    }
    MmvImage.InDomRecord added =
        registry.image().addInDom(serial, described.oneLine, described.text);
    addLabels(described.labels, MmvLayout.OF_IN_DOM, serial);
    return added;
  }

  <V extends MetricValue> Instances<V> addMetric(
      MetricDescription described, InDom inDom, ValueKind<V> kind) {
    return registry.add(() -> {
      Metric<?> known = metrics.get(described.name);
      return known == null
          ? newMetric(described, inDom, kind)
          : known.values(described, inDom, kind);
    });
  }

  private <V extends MetricValue> Instances<V> newMetric(
      MetricDescription described, InDom inDom, ValueKind<V> kind) {
    checkNode(described.name);
    Integer index =
        registry.tryToAdd("the metric " + described.name, () -> metricRecord(described, inDom));
    Metric<V> metric = new Metric<>(registry, described, inDom, index, kind);
    boolean isInDomKept = inDom == null || inDoms.containsValue(inDom);
    if (index != null || (isInDomKept && metrics.size() < MmvLayout.MAX_METRICS)) {
      metrics.put(described.name, metric);
    }
    if (inDom == null) {
      var unused = metric.values().of("");
    }
    return metric.values();
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

  private Integer metricRecord(MetricDescription described, InDom inDom) throws IOException {
    registry.image().checkMetrics();
    int serial = inDom == null ? 0 : inDom.serial();
    int item = described.item;
    if (item < 0) {
      item = registry.numbers().of(Numbers.ITEM, described.name, MmvLayout.MAX_ITEM);
    } else {
      registry.numbers().take(Numbers.ITEM, described.name, item);
    }
    int index = registry.image().addMetric(described, item, serial);
    addLabels(described.labels, MmvLayout.OF_ITEM, item);
    return index;
  }

  private void addLabels(Map<String, byte[]> labels, int type, int identity) {
    labels.forEach(
        (name, json) -> registry.addLabel(name, type, identity, MmvLayout.NO_INSTANCE, json));
  }
}
