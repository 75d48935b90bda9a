package org.jmmv.core;

import java.util.function.Supplier;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.KeyedHash;

/**
 * A hash map with {@code int} keys (PMIDs, instance domains, instance numbers). A look-up allocates
 * nothing.
 *
 * <p>It uses open addressing with linear probing.
 */
final class IdMap<V> {
  private int[] keys = new int[8]; // length: a power of two; at most half full
  private Object[] values = new Object[keys.length]; // null: the slot is free
  private int size;

  /** Returns the index of a number's slot, or of the free slot where it would be inserted. */
  private int slot(int id) {
    int mask = keys.length - 1;
    int slot = KeyedHash.of(id) & mask;
    while (values[slot] != null && keys[slot] != id) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /** Returns the value of a number, or null if there is none. */
  @SuppressWarnings("unchecked") // put accepts only values of type V
  V get(int id) {
    return (V) values[slot(id)];
  }

  /** Returns the value of a number. If there is none, it is created and inserted. */
  V get(int id, Supplier<V> missing) {
    V value = get(id);
    if (value == null) {
      value = missing.get();
      put(id, value);
    }
    return value;
  }

  void put(int id, V value) {
    int slot = slot(id);
    if (values[slot] == null) {
      if (2 * (size + 1) > keys.length) {
        grow();
        slot = slot(id);
      }
      size++;
    }
    keys[slot] = id;
    values[slot] = value;
  }

  private void grow() {
    int[] oldKeys = keys;
    Object[] oldValues = values;
    keys = new int[2 * oldKeys.length];
    values = new Object[keys.length];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldValues[i] != null) {
        int slot = slot(oldKeys[i]);
        keys[slot] = oldKeys[i];
        values[slot] = oldValues[i];
      }
    }
  }

  void remove(int id) {
    int free = slot(id);
    if (values[free] == null) {
      return;
    }
    values[free] = null;
    size--;
    // close the gap: otherwise probing for the entries after it would stop here
    int mask = keys.length - 1;
    for (int i = (free + 1) & mask; values[i] != null; i = (i + 1) & mask) {
      int home = KeyedHash.of(keys[i]) & mask;
      if (((i - home) & mask) >= ((i - free) & mask)) {
        keys[free] = keys[i];
        values[free] = values[i];
        values[i] = null;
        free = i;
      }
    }
  }

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  /** Returns what the map takes in the heap without its values, in bytes. */
  long bytes() {
    return HeapSize.ofObject(2, Integer.BYTES)
        + HeapSize.ofInts(keys.length)
        + HeapSize.ofReferences(values.length);
  }
}
