package org.jmmv.pmda;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;

/**
 * The memory that replies to fetches are written into, one after the other: a direct buffer that
 * grows with the replies, and shrinks again when many of them have needed a small part of it.
 */
final class ReplyBuffer {
  private static final int INITIAL_SIZE = 64 << 10;

  /** A quarter of the buffer is enough for so many replies: it shrinks. */
  private static final int SMALL_REPLIES = 32;

  private ByteBuf buffer = allocate(INITIAL_SIZE);
  private int smallReplies;

  private static ByteBuf allocate(int size) {
    return UnpooledByteBufAllocator.DEFAULT.directBuffer(size);
  }

  /** The buffer, empty. */
  ByteBuf clear() {
    if (buffer.refCnt() > 1) { // an earlier reply has not been written yet
      replace(INITIAL_SIZE);
    }
    return buffer.clear();
  }

  /** The buffer with a reply in it, to be released when that is written. */
  ByteBuf reply() {
    ByteBuf reply = buffer.retain();
    if (reply.capacity() == INITIAL_SIZE || reply.readableBytes() > reply.capacity() / 4) {
      smallReplies = 0;
    } else if (++smallReplies == SMALL_REPLIES) {
      replace(Math.max(INITIAL_SIZE, reply.capacity() / 4));
    }
    return reply;
  }

  /** Frees the memory, for instance if there is not enough of it. */
  void shrink() {
    replace(INITIAL_SIZE);
  }

  private void replace(int size) {
    buffer.release();
    buffer = allocate(size);
    smallReplies = 0;
  }

  void release() {
    buffer.release();
  }
}
