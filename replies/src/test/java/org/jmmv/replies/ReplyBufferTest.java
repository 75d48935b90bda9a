package org.jmmv.replies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.netty.buffer.ByteBuf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReplyBufferTest {
  private static final int INITIAL_SIZE = 64 << 10;
  private static final int LARGE = 1 << 20;

  private final ReplyBuffer buffer = new ReplyBuffer();

  @AfterEach
  void release() {
    buffer.release();
  }

  private ByteBuf reply(int size) {
    buffer.clear().writeZero(size);
    return buffer.reply();
  }

  @Test
  void repliesThatAreSentShareMemory() {
    ByteBuf first = reply(100);
    first.release();
    ByteBuf second = reply(100);
    assertSame(first, second);
    assertSame(second, ReplyBuffer.lasting(second, false));
    second.release();
  }

  @Test
  void aReplyThatWaitsForOthersTakesWhatItNeeds() {
    ByteBuf lasting = ReplyBuffer.lasting(reply(100), true);
    assertEquals(100, lasting.capacity());
    lasting.release();
  }

  @Test
  void aSmallReplyDoesNotKeepTheMemoryOfALargeOne() {
    reply(LARGE).release();
    ByteBuf small = reply(100);
    assertEquals(LARGE, small.capacity());
    ByteBuf lasting = ReplyBuffer.lasting(small, false);
    assertNotSame(small, lasting);
    assertEquals(100, lasting.capacity());
    lasting.release();
  }

  @Test
  void after32SmallRepliesTheBufferShrinksToTheLargestOfThem() {
    reply(LARGE).release();
    for (int i = 0; i < 31; i++) {
      assertEquals(LARGE, release(reply(100)));
    }
    assertEquals(LARGE, release(reply(LARGE / 2)));
    for (int i = 0; i < 32; i++) {
      assertEquals(LARGE / 2, release(reply(100)));
    }
    buffer.shrink();
    assertEquals(INITIAL_SIZE, release(reply(100)));
  }

  private static int release(ByteBuf reply) {
    int capacity = reply.capacity();
    reply.release();
    return capacity;
  }
}
