package org.jmmv.reader;

/**
 * The locations of a metric's values in the VALUES section, and their instance numbers. Compared by
 * identity.
 */
final class MmvValueTable {
  static final MmvValueTable EMPTY = new MmvValueTable(new int[0], new int[0]);

  private final int[] instances;
  private final int[] indexes;

  /**
   * Creates a table that keeps the arrays; the caller must not change them any more.
   *
   * @param instances the instance numbers
   * @param indexes the indexes in the VALUES section
   */
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
