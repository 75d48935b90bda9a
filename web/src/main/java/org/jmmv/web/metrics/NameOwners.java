package org.jmmv.web.metrics;

import java.util.Arrays;
import java.util.stream.Stream;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.KeyedHash;

/**
 * Which metric has which name in Prometheus. Names are 64-bit hashes here: two of a million names
 * have the same one with a probability of one to 40 million; the later one is then in conflict.
 */
final class NameOwners {
  /** The owner of a name that nothing has. */
  static final long NONE = 0;

  /** The owner of the names of this program's series. */
  static final long JMMV = 1;

  /**
   * The number of tables, which grow one by one. To double a single one with the names of 53,000
   * metrics takes 39 ms.
   */
  private static final int PARTS = 16;

  private static final int PART_SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(PARTS);

  private final Table[] parts = new Table[PARTS]; // by the highest bits of the hash

  /** Hashes and owners, with open addressing and linear probing. */
  private static final class Table {
    private long[] slots = new long[8]; // hash, owner
    private int size; // at most half of the pairs

    void add(long hash, long owner) {
      if (4 * ++size > slots.length) {
        long[] before = slots;
        slots = new long[2 * before.length];
        for (int i = 0; i < before.length; i += 2) {
          if (before[i + 1] != NONE) {
            put(before[i], before[i + 1]);
          }
        }
      }
      put(hash, owner);
    }

    private void put(long hash, long owner) {
      int slot = slot(hash);
      slots[slot] = hash;
      slots[slot + 1] = owner;
    }

    long bytes() {
      return HeapSize.ofObject(1, Integer.BYTES) + HeapSize.ofLongs(slots.length);
    }

    long get(long hash) {
      return slots[slot(hash) + 1];
    }

    /** Returns the slot of a hash, or the free one where it would be put. */
    private int slot(long hash) {
      int mask = slots.length - 1;
      int slot = (int) (hash << 1) & mask;
      while (slots[slot + 1] != NONE && slots[slot] != hash) {
        slot = (slot + 2) & mask;
      }
      return slot;
    }
  }

  NameOwners() {
    Arrays.setAll(parts, _ -> new Table());
  }

  private Table part(long hash) {
    return parts[(int) (hash >>> PART_SHIFT)];
  }

  /**
   * Identifies a metric by PMID and name, because one with two names is shown as two families.
   *
   * @param name the name in PCP
   */
  static long owner(String name, int pmid) {
    return ((long) pmid << Integer.SIZE) | (KeyedHash.of(name) & 0xffffffffL) | JMMV;
  }

  static int pmid(long owner) {
    return (int) (owner >> Integer.SIZE);
  }

  long bytes() {
    return HeapSize.ofReferences(PARTS) + Stream.of(parts).mapToLong(Table::bytes).sum();
  }

  /** Returns the owner of a name in Prometheus, which is given by its {@link KeyedHash}. */
  long get(long hash) {
    return part(hash).get(hash);
  }

  /** Returns whether a metric has all names that its family reserves. */
  boolean isOwner(long owner, FamilyName names) {
    for (String name : names.reserved()) {
      if (get(KeyedHash.of(name)) != owner) {
        return false;
      }
    }
    return true;
  }

  /** Gives a name that nothing has to an owner. */
  void add(long hash, long owner) {
    part(hash).add(hash, owner);
  }
}
