package org.jmmv.replies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.netty.buffer.ByteBuf;
import org.jmmv.pcp.Instance;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.ResultWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReplyBufferTest {
  private final ReplyBuffer buffer = new ReplyBuffer();

  @AfterEach
  void release() {
    buffer.release();
  }

  /** Encodes a RESULT with one string. */
  private ByteBuf reply(int size) {
    ResultWriter writer = buffer.writer();
    int set = (int) ResultWriter.sizeOfSet(1);
    writer.begin(buffer.clear(), false, set);
    writer.beginSet(1);
    int head = Pdu.HEADER_LENGTH + 12 + set + 4;
    writer.text(Instance.NULL, new byte[size], 0, size - head - 1);
    ByteBuf reply = writer.end(0, 0);
    assertEquals(size, reply.readableBytes());
    return reply;
  }

  @Test
  void repliesThatAreSentShareMemory() {
    ByteBuf first = reply(100);
    first.release();
    ByteBuf second = reply(100);
    assertSame(first, second);
    second.release();
  }

  @Test
  void aReplyThatWaitsKeepsItsMemory() {
    ByteBuf waiting = reply(100);
    ByteBuf next = reply(100);
    assertNotSame(waiting, next);
    waiting.release();
    next.release();
  }
}
