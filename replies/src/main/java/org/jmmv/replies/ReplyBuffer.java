package org.jmmv.replies;

import org.jmmv.protocol.ResultWriter;
import org.jmmv.protocol.SegmentedBuffer;

/**
 * A buffer for replies to fetches, and what encodes them, one after the other. It grows if a reply
 * needs more.
 */
final class ReplyBuffer {
  /**
   * With less, the buffer would grow for usual fetches: this has room for 2,500 values. A
   * connection is still writable while one such buffer waits, but not while two do.
   */
  private static final int INITIAL_SIZE = 60 << 10;

  private final ResultWriter writer = new ResultWriter();
  private SegmentedBuffer memory; // null: not allocated

  /** Returns what encodes the reply that is in the buffer. */
  ResultWriter writer() {
    return writer;
  }

  /** Returns the size of the buffer, and of what has not been copied to it, in bytes. */
  long bytes() {
    return writer.bytes() + (memory == null ? 0 : memory.capacity());
  }

  /** Returns the memory for the next reply. */
  SegmentedBuffer clear() {
    if (memory != null && memory.isInUse()) { // an earlier reply is in a channel's outbound buffer
      release();
    }
    if (memory == null) {
      memory = new SegmentedBuffer(INITIAL_SIZE);
    }
    return memory;
  }

  /**
   * Returns whether the buffer is too large to be kept for the next fetch. If none was kept that
   * has grown, a fetch of 100,000 values would take half as long again.
   */
  boolean isLarge() {
    return memory != null && memory.isLarge();
  }

  /** Releases the memory. The next reply is encoded in new memory. */
  void release() {
    if (memory != null) {
      memory.release();
      memory = null;
    }
  }
}
