package org.jmmv.pcp;

import java.util.Arrays;

/**
 * A hash map from {@code int} keys, such as offsets, to indexes. A look-up allocates nothing, and
 * usually reads one line of the processor's cache: a file may have millions of values, each with
 * the offset of its instance.
 *
 * <p>It uses open addressing with linear probing.
 */
public final class IntMap {
  /** Returned if a key is not in the map. */
  public static final int NONE = -1;

  private static final int MIN_CAPACITY = 8;
  private static final long FREE = -1; // the index of no entry is negative

  private long[] entries = new long[MIN_CAPACITY]; // key << 32 | index; length: a power of two
  private int size; // at most three quarters of the capacity

  /** Creates an empty map. */
  public IntMap() {
    Arrays.fill(entries, FREE);
  }

  /** Returns the index of a key, or {@link #NONE}. */
  public int get(int key) {
    return (int) entries[slot(key)]; // the low half of FREE is NONE
  }

  /**
   * Adds a key unless it is in the map.
   *
   * @param index at least 0
   * @return whether the key was added
   */
  public boolean add(int key, int index) {
    int slot = slot(key);
    if (entries[slot] != FREE) {
      return false;
    }
    if (4 * (size + 1) > 3 * entries.length) {
      grow();
      slot = slot(key);
    }
    size++;
    entries[slot] = (long) key << 32 | index;
    return true;
  }

  private void grow() {
    long[] before = entries;
    entries = new long[2 * before.length];
    Arrays.fill(entries, FREE);
    for (long entry : before) {
      if (entry != FREE) {
        entries[slot((int) (entry >> 32))] = entry;
      }
    }
  }

  /** Returns the slot of a key, or the free one where it would be added. */
  private int slot(int key) {
    int mask = entries.length - 1;
    int slot = KeyedHash.of(key) & mask;
    while (entries[slot] != FREE && (int) (entries[slot] >> 32) != key) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}
