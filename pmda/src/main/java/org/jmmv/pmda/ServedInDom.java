package org.jmmv.pmda;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jmmv.pcp.Instance;
import org.jmmv.reader.MmvInDom;

/** An instance domain, as the files that have it make it up together. */
final class ServedInDom {
  /** One file's share; several serials of a file can come to the same instance domain. */
  record Part(Source source, int index, MmvInDom inDom) implements Parts.Part {}

  /**
   * The instances of all files, in the order of the files; a number that several files have keeps
   * its first name. Never changed: a new set of files makes a new one.
   */
  static final class Table {
    final int[] numbers;
    final String[] names;
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

    /** The index of an instance number, or -1. */
    int indexOf(int number) {
      Integer index = byNumber.get(number);
      return index == null ? -1 : index;
    }

    /** The index of the first instance of this name, or whose first word it is, or -1. */
    int indexOf(String name) {
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

  private final Parts<Part> parts = new Parts<>();
  private Table table;

  void add(Part part) {
    parts.add(part);
    table = null;
  }

  void remove(Source source) {
    parts.remove(source);
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

  /** The first file's text, or null if no file has one. */
  String help(Function<MmvInDom, String> text) {
    for (Part part : parts) {
      String help = text.apply(part.inDom);
      if (help != null) {
        return help;
      }
    }
    return null;
  }
}
