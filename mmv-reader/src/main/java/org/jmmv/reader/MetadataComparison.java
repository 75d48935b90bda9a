package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.VALUE_LONGS;
import static org.jmmv.reader.MmvLayout.VALUE_SIZE;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.BooleanSupplier;
import org.jmmv.pcp.KeyedHash;

/**
 * Compares a mapping with the {@link Fingerprint} of its metadata, in as many turns as the caller
 * wants to spend on it.
 */
public final class MetadataComparison {
  /**
   * Bytes of a step, a multiple of the size of a word: {@link #STEPS_PER_LOOK} such steps take a
   * millisecond.
   */
  private static final int BYTES_AT_ONCE = 1024;

  /** As {@link #BYTES_AT_ONCE}, for the entries of values. */
  private static final int VALUES_AT_ONCE = 64;

  /**
   * Between two looks at the clock: a millisecond, after which other files and requests get their
   * turn.
   */
  private static final int STEPS_PER_LOOK = 256;

  private final MmvMapping mapping;
  private final Fingerprint fingerprint;
  private final KeyedHash hash = new KeyedHash();
  private final ByteBuffer bytes =
      ByteBuffer.allocate(BYTES_AT_ONCE).order(ByteOrder.nativeOrder());
  private final long[] entries = new long[VALUES_AT_ONCE * VALUE_LONGS];
  private int range; // the index of the range that is compared next
  private int within; // how many bytes of it were compared
  private int values; // how many entries of the VALUES section were compared
  private boolean isSame;

  MetadataComparison(MmvMapping mapping, Fingerprint fingerprint) {
    this.mapping = mapping;
    this.fingerprint = fingerprint;
  }

  /**
   * Compares metadata.
   *
   * @param mayGoOn is asked every millisecond; false ends the turn
   * @return false if there is more to compare, otherwise {@link #isSame} has the result
   */
  public boolean run(BooleanSupplier mayGoOn) {
    try {
      return mapping.read(() -> {
        for (int steps = 1; compare(); steps++) {
          if (steps % STEPS_PER_LOOK == 0 && !mayGoOn.getAsBoolean()) {
            return false;
          }
        }
        isSame = hash.end() == fingerprint.hash;
        return true;
      });
    } catch (MappingTruncated e) {
      return true;
    }
  }

  /** Compares up to 1 KiB, or the entries of up to 64 values. Returns whether there is more. */
  private boolean compare() {
    if (range < fingerprint.ranges.length) {
      int length = Math.min(fingerprint.ranges[range + 1] - within, BYTES_AT_ONCE);
      mapping.bytes().get(fingerprint.ranges[range] + within, bytes.array(), 0, length);
      hash.add(bytes, length);
      within += length;
      if (within == fingerprint.ranges[range + 1]) {
        range += 2;
        within = 0;
      }
      return true;
    }
    int count = Math.min(fingerprint.values - values, VALUES_AT_ONCE);
    mapping.copy(fingerprint.valuesOffset + values * VALUE_SIZE, entries, count * VALUE_LONGS);
    Fingerprint.addOffsets(hash, entries, count);
    values += count;
    return values < fingerprint.values;
  }

  /** Returns whether the metadata has not changed. */
  public boolean isSame() {
    return isSame;
  }
}
