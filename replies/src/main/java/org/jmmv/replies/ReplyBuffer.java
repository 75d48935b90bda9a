package org.jmmv.replies;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;

/**
 * The buffer for replies to fetches. All replies are encoded in the same direct buffer, one after
 * the other. It grows if a reply needs more. After 32 consecutive replies that needed at most half
 * of it, it shrinks to what the largest of them needed, but not below 64 KiB.
 */
final class ReplyBuffer {
  private static final int INITIAL_SIZE = 64 << 10;

  /** The number of consecutive replies of at most half the capacity before the buffer shrinks. */
  private static final int SMALL_REPLIES = 32;

  private ByteBuf buffer = Unpooled.EMPTY_BUFFER; // allocated for the next reply
  private int size = INITIAL_SIZE; // of the next allocation
  private int smallReplies;
  private int largest; // of the small replies, in bytes

  /** Returns the buffer, empty. */
  public ByteBuf clear() {
    if (buffer.refCnt() > 1) { // an earlier reply is still in a channel's outbound buffer
      drop(INITIAL_SIZE);
    }
    if (buffer.capacity() == 0) {
      buffer = UnpooledByteBufAllocator.DEFAULT.directBuffer(size);
    }
    return buffer.clear();
  }

  /**
   * Returns the buffer with the encoded reply. The caller releases it when the reply has been
   * written.
   */
  public ByteBuf reply() {
    ByteBuf reply = buffer.retain();
    if (!isSmall(reply)) {
      smallReplies = 0;
      largest = 0;
      return reply;
    }
    largest = Math.max(largest, reply.readableBytes());
    if (++smallReplies == SMALL_REPLIES) {
      drop(Math.max(INITIAL_SIZE, largest));
    }
    return reply;
  }

  /** Returns whether a reply needs at most half of a buffer that has grown. */
  private static boolean isSmall(ByteBuf reply) {
    return reply.capacity() > INITIAL_SIZE && reply.readableBytes() <= reply.capacity() / 2;
  }

  /**
   * Returns a reply that can wait until the client has read earlier ones without keeping more
   * memory than it needs. Otherwise hundreds of short replies that a client does not read would
   * keep a buffer each.
   *
   * @param reply a reply of {@link #reply}, which is released if another one is returned
   * @param isWaiting whether the client has not read earlier replies
   */
  public static ByteBuf lasting(ByteBuf reply, boolean isWaiting) {
    if (!isWaiting && !isSmall(reply)) {
      return reply;
    }
    try {
      return reply.copy();
    } finally {
      reply.release();
    }
  }

  /** Frees the memory, for use after a reply that was too large. */
  public void shrink() {
    drop(INITIAL_SIZE);
  }

  private void drop(int nextSize) {
    buffer.release();
    buffer = Unpooled.EMPTY_BUFFER;
    size = nextSize;
    smallReplies = 0;
    largest = 0;
  }

  /** Releases the memory. */
  public void release() {
    buffer.release();
    buffer = Unpooled.EMPTY_BUFFER;
  }
}
