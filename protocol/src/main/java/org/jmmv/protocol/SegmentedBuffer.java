package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Direct memory for the words of a PDU of up to 64 MiB and more. To allocate that much at once
 * takes 40 ms, because Java clears it, and a buffer that grows takes as long again for its copy.
 * Therefore the memory consists of segments, which are allocated when they are first written to.
 */
public final class SegmentedBuffer {
  /** The size of a segment in bytes, up to which the first one grows: it takes 3 ms to clear. */
  private static final int SEGMENT = 4 << 20;

  private static final int WORDS = SEGMENT / Integer.BYTES;

  /** A segment, and its words. */
  private record Segment(ByteBuf bytes, IntBuffer words) {
    Segment(ByteBuf bytes) {
      this(bytes, bytes.internalNioBuffer(0, bytes.capacity()).asIntBuffer());
    }

    static Segment of(int size) {
      return new Segment(UnpooledByteBufAllocator.DEFAULT.directBuffer(size));
    }
  }

  private final List<Segment> segments = new ArrayList<>(); // null: not allocated yet
  private long capacity;

  /**
   * Allocates the first segment.
   *
   * @param size in bytes, a multiple of 4
   */
  public SegmentedBuffer(int size) {
    capacity = Math.min(size, SEGMENT);
    segments.add(Segment.of((int) capacity));
  }

  /** Returns the size of all segments in bytes. */
  public long capacity() {
    return capacity;
  }

  /** Returns whether there is more than the first segment. */
  public boolean isLarge() {
    return segments.size() > 1;
  }

  /** Returns whether {@link #bytes} are still in use. */
  public boolean isInUse() {
    for (Segment one : segments) { // each fetch asks: a stream would take longer than 10 values
      if (one != null && one.bytes.refCnt() > 1) {
        return true;
      }
    }
    return false;
  }

  /** Copies words to an index, which counts words. */
  void put(int index, int[] from, int start, int count) {
    for (int done = 0; done < count; ) {
      int at = index + done;
      int some = Math.min(count - done, WORDS - at % WORDS);
      allocated(at / WORDS, at % WORDS + some).words.put(at % WORDS, from, start + done, some);
      done += some;
    }
  }

  /** Copies words from an index. */
  void get(int index, int[] to, int count) {
    for (int done = 0; done < count; ) {
      int at = index + done;
      int some = Math.min(count - done, WORDS - at % WORDS);
      segments.get(at / WORDS).words.get(at % WORDS, to, done, some);
      done += some;
    }
  }

  /** Moves words to another index, in pieces of which each lies in one segment before and after. */
  void move(int from, int to, int count) {
    if (to < from) {
      for (int done = 0; done < count; ) {
        int room = WORDS - Math.max((from + done) % WORDS, (to + done) % WORDS);
        int some = Math.min(count - done, room);
        copy(from + done, to + done, some);
        done += some;
      }
    } else {
      for (int left = count; left > 0; ) {
        int room = 1 + Math.min((from + left - 1) % WORDS, (to + left - 1) % WORDS);
        int some = Math.min(left, room);
        left -= some;
        copy(from + left, to + left, some);
      }
    }
  }

  private void copy(int from, int to, int count) {
    IntBuffer target = allocated(to / WORDS, to % WORDS + count).words;
    target.put(to % WORDS, segments.get(from / WORDS).words, from % WORDS, count);
  }

  void put(int index, int word) {
    segments.get(index / WORDS).words.put(index % WORDS, word);
  }

  int get(int index) {
    return segments.get(index / WORDS).words.get(index % WORDS);
  }

  /**
   * Makes the first segment as large as a PDU, so that it does not have to grow.
   *
   * @param bytes the size of the PDU
   */
  void reserve(int bytes) {
    allocated(0, Math.min(bytes, SEGMENT) / Integer.BYTES);
  }

  /** Returns a segment that has at least this number of words. */
  private Segment allocated(int number, int words) {
    while (segments.size() <= number) {
      segments.add(null);
    }
    Segment segment = segments.get(number);
    if (segment == null) {
      segment = Segment.of(SEGMENT);
      capacity += SEGMENT;
      segments.set(number, segment);
    } else if (segment.words.capacity() < words) { // only the first one
      int before = segment.bytes.capacity();
      int size = Math.min(SEGMENT, Math.max(words * Integer.BYTES, before + before / 4));
      segment = new Segment(segment.bytes.capacity(size));
      capacity += size - before;
      segments.set(number, segment);
    }
    return segment;
  }

  /**
   * Returns the first bytes, all of which have been written. The caller releases them. They keep at
   * most twice their length.
   *
   * @param length how many, at least 1
   */
  public ByteBuf bytes(int length) {
    if (length <= SEGMENT) {
      return segments.getFirst().bytes.setIndex(0, length).retain();
    }
    ByteBuf[] parts = new ByteBuf[Math.ceilDiv(length, SEGMENT)];
    for (int i = 0; i < parts.length; i++) {
      int size = Math.min(SEGMENT, length - i * SEGMENT);
      ByteBuf all = segments.get(i).bytes;
      parts[i] = size < SEGMENT / 2 ? all.copy(0, size) : all.retainedSlice(0, size);
    }
    return Unpooled.wrappedBuffer(parts.length, parts);
  }

  /** Releases the memory, which stays as long as {@link #bytes} are in use. */
  public void release() {
    for (Segment segment : segments) {
      if (segment != null) {
        segment.bytes.release();
      }
    }
  }
}
