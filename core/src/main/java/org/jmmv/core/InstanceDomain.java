package org.jmmv.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelType;
import org.jmmv.reader.Labels;
import org.jmmv.reader.MmvInDom;

/**
 * An instance domain. Files that share a cluster may contribute instances to the same instance
 * domain.
 */
public final class InstanceDomain {
  /** The contribution of one file. */
  record Part(ServedFile file, int index, MmvInDom inDom) implements Parts.Part {}

  /**
   * The instances of all files, in byte order of the files' names. If several files define the same
   * instance number, the first name counts. Immutable: a new table is created when a file is added
   * or removed.
   */
  static final class Table {
    final int[] numbers;
    private final String[] names;
    private final IdMap<Integer> byNumber = new IdMap<>();
    private Map<String, Integer> byName;

    private Table(Parts<Part> parts) {
      List<Instance> all = new ArrayList<>();
      for (Part part : parts) {
        for (Instance instance : part.inDom.instances()) {
          if (byNumber.get(instance.number()) == null) {
            byNumber.put(instance.number(), all.size());
            all.add(instance);
          }
        }
      }
      numbers = all.stream().mapToInt(Instance::number).toArray();
      names = all.stream().map(Instance::name).toArray(String[]::new);
    }

    int size() {
      return numbers.length;
    }

    int indexOf(int number) {
      Integer index = byNumber.get(number);
      return index == null ? -1 : index;
    }

    private int indexOf(String name) {
      if (byName == null) {
        byName = HashMap.newHashMap(names.length);
        for (int i = 0; i < names.length; i++) {
          byName.putIfAbsent(names[i], i);
          int space = names[i].indexOf(' ');
          if (space >= 0) {
            byName.putIfAbsent(names[i].substring(0, space), i);
          }
        }
      }
      return byName.getOrDefault(name, -1);
    }
  }

  private final int id;
  private final LabelIndex labels;
  private final Parts<Part> parts = new Parts<>();
  private Table table;

  InstanceDomain(int id, LabelIndex labels) {
    this.id = id;
    this.labels = labels;
  }

  void add(Part part) {
    parts.add(part);
    table = null;
  }

  void remove(Part part) {
    parts.remove(part);
    table = null;
  }

  Parts<Part> parts() {
    return parts;
  }

  Table table() {
    if (table == null) {
      table = new Table(parts);
    }
    return table;
  }

  /** Returns the number of instances. */
  public int size() {
    return table().size();
  }

  /**
   * Returns the number of an instance.
   *
   * @param index 0 to {@link #size} - 1
   */
  public int number(int index) {
    return table().numbers[index];
  }

  /**
   * Returns the name of an instance, one char per byte.
   *
   * @param index 0 to {@link #size} - 1
   */
  public String name(int index) {
    return table().names[index];
  }

  /** Returns the index of an instance number, or -1 if there is no such instance. */
  public int indexOf(int number) {
    return table().indexOf(number);
  }

  /**
   * Returns the index of an instance name, or -1 if there is no such instance. The part of a name
   * before its first space identifies the instance as well; if several instances match, the first
   * one counts.
   */
  public int indexOf(String name) {
    return table().indexOf(name);
  }

  /**
   * Returns the labels of an instance, or null if it has none.
   *
   * @param number the instance number
   */
  public Labels labels(int number) {
    return labels.of(LabelType.INSTANCES, id, number);
  }

  /** Returns one line of help from the first file that has one, or null. */
  public String oneLine() {
    return firstText(MmvInDom::shortHelp);
  }

  /** Returns the help text of the first file that has one, or null. */
  public String help() {
    return firstText(MmvInDom::longHelp);
  }

  private String firstText(Function<MmvInDom, String> text) {
    for (Part part : parts) {
      String found = text.apply(part.inDom);
      if (found != null) {
        return found;
      }
    }
    return null;
  }
}
