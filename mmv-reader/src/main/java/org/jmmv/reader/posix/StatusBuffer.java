package org.jmmv.reader.posix;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The result of statx(2), which is the same structure on every architecture.
 *
 * <p>It is copied into an array at once. The code that reads a field from the segment is large: for
 * all fields the compiler needed 3 MB.
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

  private final MemorySegment buffer;
  private final long[] words = new long[WORDS];

  /** Creates a buffer that lives as long as an arena. */
  StatusBuffer(Arena arena) {
    buffer = arena.allocate(WORDS * Long.BYTES, Long.BYTES);
  }

  /**
   * Calls statx(2).
   *
   * @param directory a descriptor
   * @param name the address of a path
   * @param flags those that begin with AT_
   * @return false if the call has failed; then the status stays what it was
   */
  boolean read(int directory, long name, int flags) {
    if ((int) STATX.call(directory, name, flags, BASIC_STATS, buffer.address(), 0) != 0) {
      return false;
    }
    MemorySegment.copy(buffer, JAVA_LONG, 0, words, 0, WORDS);
    return true;
  }

  /** Returns the last status. */
  FileStatus get() {
    return new FileStatus(
        words[DEVICE],
        words[INODE],
        words[SIZE],
        nanos(MODIFIED),
        nanos(CHANGED),
        mode(),
        (int) (words[OWNER] >>> Integer.SIZE));
  }

  /** Returns whether the last status, apart from the owner, equals another one. */
  boolean is(FileStatus expected) {
    return expected != null
        && expected.changed() == nanos(CHANGED)
        && expected.modified() == nanos(MODIFIED)
        && expected.inode() == words[INODE]
        && expected.device() == words[DEVICE]
        && expected.size() == words[SIZE]
        && expected.mode() == mode();
  }

  private int mode() {
    return (int) (words[MODE] >>> Integer.SIZE) & 0xffff;
  }

  /** Returns a time, which has seconds and then 4 bytes of nanoseconds. */
  private long nanos(int time) {
    return words[time] * 1_000_000_000 + (int) words[time + 1];
  }
}
