package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jmmv.pcp.ValueSink;
import org.jmmv.pcp.ValueType;

/**
 * Encodes a RESULT directly into a buffer, without creating a {@link Result} or any other object
 * per value.
 *
 * <p>In a RESULT, all value sets precede all value blocks, and the sets contain the offsets of
 * their blocks. The caller states the expected size of all sets, so that sets and blocks can be
 * written at the same time. If the sets turn out to be smaller, {@link #end} moves the blocks to
 * their end; if they need more room, the blocks are moved up.
 *
 * <pre>
 *   writer.begin(reply, sizeOfSets)
 *   for each metric:  writer.beginSet(pmid), then the methods of {@link ValueSink}
 *   writer.end(flags)
 * </pre>
 */
public final class ResultWriter implements ValueSink {
  private static final int HEADER = Pdu.HEADER_LENGTH + 12; // with the timestamp and nPmid
  private static final int SET = 8; // pmid, numval
  private static final int FORMAT = 4; // of a set that has values
  private static final int PAIR = 8; // instance, value
  private static final int BLOCK_HEAD = 4; // vtype, vlen
  private static final int PADDING = 0x7e7e7e7e; // "~~~~"
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private ByteBuf buffer;
  private MemorySegment out; // the buffer's memory; several times as fast as methods of ByteBuf
  private int sets; // the number of value sets begun
  private int firstBlock;
  private int set; // offset of the current set
  private int values; // number of values in the current set
  private int pair; // offset of the current set's next value
  private int setBlock; // offset of the current set's first block
  private int block; // offset of the next block

  /** Returns the size of a value set of up to {@code values} values in bytes, without blocks. */
  public static long sizeOfSet(int values) {
    return SET + (values == 0 ? 0 : FORMAT + (long) values * PAIR);
  }

  /**
   * Starts a PDU.
   *
   * @param reply a direct, growable buffer, which is overwritten from index 0 on
   * @param sizeOfSets the sum of {@link #sizeOfSet} over all sets; should not be too small
   */
  public void begin(ByteBuf reply, int sizeOfSets) {
    use(reply);
    sets = 0;
    block = 0;
    firstBlock = HEADER + sizeOfSets;
    ensure(firstBlock);
    set = HEADER;
    pair = HEADER;
    block = firstBlock;
  }

  /** Starts the value set of a metric. The methods of {@link ValueSink} then add its values. */
  public void beginSet(int pmid) {
    makeRoom(SET);
    sets++;
    set = pair;
    setBlock = block;
    put(set, pmid);
    clearSet();
  }

  /** Removes the values of the current set, so that others can be added. */
  public void clearSet() {
    values = 0;
    put(set + 4, 0);
    pair = set + SET;
    block = setBlock;
  }

  @Override
  public void none(int status) {
    put(set + 4, status);
  }

  @Override
  public void numbers(int type, int[] instances, long[] bits, int count) {
    switch (type) {
      case ValueType.I32, ValueType.U32 -> {
        int at = addValues(ValueSet.INSITU, count);
        for (int i = 0; i < count; i++) {
          out.set(LONG, at, pair(instances[i], (int) bits[i]));
          at += PAIR;
        }
      }
      case ValueType.FLOAT -> {
        int at = addValues(ValueSet.DPTR, count);
        ensure(block + count * (BLOCK_HEAD + 4L));
        for (int i = 0; i < count; i++) {
          out.set(LONG, at, pair(instances[i], block / 4));
          put(block, type << 24 | (BLOCK_HEAD + 4));
          put(block + BLOCK_HEAD, (int) bits[i]);
          at += PAIR;
          block += BLOCK_HEAD + 4;
        }
      }
      default -> writeLongs(type, instances, bits, count);
    }
  }

  /** A separate loop with local variables: a fifth less time for large replies of 64-bit values. */
  private void writeLongs(int type, int[] instances, long[] bits, int count) {
    int to = addValues(ValueSet.DPTR, count);
    ensure(block + count * (BLOCK_HEAD + 8L));
    int at = block;
    int head = type << 24 | (BLOCK_HEAD + 8);
    MemorySegment memory = out;
    for (int i = 0; i < count; i++) {
      memory.set(LONG, to, pair(instances[i], at / 4));
      memory.set(INT, at, head);
      memory.set(LONG, at + BLOCK_HEAD, bits[i]);
      to += PAIR;
      at += BLOCK_HEAD + 8;
    }
    block = at;
  }

  /** Adds a string. Its block has the bytes, a NUL, and padding to a multiple of 4 bytes. */
  @Override
  public void text(int instance, byte[] bytes, int offset, int length) {
    int padded = (length + 1 + 3) & ~3;
    int at = addValues(ValueSet.DPTR, 1);
    ensure((long) block + BLOCK_HEAD + padded);
    int to = block;
    MemorySegment memory = out;
    memory.set(LONG, at, pair(instance, to / 4));
    memory.set(INT, to, ValueType.STRING << 24 | (BLOCK_HEAD + length + 1));
    memory.set(INT, to + padded, PADDING); // the block's last word
    MemorySegment.copy(bytes, offset, memory, ValueLayout.JAVA_BYTE, to + BLOCK_HEAD, length);
    memory.set(ValueLayout.JAVA_BYTE, to + BLOCK_HEAD + length, (byte) 0);
    block = to + BLOCK_HEAD + padded;
  }

  private static long pair(int instance, int value) {
    return (long) instance << 32 | Integer.toUnsignedLong(value);
  }

  /** Adds to the number of values in the current set, and returns the offset of the first one. */
  private int addValues(int format, int count) {
    if (values == 0) {
      makeRoom(FORMAT);
      put(pair, format);
      pair += FORMAT;
    }
    makeRoom(count * PAIR);
    values += count;
    put(set + 4, values);
    int at = pair;
    pair += count * PAIR;
    return at;
  }

  /**
   * Makes room for more bytes of sets. The blocks are moved by a quarter at least, so not often.
   */
  private void makeRoom(int bytes) {
    if (pair + bytes > firstBlock) {
      int by = Math.max(bytes, pair / 16 * 4);
      ensure((long) block + by);
      moveBlocks(by);
    }
  }

  /** Returns the size of the PDU up to the last block written so far, in bytes. */
  public int size() {
    return block;
  }

  /**
   * Completes the PDU and sets the buffer's indexes.
   *
   * @param flags a combination of the bits of {@link org.jmmv.pcp.StateChange}
   */
  public void end(int flags) {
    if (pair < firstBlock) {
      moveBlocks(pair - firstBlock);
    }
    put(0, block);
    put(4, PduType.RESULT.code());
    put(8, 0);
    put(12, flags);
    put(16, 0);
    put(20, sets);
    buffer.setIndex(0, block);
  }

  /** Moves the blocks, and adjusts their offsets in the sets. */
  private void moveBlocks(int by) {
    MemorySegment.copy(out, firstBlock, out, firstBlock + by, block - firstBlock);
    firstBlock += by;
    setBlock += by;
    block += by;
    int at = HEADER;
    for (int i = 0; i < sets; i++) {
      int values = out.get(INT, at + 4);
      if (values > 0 && out.get(INT, at + SET) == ValueSet.DPTR) {
        for (int v = 0; v < values; v++) {
          int word = at + SET + FORMAT + v * PAIR + 4;
          put(word, out.get(INT, word) + by / 4);
        }
      }
      at += SET + (values > 0 ? FORMAT + values * PAIR : 0);
    }
  }

  private void put(int at, int word) {
    out.set(INT, at, word);
  }

  private void use(ByteBuf reply) {
    buffer = reply;
    out = MemorySegment.ofBuffer(reply.internalNioBuffer(0, reply.capacity()));
  }

  /** Makes room for so many bytes in all; what was written up to {@link #block} stays. */
  private void ensure(long bytes) {
    if (bytes > out.byteSize()) {
      buffer.setIndex(0, block);
      buffer.ensureWritable(Math.toIntExact(bytes - block));
      use(buffer);
    }
  }
}
