package org.jmmv.core;

import java.util.List;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.InstanceTable;
import org.jmmv.pcp.Labels;

/** An instance domain. */
public abstract class InstanceDomain {
  /** Returns the current instances. */
  public abstract InstanceTable table();

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
    return table().numbers();
  }

  /**
   * Returns an object that is replaced when the instances change, by which a cache sees that it is
   * out of date. To keep it does not keep the instances.
   */
  public Object identity() {
    return table().identity();
  }

  /**
   * Returns the number of an instance.
   *
   * @param index 0 to {@link #size} - 1
   */
  public int number(int index) {
    return table().number(index);
  }

  /**
   * Returns the name of an instance, one char per byte.
   *
   * @param index 0 to {@link #size} - 1
   */
  public String name(int index) {
    return table().name(index);
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
