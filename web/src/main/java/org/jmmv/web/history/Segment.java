package org.jmmv.web.history;

import java.util.Arrays;
import java.util.BitSet;
import org.jmmv.pcp.HeapSize;

/**
 * A part of a {@link Line} without gaps. It keeps the first value, and a record for each later one
 * that is not as predicted:
 *
 * <pre>
 *   1 to 10 bytes  the difference from the prediction, and whether a number of rounds follows;
 *                  6 bits of the difference are in the first byte, 7 in each other one
 *   1 to 5 bytes   the number of rounds since the last record, if that is not 1
 * </pre>
 */
final class Segment {
  /**
   * The number of records after which a new segment begins. Old values are forgotten a segment at a
   * time: with larger ones, twice as much would be kept of a line that has few; with smaller ones,
   * the objects would take as much as the records.
   */
  private static final int MAX_RECORDS = 128;

  private static final int MAX_RECORD = 15; // bytes
  private static final int MIN_GROWTH = 16; // bytes

  /**
   * An array of records grows by one part of so many: those of all lines may be full in the same
   * round, and must find room in what is left when it is scarce.
   */
  private static final int GROWTH_PART = 4;

  private static final byte[] NONE = {};
  private static final int OPEN = Integer.MAX_VALUE;

  private static final int MORE = 0x80; // bytes of a number
  private static final int HAS_ROUNDS = 1;
  private static final int FIRST_BITS = 6;
  private static final int BITS = 7;

  static final long BYTES = HeapSize.ofObject(2, 5 * Integer.BYTES + 4 * Long.BYTES + 1);

  private final int begin;
  private final long base;
  private final long step; // the increase to the first value from that of the round before
  private byte[] records = NONE;
  private int length;
  private int count;
  private int changed; // round of the last record
  private long last; // value in it
  private long increase; // from the round before it
  private int end = OPEN;
  private final boolean isReturn; // whether the metric was gone before
  Segment next; // null: this is the newest

  /**
   * Begins a segment after a gap.
   *
   * @param isReturn whether the metric was gone in the gap
   */
  Segment(int round, long value, boolean isReturn) {
    this(round, value, 0, isReturn);
  }

  private Segment(int round, long value, long fromBefore, boolean isReturn) {
    this.isReturn = isReturn;
    begin = round;
    base = value;
    step = fromBefore;
    changed = round;
    last = value;
    increase = fromBefore;
  }

  /** Returns a segment with the values from a round on, which is not before the last record. */
  Segment from(int round, Coding coding) {
    return new Segment(round, coding.predicted(last, increase, round - changed), increase, false);
  }

  /** Returns a segment that goes on with a value which is not as predicted. */
  Segment next(int round, long value, Coding coding) {
    long before = coding.predicted(last, increase, round - changed - 1);
    return new Segment(round, value, value - before, false);
  }

  boolean isOpen() {
    return end == OPEN;
  }

  /** Ends the segment: there was no value in a round. */
  void end(int round) {
    end = round;
  }

  boolean isFull() {
    return count == MAX_RECORDS;
  }

  /** Returns whether there was no value in a round, nor in the rounds after it. */
  boolean endsBy(int round) {
    return end <= round;
  }

  /**
   * Returns the position of the first of some rounds in this segment or after it, if the metric was
   * gone between that round and the one before.
   *
   * @param rounds the rounds, in ascending order
   * @return -1 if it was not, or if that round is not among these
   */
  int returned(int[] rounds) {
    int at = Arrays.binarySearch(rounds, begin);
    int position = at < 0 ? -at - 1 : at;
    return isReturn && position < rounds.length && (at >= 0 || position > 0) ? position : -1;
  }

  /** Returns whether something is kept of a round, or of a later one. */
  boolean reaches(int round) {
    return end > round;
  }

  /** Returns whether the last record is from before a round. */
  boolean hasChangedBefore(int round) {
    return count > 0 && changed < round;
  }

  /** Returns whether a value is not that of the round before, in this round or a later one. */
  boolean hasChangedSince(int round, Coding coding) {
    boolean goesOn = coding.predicted(last, increase, 1) != last;
    return isOpen() && (goesOn || changed >= round);
  }

  /** Returns whether a value is as predicted, so that nothing has to be kept of it. */
  boolean predicts(int round, long value, Coding coding) {
    return value == coding.predicted(last, increase, round - changed);
  }

  /**
   * Adds the value of a round, which is not as predicted.
   *
   * @return whether there was room for it
   */
  boolean add(int round, long value, Coding coding, Room room) {
    if (records.length - length < MAX_RECORD) {
      int capacity = records.length + Math.max(MIN_GROWTH, records.length / GROWTH_PART);
      if (!room.take(bytes(capacity) - bytes(records.length))) {
        return false;
      }
      records = Arrays.copyOf(records, capacity);
    }
    int rounds = round - changed;
    long predicted = coding.predicted(last, increase, rounds);
    write(coding.difference(value, predicted), rounds);
    increase = value - coding.predicted(last, increase, rounds - 1);
    last = value;
    changed = round;
    count++;
    return true;
  }

  private void write(long difference, int rounds) {
    boolean hasRounds = rounds != 1;
    long rest = difference >>> FIRST_BITS;
    long first = (difference & (1 << FIRST_BITS) - 1) << 1 | (hasRounds ? HAS_ROUNDS : 0);
    records[length++] = (byte) (first | (rest == 0 ? 0 : MORE));
    if (rest != 0) {
      writeNumber(rest);
    }
    if (hasRounds) {
      writeNumber(rounds);
    }
  }

  private void writeNumber(long number) {
    long rest = number;
    for (; rest >>> BITS != 0; rest >>>= BITS) {
      records[length++] = (byte) (rest | MORE);
    }
    records[length++] = (byte) rest;
  }

  /**
   * Returns values.
   *
   * @param rounds the rounds, in ascending order
   * @param values receives the value of each that is within this segment
   * @param has receives their positions
   */
  void read(int[] rounds, long[] values, BitSet has, Coding coding) {
    int next = Arrays.binarySearch(rounds, begin);
    next = next < 0 ? -next - 1 : next;
    int at = begin; // round of the last record
    long value = base;
    long growth = step;
    Reader reader = new Reader();
    while (next < rounds.length && rounds[next] < end) {
      long difference = reader.hasMore() ? reader.difference() : 0;
      int change = reader.hasRecord ? at + reader.rounds : OPEN; // round of the next record
      for (; next < rounds.length && rounds[next] < Math.min(change, end); next++) {
        values[next] = coding.predicted(value, growth, rounds[next] - at);
        has.set(next);
      }
      if (change == OPEN) {
        return;
      }
      long former = coding.predicted(value, growth, change - at - 1);
      value = coding.value(difference, coding.predicted(value, growth, change - at));
      growth = value - former;
      at = change;
    }
  }

  /** Reads records. */
  private final class Reader {
    private int position;
    private boolean hasRecord;
    private int rounds; // of the last record that was read

    boolean hasMore() {
      hasRecord = position < length;
      return hasRecord;
    }

    long difference() {
      int first = records[position++];
      long difference = first >> 1 & (1 << FIRST_BITS) - 1;
      if ((first & MORE) != 0) {
        difference |= number() << FIRST_BITS;
      }
      rounds = (first & HAS_ROUNDS) == 0 ? 1 : (int) number();
      return difference;
    }

    private long number() {
      long number = 0;
      for (int shift = 0; ; shift += BITS) {
        byte next = records[position++];
        number |= (next & MORE - 1L) << shift;
        if (next >= 0) {
          return number;
        }
      }
    }
  }

  /** Gives back the room that further records would have. */
  void trim(Room room) {
    room.giveBack(bytes(records.length) - bytes(length));
    records = length == 0 ? NONE : Arrays.copyOf(records, length);
  }

  private static long bytes(int capacity) {
    return capacity == 0 ? 0 : HeapSize.ofBytes(capacity);
  }

  /** Returns what it takes in the heap. */
  long bytes() {
    return BYTES + bytes(records.length);
  }
}
