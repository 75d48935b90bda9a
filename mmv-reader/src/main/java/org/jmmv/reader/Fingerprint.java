package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.VALUE_INSTANCE;
import static org.jmmv.reader.MmvLayout.VALUE_LONGS;
import static org.jmmv.reader.MmvLayout.VALUE_METRIC;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jmmv.pcp.KeyedHash;

/**
 * Where the metadata of a file is, and a {@link KeyedHash} of its bytes when it was read. Values
 * that an application stores change the file's time, but not its fingerprint; to compare that takes
 * a small part of the time for reading the file again.
 */
final class Fingerprint {
  final int[] ranges; // offset and length in bytes of each
  final int valuesOffset; // of the VALUES section
  final int values; // the number of its entries
  final long hash; // of the ranges, and then of the offsets in the values' entries

  private Fingerprint(int[] ranges, int valuesOffset, int values, long hash) {
    this.ranges = ranges;
    this.valuesOffset = valuesOffset;
    this.values = values;
    this.hash = hash;
  }

  /** Collects the metadata while a file is read. */
  static final class Builder {
    private int[] ranges = new int[16];
    private int count; // of the numbers in ranges
    private int valuesOffset;
    private int values;
    private final KeyedHash hash = new KeyedHash();

    /**
     * Adds bytes of the metadata.
     *
     * @param offset in bytes from the start of the file
     * @param copy a copy of the bytes, from index 0 on, in the byte order of this machine
     * @param length their number
     */
    void add(int offset, ByteBuffer copy, int length) {
      hash.add(copy, length);
      int last = count - 1;
      if (count > 0
          && ranges[last - 1] + ranges[last] == offset
          && ranges[last] % Long.BYTES == 0) {
        ranges[last] += length;
        return;
      }
      if (count == ranges.length) {
        ranges = Arrays.copyOf(ranges, 2 * count);
      }
      ranges[count++] = offset;
      ranges[count++] = length;
    }

    /**
     * Adds entries of the VALUES section. They follow those that were added before, and nothing
     * else is added after them.
     *
     * @param offset in bytes from the start of the file
     * @param copy a copy of the entries, from index 0 on
     * @param entries their number
     */
    void addValues(int offset, long[] copy, int entries) {
      valuesOffset = values == 0 ? offset : valuesOffset;
      values += entries;
      addOffsets(hash, copy, entries);
    }

    Fingerprint build() {
      return new Fingerprint(Arrays.copyOf(ranges, count), valuesOffset, values, hash.end());
    }
  }

  /** Adds the words of VALUES entries that say to which metric and instance a value belongs. */
  static void addOffsets(KeyedHash hash, long[] entries, int count) {
    for (int i = 0; i < count * VALUE_LONGS; i += VALUE_LONGS) {
      hash.add(entries[i + VALUE_METRIC / Long.BYTES]);
      hash.add(entries[i + VALUE_INSTANCE / Long.BYTES]);
    }
  }
}
