package org.jmmv.pcp;

import java.nio.IntBuffer;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.RandomAccess;

/**
 * The instances of an instance domain in their order, each number once. Immutable, and compared by
 * identity: there is another table when the instances have changed. An instance takes up to 30
 * bytes, its name not included.
 */
public final class InstanceTable implements Iterable<Instance> {
  private final Object identity = new Object();
  private final int[] numbers;
  private final String[] names;
  private final IntMap indexes; // by number

  private InstanceTable(int[] numbers, String[] names, IntMap indexes) {
    this.numbers = numbers;
    this.names = names;
    this.indexes = indexes;
  }

  /** Makes a table, an instance at a time. */
  public static final class Builder {
    private int[] numbers = {};
    private String[] names = {};
    private final IntMap indexes = new IntMap();
    private int size;

    /** Creates a builder without instances. */
    public Builder() {}

    /**
     * Adds an instance behind the others, unless there is one with its number.
     *
     * @param name one char per byte
     * @return whether it was added
     */
    public boolean add(int number, String name) {
      if (!indexes.add(number, size)) {
        return false;
      }
      if (size == numbers.length) {
        resize(Math.max(8, 2 * size));
      }
      numbers[size] = number;
      names[size++] = name;
      return true;
    }

    private void resize(int capacity) {
      numbers = Arrays.copyOf(numbers, capacity);
      names = Arrays.copyOf(names, capacity);
    }

    /** Returns the table. Nothing can be added after that. */
    public InstanceTable build() {
      resize(size);
      return new InstanceTable(numbers, names, indexes);
    }
  }

  /** Returns a table of some instances. Of those with the same number, the first one counts. */
  public static InstanceTable of(Iterable<Instance> instances) {
    Builder table = new Builder();
    instances.forEach(instance -> table.add(instance.number(), instance.name()));
    return table.build();
  }

  /** Returns the number of instances. */
  public int size() {
    return numbers.length;
  }

  /**
   * Returns the number of an instance.
   *
   * @param index 0 to {@link #size} - 1
   */
  public int number(int index) {
    return numbers[index];
  }

  /**
   * Returns the name of an instance, one char per byte.
   *
   * @param index 0 to {@link #size} - 1
   */
  public String name(int index) {
    return names[index];
  }

  /** Returns the numbers of all instances, in their order, without keeping their names. */
  public IntBuffer numbers() {
    return IntBuffer.wrap(numbers).asReadOnlyBuffer();
  }

  /** Copies the numbers of the instances from an index on. */
  public void copyNumbers(int from, int count, int[] to) {
    System.arraycopy(numbers, from, to, 0, count);
  }

  /** Returns the index of an instance number, or -1 if there is no such instance. */
  public int indexOf(int number) {
    return indexes.get(number);
  }

  /**
   * Returns the index of an instance name, or -1 if there is no such instance. The part of a name
   * before its first space identifies the instance, too; if several instances match, the first one
   * counts. The time grows linearly with the number of instances: clients rarely ask for a name,
   * and an index would take more memory than all the rest.
   */
  public int indexOf(String name) {
    for (int i = 0; i < names.length; i++) {
      if (identifies(name, names[i])) {
        return i;
      }
    }
    return -1;
  }

  private static boolean identifies(String given, String name) {
    int length = given.length();
    return name.startsWith(given)
        && (name.length() == length || (name.charAt(length) == ' ' && given.indexOf(' ') < 0));
  }

  /** Returns the instances as a list, which does not keep what numbers are found by. */
  public List<Instance> list() {
    return new InstanceList(numbers, names);
  }

  @Override
  public Iterator<Instance> iterator() {
    return list().iterator();
  }

  /**
   * Returns an object that is another one for each table. A cache that keeps it sees that it is out
   * of date, and does not keep the instances.
   */
  public Object identity() {
    return identity;
  }

  @Override
  public String toString() {
    return list().toString();
  }

  private static final class InstanceList extends AbstractList<Instance> implements RandomAccess {
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
}
