package org.jmmv.core.derived;

import org.jmmv.core.KeptValues;
import org.jmmv.pcp.IntMap;

/** Finds values by their instances, without a map as long as these come in the expected order. */
final class InstanceIndex {
  private final KeptValues values;
  private IntMap indexes; // null: not needed yet

  InstanceIndex(KeptValues values) {
    this.values = values;
  }

  /**
   * Returns the index of the value of an instance, or a negative number if it has none.
   *
   * @param expected the index where it is expected
   */
  int find(int instance, int expected) {
    if (expected < values.count() && values.instance(expected) == instance) {
      return expected;
    }
    if (indexes == null) {
      indexes = new IntMap();
      for (int i = 0; i < values.count(); i++) {
        indexes.add(values.instance(i), i);
      }
    }
    return indexes.get(instance);
  }
}
