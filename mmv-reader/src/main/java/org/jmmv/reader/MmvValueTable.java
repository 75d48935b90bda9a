package org.jmmv.reader;

/** Where the values of a metric are, and which instances they belong to. Equal only to itself. */
public final class MmvValueTable {
  static final MmvValueTable EMPTY = new MmvValueTable(new int[0], new int[0]);

  private final int[] instances;
  private final int[] indexes;

  /** Keeps the arrays, which must not change any more. */
  MmvValueTable(int[] instances, int[] indexes) {
    this.instances = instances;
    this.indexes = indexes;
  }

  int count() {
    return indexes.length;
  }

  int instance(int i) {
    return instances[i];
  }

  int index(int i) {
    return indexes[i];
  }
}
