package org.jmmv.core;

import java.util.function.Supplier;

/**
 * A map by PMID, InDom or instance number that allocates nothing when it is asked.
 *
 * <p>Open addressing with linear probing. Applications choose these numbers, so the place of a key
 * depends on a secret of the process: nobody can choose keys that meet in one place.
 */
final class IdMap<V> {
  private static final int SECRET = Long.hashCode(System.nanoTime() * 0x9e3779b97f4a7c15L);
  private static final int MIN_CAPACITY = 8;

  private int[] keys = new int[MIN_CAPACITY]; // a power of two, at most half full
  private Object[] values = new Object[MIN_CAPACITY]; // null: no key here
  private int size;

  /** Mixes a number with the secret. Each step can be undone: different numbers stay different. */
  private static int mix(int id) {
    int mixed = (id ^ SECRET) * 0x85ebca6b;
    mixed = (mixed ^ mixed >>> 15) * 0xc2b2ae35;
    return mixed ^ mixed >>> 16;
  }

  /** The place of a number: where it is, or the free one where it would be. */
  private int place(int id) {
    int mask = keys.length - 1;
    int place = mix(id) & mask;
    while (values[place] != null && keys[place] != id) {
      place = (place + 1) & mask;
    }
    return place;
  }

  /** The value of a number, or null. */
  @SuppressWarnings("unchecked") // put takes nothing but a V
  V get(int id) {
    return (V) values[place(id)];
  }

  /** The value of a number; if there is none, a new one from now on. */
  V get(int id, Supplier<V> missing) {
    V value = get(id);
    if (value == null) {
      value = missing.get();
      put(id, value);
    }
    return value;
  }

  void put(int id, V value) {
    int place = place(id);
    if (values[place] == null) {
      if (2 * (size + 1) > keys.length) {
        grow();
        place = place(id);
      }
      size++;
    }
    keys[place] = id;
    values[place] = value;
  }

  private void grow() {
    int[] oldKeys = keys;
    Object[] oldValues = values;
    keys = new int[2 * oldKeys.length];
    values = new Object[keys.length];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldValues[i] != null) {
        int place = place(oldKeys[i]);
        keys[place] = oldKeys[i];
        values[place] = oldValues[i];
      }
    }
  }

  void remove(int id) {
    int free = place(id);
    if (values[free] == null) {
      return;
    }
    values[free] = null;
    size--;
    // what comes behind moves up, or it would not be found any more
    int mask = keys.length - 1;
    for (int i = (free + 1) & mask; values[i] != null; i = (i + 1) & mask) {
      int home = mix(keys[i]) & mask;
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
}
