package org.jmmv.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * The result of statx(2), which is the same structure on every architecture.
 *
 * <p>Fields are read through a view of the segment: the code that reads one from the segment itself
 * is large, and for all fields the compiler needed 3 MB.
 */
final class StatusBuffer {
  private static final CFunction STATX = CFunction.of("statx");
  private static final int BASIC_STATS = 0x7ff;

  private static final int WORDS = 32; // of 8 bytes, little-endian

  // indexes of words; the mode and the owner are in the upper half of theirs
  private static final int OWNER = 2;
  private static final int MODE = 3;
  private static final int INODE = 4;
  private static final int SIZE = 5;
  private static final int CHANGED = 12;
  private static final int MODIFIED = 14;
  private static final int DEVICE = 17;

  /** A buffer for calls about descriptors: an arena of its own for each would take longer. */
  private static final ThreadLocal<StatusBuffer> OF_THREAD =
      ThreadLocal.withInitial(() -> new StatusBuffer(Arena.ofAuto()));

  private final long address;
  private final LongBuffer words;

  /** Creates a buffer that lives as long as an arena. */
  StatusBuffer(Arena arena) {
    MemorySegment buffer = arena.allocate(WORDS * Long.BYTES, Long.BYTES);
    address = buffer.address();
    words = buffer.asByteBuffer().order(ByteOrder.nativeOrder()).asLongBuffer();
  }

  /** Returns the buffer of this thread. */
  static StatusBuffer ofThread() {
    return OF_THREAD.get();
  }

  /**
   * Calls statx(2).
   *
   * @param directory a descriptor
   * @param name the address of a path
   * @param flags those that begin with AT_
   * @return false if the call has failed
   */
  boolean read(int directory, long name, int flags) {
    return (int) STATX.call(directory, name, flags, BASIC_STATS, address, 0) == 0;
  }

  /** Returns the last status. */
  FileStatus get() {
    return new FileStatus(
        words.get(DEVICE),
        words.get(INODE),
        words.get(SIZE),
        words.get(MODIFIED),
        fraction(MODIFIED),
        nanos(CHANGED),
        mode(),
        (int) (words.get(OWNER) >>> Integer.SIZE));
  }

  /** Returns whether the last status, apart from the owner, equals another one. */
  boolean is(FileStatus expected) {
    return expected != null
        && expected.changed() == nanos(CHANGED)
        && expected.modified() == words.get(MODIFIED)
        && expected.modifiedNanos() == fraction(MODIFIED)
        && expected.inode() == words.get(INODE)
        && expected.device() == words.get(DEVICE)
        && expected.size() == words.get(SIZE)
        && expected.mode() == mode();
  }

  private int mode() {
    return (int) (words.get(MODE) >>> Integer.SIZE) & 0xffff;
  }

  /** Returns a time, which has seconds and then 4 bytes of nanoseconds. */
  private long nanos(int time) {
    return words.get(time) * 1_000_000_000 + fraction(time);
  }

  /** Returns the nanoseconds of a time's second. */
  private int fraction(int time) {
    return (int) words.get(time + 1);
  }
}
