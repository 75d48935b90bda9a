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
    return (int) entries[place(key)]; // the low half of FREE is NONE
  }

  /**
   * Adds a key unless it is in the map.
   *
   * @param index at least 0
   * @return whether the key was added
   */
  public boolean add(int key, int index) {
    int place = place(key);
    if (entries[place] != FREE) {
      return false;
    }
    if (4 * (size + 1) > 3 * entries.length) {
      grow();
      place = place(key);
    }
    size++;
    entries[place] = (long) key << 32 | index;
    return true;
  }

  private void grow() {
    long[] before = entries;
    entries = new long[2 * before.length];
    Arrays.fill(entries, FREE);
    for (long entry : before) {
      if (entry != FREE) {
        entries[place((int) (entry >> 32))] = entry;
      }
    }
  }

  /** Returns the place of a key's entry, or of the free entry where it would be added. */
  private int place(int key) {
    int mask = entries.length - 1;
    int place = ChosenNumber.hash(key) & mask;
    while (entries[place] != FREE && (int) (entries[place] >> 32) != key) {
      place = (place + 1) & mask;
    }
    return place;
  }
}
