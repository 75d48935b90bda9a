package org.jmmv.core;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.IntMap;
import org.jmmv.pcp.Labels;

/** An instance domain. */
public abstract class InstanceDomain {
  /**
   * The instances. If a number occurs more than once, its first name counts. Immutable: a new table
   * is created when the instances change.
   */
  static final class Table {
    private final Object identity = new Object();
    final int[] numbers;
    private final String[] names;
    private final IntMap byNumber = new IntMap(); // indexes
    private Map<String, Integer> byName;

    Table(Iterable<Instance> instances) {
      List<Instance> all = new ArrayList<>();
      for (Instance instance : instances) {
        if (byNumber.add(instance.number(), all.size())) {
          all.add(instance);
        }
      }
      numbers = all.stream().mapToInt(Instance::number).toArray();
      names = all.stream().map(Instance::name).toArray(String[]::new);
    }

    int size() {
      return numbers.length;
    }

    List<Instance> list() {
      return new InstanceList(numbers, names);
    }

    /** Returns the index of a number, or {@link IntMap#NONE}. */
    int indexOf(int number) {
      return byNumber.get(number);
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

  /** The instances of a table, without what it finds them by. */
  private static final class InstanceList extends AbstractList<Instance> {
    private final int[] numbers;
    private final String[] names;

    InstanceList(int[] numbers, String[] names) {
      this.numbers = numbers;
      this.names = names;
    }

    @Override
    public Instance get(int index) {
      return new Instance(numbers[index], names[index]);
    }

    @Override
    public int size() {
      return numbers.length;
    }
  }

  /** Returns the current instances. */
  abstract Table table();

  /** Returns the number of instances. */
  public int size() {
    return table().size();
  }

  /**
   * Returns all instances, in their order. The list does not change, and may be used after the
   * view's end: it keeps no more than numbers and names.
   */
  public List<Instance> list() {
    return table().list();
  }

  /** Returns the numbers of all instances, in their order; a copy. */
  public int[] numbers() {
    return table().numbers.clone();
  }

  /**
   * Returns an object that is replaced when the instances change, by which a cache sees that it is
   * out of date. To keep it does not keep the instances.
   */
  public Object identity() {
    return table().identity;
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

  /** Returns whether any instance can have labels: only those of files. */
  public boolean hasLabels() {
    return false;
  }

  /**
   * Returns the labels of an instance, or null if it has none. Unlike other methods, this one may
   * also be called after the view's end, and returns the labels that the instance then has.
   *
   * @param number the instance number
   */
  public Labels labels(int number) {
    return null;
  }

  /** Returns one line of help, or null if there is none. */
  public abstract String oneLine();

  /** Returns the help text, or null if there is none. */
  public abstract String help();
}
