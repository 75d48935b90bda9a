package org.jmmv.pmda;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.LabelType;
import org.jmmv.reader.Labels;
import org.jmmv.reader.MmvLabel;

/**
 * The labels of clusters, items, instance domains and instances, merged over all files that have
 * some; the later file, and in a file the later record, wins.
 */
final class LabelIndex {
  /**
   * What is labelled.
   *
   * @param type one of the bits of {@link LabelType}
   * @param ident the cluster, cluster and item, or the instance domain's serial
   * @param instance the instance's number, 0 if it is none that is labelled
   */
  private record Key(int type, int ident, int instance) {}

  private static final int[] TYPES = {
    LabelType.CLUSTER, LabelType.ITEM, LabelType.INDOM, LabelType.INSTANCES
  };

  private record Part(Source source, int index, Labels labels) implements Parts.Part {}

  private static final class Merged {
    final Parts<Part> parts = new Parts<>();
    Labels labels;
  }

  private final Map<Key, Merged> index = new HashMap<>();

  void add(Source source) {
    List<MmvLabel> records = source.schema().labels();
    for (int i = 0; i < records.size(); i++) {
      for (int type : TYPES) {
        Key key = key(source, records.get(i), type);
        if (key != null) {
          Merged merged = index.computeIfAbsent(key, _ -> new Merged());
          merged.parts.add(new Part(source, i, records.get(i).labels()));
          merged.labels = null;
        }
      }
    }
  }

  void remove(Source source) {
    for (MmvLabel label : source.schema().labels()) {
      for (int type : TYPES) {
        Key key = key(source, label, type);
        Merged merged = key == null ? null : index.get(key);
        if (merged != null) {
          merged.parts.remove(source);
          merged.labels = null;
          if (merged.parts.isEmpty()) {
            index.remove(key);
          }
        }
      }
    }
  }

  private static Key key(Source source, MmvLabel label, int type) {
    if ((label.flags() & type) == 0) {
      return null;
    }
    int identity = label.identity();
    return switch (type) {
      case LabelType.CLUSTER ->
          identity == 0 || identity == source.cluster ? new Key(type, source.cluster, 0) : null;
      case LabelType.ITEM -> new Key(type, source.cluster << 10 | (identity & 0x3ff), 0);
      case LabelType.INDOM -> new Key(type, Catalog.serial(source.cluster, identity), 0);
      case LabelType.INSTANCES ->
          new Key(type, Catalog.serial(source.cluster, identity), label.instance());
      default -> null;
    };
  }

  /** The labels of a cluster, or null. */
  Labels ofCluster(int cluster) {
    return labels(new Key(LabelType.CLUSTER, cluster, 0));
  }

  /** The labels of an item of a cluster, or null. */
  Labels ofItem(int cluster, int item) {
    return labels(new Key(LabelType.ITEM, cluster << 10 | item, 0));
  }

  /** The labels of an instance domain, or null. */
  Labels ofInDom(int inDom) {
    return labels(new Key(LabelType.INDOM, InDom.serial(inDom), 0));
  }

  /** The labels of an instance, or null. */
  Labels ofInstance(int inDom, int instance) {
    return labels(new Key(LabelType.INSTANCES, InDom.serial(inDom), instance));
  }

  private Labels labels(Key key) {
    Merged merged = index.get(key);
    if (merged == null) {
      return null;
    }
    if (merged.labels == null) {
      for (Part part : merged.parts) {
        merged.labels = merged.labels == null ? part.labels : merged.labels.merge(part.labels);
      }
    }
    return merged.labels;
  }
}
