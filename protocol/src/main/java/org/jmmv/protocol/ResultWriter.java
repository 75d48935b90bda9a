package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import org.jmmv.pcp.ValueSink;
import org.jmmv.pcp.ValueType;

/**
 * Encodes a RESULT or HIGHRES_RESULT directly into a buffer, without creating a {@link Result} or
 * any other object per value.
 *
 * <p>In a RESULT, all value sets precede all value blocks, and the sets contain the offsets of
 * their blocks. The caller states the expected size of all sets, so that sets and blocks can be
 * written at the same time. If the sets turn out to be smaller, {@link #end} moves the blocks to
 * their end; if they need more room, the blocks are moved up.
 *
 * <p>The words of both are gathered in arrays and copied into the buffer together, because code of
 * the JIT's first compiler takes much longer for a store into a buffer than for one into an array
 * (docs/startup.md).
 *
 * <pre>
 *   writer.begin(reply, isHighRes, sizeOfSets)
 *   for each metric:  writer.beginSet(pmid), then the methods of {@link ValueSink}
 *   writer.end(seconds, fraction)
 * </pre>
 */
public final class ResultWriter implements ValueSink {
  // with the timestamp and nPmid
  private static final int HEADER = Pdu.HEADER_LENGTH + 12;
  private static final int HIGHRES_HEADER = Pdu.HEADER_LENGTH + 20;
  private static final int SET = 8; // pmid, numval
  private static final int FORMAT = 4; // of a set that has values
  private static final int PAIR = 8; // instance, value
  private static final int BLOCK_HEAD = 4; // vtype, vlen
  private static final int NUL_AND_PADDING = 0x007e7e7e; // "\0~~~"
  private static final int WORDS_AT_ONCE = 2048;

  private final Words sets = new Words();
  private final Words blocks = new Words();
  private SegmentedBuffer out;
  private int header; // length
  private int setCount; // the number of value sets begun
  private int firstBlock;
  private int set; // offset of the current set
  private int values; // number of values in the current set
  private int keptSets; // offset in the sets after what the current set keeps in any case
  private int keptBlocks; // offset in the blocks, likewise
  private int keptValues; // number of values in the current set, likewise
  private int allValues; // number of values in all sets

  /** Words that follow those in the buffer, and have not been copied there yet. */
  private static final class Words {
    int[] words = new int[WORDS_AT_ONCE];
    int count;
    int start; // offset in the buffer of the first one

    /** Returns the offset of the next word. */
    int end() {
      return start + count * Integer.BYTES;
    }

    void add(int word) {
      words[count++] = word;
    }

    /** Continues at an offset that is not beyond {@link #end}. What was added after it is lost. */
    void cut(int offset) {
      count = Math.max(0, (offset - start) / Integer.BYTES);
      start = Math.min(start, offset);
    }
  }

  /** Returns the size of a value set of up to {@code values} values in bytes, without blocks. */
  public static long sizeOfSet(int values) {
    return SET + (values == 0 ? 0 : FORMAT + (long) values * PAIR);
  }

  /**
   * Starts a PDU.
   *
   * @param reply the memory for the PDU, which is overwritten
   * @param isHighRes whether the PDU is a HIGHRES_RESULT
   * @param sizeOfSets the sum of {@link #sizeOfSet} over all sets; should not be too small
   */
  public void begin(SegmentedBuffer reply, boolean isHighRes, int sizeOfSets) {
    out = reply;
    header = isHighRes ? HIGHRES_HEADER : HEADER;
    setCount = 0;
    allValues = 0;
    firstBlock = header + sizeOfSets;
    out.reserve(firstBlock);
    sets.start = 0;
    sets.count = header / Integer.BYTES;
    blocks.start = firstBlock;
    blocks.count = 0;
  }

  /** Starts the value set of a metric. The methods of {@link ValueSink} then add its values. */
  public void beginSet(int pmid) {
    makeRoom(SET);
    reserve(sets, SET);
    setCount++;
    set = sets.end();
    sets.add(pmid);
    sets.add(0);
    values = 0;
    beginReading();
  }

  @Override
  public void beginReading() {
    keptSets = sets.end();
    keptBlocks = blocks.end();
    keptValues = values;
  }

  @Override
  public void clear() {
    sets.cut(keptSets);
    blocks.cut(keptBlocks);
    allValues -= values - keptValues;
    values = keptValues;
    put(set + 4, values);
  }

  @Override
  public void none(int status) {
    put(set + 4, status);
  }

  @Override
  public int numbers(int type, int[] instances, long[] bits, int count) {
    switch (type) {
      case ValueType.I32, ValueType.U32 -> {
        addValues(ValueSet.INSITU, count);
        for (int i = 0; i < count; i++) {
          sets.add(instances[i]);
          sets.add((int) bits[i]);
        }
      }
      case ValueType.FLOAT -> {
        addBlocks(instances, count, BLOCK_HEAD + 4);
        for (int i = 0; i < count; i++) {
          blocks.add(type << 24 | (BLOCK_HEAD + 4));
          blocks.add((int) bits[i]);
        }
      }
      default -> {
        addBlocks(instances, count, BLOCK_HEAD + 8);
        for (int i = 0; i < count; i++) {
          blocks.add(type << 24 | (BLOCK_HEAD + 8));
          blocks.add((int) (bits[i] >>> 32));
          blocks.add((int) bits[i]);
        }
      }
    }
    return count;
  }

  /** Adds a string. Its block has the bytes, a NUL, and padding to a multiple of 4 bytes. */
  @Override
  public boolean text(int instance, byte[] bytes, int offset, int length) {
    int padded = (length + 1 + 3) & ~3;
    addValues(ValueSet.DPTR, 1);
    sets.add(instance);
    sets.add(blocks.end() / 4);
    reserve(blocks, BLOCK_HEAD + padded);
    blocks.add(ValueType.STRING << 24 | (BLOCK_HEAD + length + 1));
    int end = offset + length;
    int at = offset;
    for (; at + 4 <= end; at += 4) {
      blocks.add(
          bytes[at] << 24
              | (bytes[at + 1] & 0xff) << 16
              | (bytes[at + 2] & 0xff) << 8
              | (bytes[at + 3] & 0xff));
    }
    int last = NUL_AND_PADDING >>> ((end - at) * Byte.SIZE);
    for (int shift = 24; at < end; at++, shift -= Byte.SIZE) {
      last |= (bytes[at] & 0xff) << shift;
    }
    blocks.add(last);
    return true;
  }

  /** Adds values to the current set whose blocks, all of one size, are added next. */
  private void addBlocks(int[] instances, int count, int size) {
    addValues(ValueSet.DPTR, count);
    reserve(blocks, count * size);
    int word = blocks.end() / 4;
    for (int i = 0; i < count; i++) {
      sets.add(instances[i]);
      sets.add(word);
      word += size / 4;
    }
  }

  /** Adds to the number of values in the current set. Then their pairs are added. */
  private void addValues(int format, int count) {
    int bytes = (values == 0 ? FORMAT : 0) + count * PAIR;
    makeRoom(bytes);
    reserve(sets, bytes);
    if (values == 0) {
      sets.add(format);
    }
    values += count;
    allValues += count;
    put(set + 4, values);
  }

  /**
   * Makes room for more bytes of sets. The blocks are moved by a quarter at least, so not often.
   */
  private void makeRoom(int bytes) {
    if (sets.end() + bytes > firstBlock) {
      moveBlocks(Math.max(bytes, sets.end() / 16 * 4));
    }
  }

  /** Makes room for more words in an array, by copying those in it to the buffer. */
  private void reserve(Words words, int bytes) {
    int count = bytes / Integer.BYTES;
    if (words.count + count > words.words.length) {
      copy(words);
      if (count > words.words.length) {
        words.words = new int[count];
      }
    }
  }

  private void copy(Words words) {
    out.put(words.start / Integer.BYTES, words.words, 0, words.count);
    words.start = words.end();
    words.count = 0;
  }

  /** Returns the number of values written so far. */
  public int values() {
    return allValues;
  }

  /** Returns the size of all value sets and blocks written so far, in bytes. */
  public int written() {
    return sets.end() - header + blocks.end() - firstBlock;
  }

  /** Returns the size of the arrays, in bytes. */
  public long bytes() {
    return (long) Integer.BYTES * (sets.words.length + blocks.words.length);
  }

  /** Returns the size of the PDU up to the last block written so far, in bytes. */
  public int size() {
    return blocks.end();
  }

  /**
   * Completes the PDU.
   *
   * @param seconds the time of the values; in a RESULT to pmcd a combination of the bits of {@link
   *     org.jmmv.pcp.StateChange}
   * @param fraction microseconds; in a HIGHRES_RESULT nanoseconds
   * @return the PDU, which the caller releases
   */
  public ByteBuf end(long seconds, int fraction) {
    if (sets.end() < firstBlock) {
      moveBlocks(sets.end() - firstBlock);
    }
    put(0, blocks.end());
    put(8, 0);
    if (header == HIGHRES_HEADER) {
      put(4, PduType.HIGHRES_RESULT.code());
      put(12, setCount);
      put(16, (int) (seconds >>> 32));
      put(20, (int) seconds);
      put(24, 0);
      put(28, fraction);
    } else {
      put(4, PduType.RESULT.code());
      put(12, (int) seconds);
      put(16, fraction);
      put(20, setCount);
    }
    copy(sets);
    copy(blocks);
    return out.bytes(blocks.end());
  }

  /** Moves the blocks, and adjusts their offsets in the sets. */
  private void moveBlocks(int by) {
    int end = sets.end();
    copy(sets);
    copy(blocks);
    int from = firstBlock / Integer.BYTES;
    out.move(from, from + by / Integer.BYTES, blocks.end() / Integer.BYTES - from);
    firstBlock += by;
    keptBlocks += by;
    blocks.start += by;
    int at = header;
    while (at < end) {
      int count = Math.max(0, get(at + 4));
      if (count > 0 && get(at + SET) == ValueSet.DPTR) {
        adjust(at + SET + FORMAT, count, by / 4);
      }
      at += SET + (count > 0 ? FORMAT + count * PAIR : 0);
    }
  }

  /** Adjusts the offsets of the blocks of a set's values. */
  private void adjust(int firstPair, int count, int by) {
    int[] pairs = sets.words; // they are all in the buffer now
    for (int done = 0; done < count; ) {
      int some = Math.min(count - done, pairs.length / 2);
      int at = (firstPair + done * PAIR) / Integer.BYTES;
      out.get(at, pairs, 2 * some);
      for (int i = 0; i < some; i++) {
        pairs[2 * i + 1] += by;
      }
      out.put(at, pairs, 0, 2 * some);
      done += some;
    }
  }

  /** Changes a word of the header or of the current set. */
  private void put(int at, int word) {
    if (at >= sets.start) {
      sets.words[(at - sets.start) / Integer.BYTES] = word;
    } else {
      out.put(at / Integer.BYTES, word);
    }
  }

  private int get(int at) {
    return out.get(at / Integer.BYTES);
  }
}
