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

/** An instance domain, which several files may make up together. */
public final class InstanceDomain {
  /** One file's share; several serials of a file may fold into the same instance domain. */
  record Part(ServedFile file, int index, MmvInDom inDom) implements Parts.Part {}

  /**
   * The instances of all files, in the order of the files; a number that several files have keeps
   * its first name. Immutable: another set of files makes another table.
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

  void remove(ServedFile file) {
    parts.remove(file);
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

  /** The number of instances. */
  public int size() {
    return table().size();
  }

  /** The number of the instance at an index from 0 to {@link #size} - 1. */
  public int number(int index) {
    return table().numbers[index];
  }

  /** The name of the instance at an index from 0 to {@link #size} - 1. */
  public String name(int index) {
    return table().names[index];
  }

  /** The index of an instance number, or -1. */
  public int indexOf(int number) {
    return table().indexOf(number);
  }

  /** The index of the first instance of this name, or whose name up to a space it is, or -1. */
  public int indexOf(String name) {
    return table().indexOf(name);
  }

  /** The labels of an instance, or null if it has none. */
  public Labels labels(int number) {
    return labels.of(LabelType.INSTANCES, id, number);
  }

  /** One line of help, from the first file that has one, or null. */
  public String oneLine() {
    return firstText(MmvInDom::shortHelp);
  }

  /** The help text of the first file that has one, or null. */
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
