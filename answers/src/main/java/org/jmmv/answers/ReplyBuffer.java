package org.jmmv.answers;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;

/**
 * The buffer for replies to fetches. All replies of a connection are encoded in the same direct
 * buffer, one after the other. It grows if a reply needs more, and shrinks after 32 consecutive
 * replies that needed at most a quarter of it, but not below 64 KiB.
 */
public final class ReplyBuffer {
  private static final int INITIAL_SIZE = 64 << 10;

  /**
   * The number of consecutive replies of at most a quarter of the capacity, after which the buffer
   * shrinks to a quarter.
   */
  private static final int SMALL_REPLIES = 32;

  private ByteBuf buffer = allocate(INITIAL_SIZE);
  private int smallReplies;

  private static ByteBuf allocate(int size) {
    return UnpooledByteBufAllocator.DEFAULT.directBuffer(size);
  }

  /** Returns the buffer, empty. */
  public ByteBuf clear() {
    if (buffer.refCnt() > 1) { // an earlier reply is still in the channel's outbound buffer
      replace(INITIAL_SIZE);
    }
    return buffer.clear();
  }

  /**
   * Returns the buffer with the encoded reply. The caller releases it when the reply has been
   * written.
   */
  public ByteBuf reply() {
    ByteBuf reply = buffer.retain();
    if (reply.capacity() == INITIAL_SIZE || reply.readableBytes() > reply.capacity() / 4) {
      smallReplies = 0;
    } else if (++smallReplies == SMALL_REPLIES) {
      replace(Math.max(INITIAL_SIZE, reply.capacity() / 4));
    }
    return reply;
  }

  /** Shrinks the buffer to its initial size, for use after a reply that was too large. */
  public void shrink() {
    replace(INITIAL_SIZE);
  }

  private void replace(int size) {
    buffer.release();
    buffer = allocate(size);
    smallReplies = 0;
  }

  /** Releases the memory. The buffer can't be used any more. */
  public void release() {
    buffer.release();
  }
}
