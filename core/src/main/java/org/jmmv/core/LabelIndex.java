package org.jmmv.core;

import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.Pmid;
import org.jmmv.reader.MmvLabel;
import org.jmmv.reader.MmvSchema;

/**
 * The labels of clusters, items, instance domains and instances, merged over all files. If several
 * records give the same label a value, the last record counts: files in byte order of their names,
 * records in the order of their file.
 */
final class LabelIndex {
  /**
   * The object that a label belongs to.
   *
   * @param type one of {@link LabelType}
   * @param ident for clusters the cluster; for items a PMID with domain 0; otherwise the serial of
   *     the instance domain
   * @param instance the instance number; 0 if the object is not an instance
   */
  private record Key(int type, int ident, int instance) {}

  /**
   * Keys are kept in a tree, because applications choose the numbers: a file could contain keys
   * that all collide in a hash table.
   */
  private static final Comparator<Key> ORDER =
      Comparator.comparingInt(Key::ident)
          .thenComparingInt(Key::instance)
          .thenComparingInt(Key::type);

  /**
   * The maximum number of labels that are merged for an object, of which it can have 254. That is
   * one step, of 15 ms; files of one cluster could have a million labels, which take 290 ms.
   */
  private static final int MAX_MERGED = 50_000;

  private static final int[] TYPES = {
    LabelType.CLUSTER, LabelType.ITEM, LabelType.INDOM, LabelType.INSTANCES
  };

  private record LabelRecord(ServedFile file, int index, Labels labels) implements FileRecord {}

  private static final class Merged {
    final FileRecords<LabelRecord> records = new FileRecords<>();
    Labels labels; // null: not merged yet
  }

  private final NavigableMap<Key, Merged> index = new TreeMap<>(ORDER);
  private final boolean isRelaxed;

  /**
   * Creates an empty index.
   *
   * @param isRelaxed whether records are served that only PCP 7.2 and later serve
   */
  LabelIndex(boolean isRelaxed) {
    this.isRelaxed = isRelaxed;
  }

  /** Returns the records of a file that are left out because of the version of PCP. */
  long leftOut(MmvSchema schema) {
    return isRelaxed ? 0 : schema.labels().stream().filter(MmvLabel::isRelaxed).count();
  }

  void add(ServedFile file) {
    forEach(
        file,
        (key, record) -> {
          Merged merged = index.computeIfAbsent(key, _ -> new Merged());
          merged.records.add(record);
          merged.labels = null;
        });
  }

  void remove(ServedFile file) {
    forEach(
        file,
        (key, record) -> {
          Merged merged = index.get(key);
          merged.records.remove(record);
          merged.labels = null;
          if (merged.records.isEmpty()) {
            index.remove(key);
          }
        });
  }

  /** Goes through the records of a file, and through the objects that each one labels. */
  private void forEach(ServedFile file, BiConsumer<Key, LabelRecord> action) {
    int i = 0;
    for (MmvLabel label : file.schema().labels()) {
      LabelRecord record = new LabelRecord(file, i++, label.labels());
      for (int type : TYPES) {
        if (isAbout(type, label, file)) {
          action.accept(key(type, label, file), record);
        }
      }
    }
  }

  /**
   * Returns whether a record labels an object of a type, and is served. A cluster label applies
   * only to the file's own cluster, for which the record has identity 0 or that cluster. A number
   * that is too large is that of no item and no instance domain.
   */
  private boolean isAbout(int type, MmvLabel label, ServedFile file) {
    int identity = label.identity();
    return (label.flags() & type) != 0
        && (isRelaxed || !label.isRelaxed())
        && switch (type) {
          case LabelType.CLUSTER -> identity == 0 || identity == file.cluster;
          case LabelType.ITEM -> identity >= 0 && identity <= Pmid.MAX_ITEM;
          default -> InDom.isSerial(identity);
        };
  }

  private static Key key(int type, MmvLabel label, ServedFile file) {
    return switch (type) {
      case LabelType.CLUSTER -> new Key(type, file.cluster, 0);
      case LabelType.ITEM -> new Key(type, Pmid.build(0, file.cluster, label.identity()), 0);
      case LabelType.INDOM -> new Key(type, file.serialOf(label.identity()), 0);
      default -> new Key(type, file.serialOf(label.identity()), label.instance());
    };
  }

  /**
   * Returns whether any instance has labels.
   *
   * @param inDom the instance domain
   */
  boolean areOfInstances(int inDom) {
    int serial = InDom.serial(inDom);
    for (Key key : index.tailMap(new Key(0, serial, Integer.MIN_VALUE)).keySet()) {
      if (key.ident != serial || key.type == LabelType.INSTANCES) {
        return key.ident == serial;
      } // otherwise the key of something else with this number, one of each type
    }
    return false;
  }

  /**
   * Returns the labels of an object, or null if it has none.
   *
   * @param type {@link LabelType#CLUSTER}, {@code ITEM}, {@code INDOM} or {@code INSTANCES}
   * @param ident a PMID or an instance domain; its domain is ignored
   * @param instance the instance number, for labels of instances
   */
  Labels of(int type, int ident, int instance) {
    Merged merged =
        index.get(
            switch (type) {
              case LabelType.CLUSTER -> new Key(type, Pmid.cluster(ident), 0);
              case LabelType.ITEM ->
                  new Key(type, Pmid.build(0, Pmid.cluster(ident), Pmid.item(ident)), 0);
              case LabelType.INDOM -> new Key(type, InDom.serial(ident), 0);
              default -> new Key(type, InDom.serial(ident), instance);
            });
    if (merged == null) {
      return null;
    }
    if (merged.labels == null) {
      merged.labels = Labels.merge(last(merged.records));
    }
    return merged.labels;
  }

  /** Returns the last sets of labels, together at most {@link #MAX_MERGED} labels. */
  private static List<Labels> last(FileRecords<LabelRecord> records) {
    List<Labels> all = records.stream().map(LabelRecord::labels).toList();
    int from = all.size();
    int count = 0;
    while (from > 0 && count + all.get(from - 1).entries().size() <= MAX_MERGED) {
      count += all.get(--from).entries().size();
    }
    return all.subList(from, all.size());
  }
}
