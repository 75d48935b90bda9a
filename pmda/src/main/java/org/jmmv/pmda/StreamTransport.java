package org.jmmv.pmda;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ReadableByteChannel;

/**
 * Serves one connection, a pipe or a socket, in the caller's thread: reads what there is, lets the
 * pipeline answer, and writes all answers to it before it reads again.
 *
 * <p>Reading and writing block, so a peer that sends without reading is not read from any more, and
 * what is buffered is never more than one read's answers. Netty's own event loops take no pipes,
 * and an agent has only one peer.
 */
final class StreamTransport {
  private static final int READ_SIZE = 64 << 10;

  private final ReadableByteChannel in;
  private final GatheringByteChannel out;
  private final EmbeddedChannel pipeline;

  /**
   * A connection that is open.
   *
   * @param handlers the pipeline, from the network inwards
   */
  StreamTransport(ReadableByteChannel in, GatheringByteChannel out, ChannelHandler... handlers) {
    this.in = in;
    this.out = out;
    pipeline = new EmbeddedChannel(handlers);
  }

  /**
   * Serves until the peer closes the connection, or the pipeline does.
   *
   * @return whether it was the peer
   * @throws IOException if the connection breaks
   */
  boolean serve() throws IOException {
    writeAnswers();
    ByteBuf buffer = newBuffer();
    try {
      while (pipeline.isOpen()) {
        ByteBuffer space = buffer.nioBuffer(0, READ_SIZE);
        int count = in.read(space);
        if (count < 0) {
          return true;
        }
        buffer.setIndex(0, count);
        pipeline.writeInbound(buffer.retain());
        writeAnswers();
        if (buffer.refCnt() > 1) { // a PDU's beginning waits there for its end
          buffer.release();
          buffer = newBuffer();
        }
      }
      return false;
    } finally {
      buffer.release();
      pipeline.finishAndReleaseAll();
    }
  }

  private static ByteBuf newBuffer() {
    return UnpooledByteBufAllocator.DEFAULT.directBuffer(READ_SIZE, READ_SIZE);
  }

  private void writeAnswers() throws IOException {
    ByteBuf answers = pipeline.readOutbound();
    if (answers == null) {
      return;
    }
    for (ByteBuf next = pipeline.readOutbound(); next != null; next = pipeline.readOutbound()) {
      answers = Unpooled.wrappedBuffer(answers, next);
    }
    try {
      if (answers.nioBufferCount() == 1) {
        ByteBuffer bytes = answers.nioBuffer();
        while (bytes.hasRemaining()) {
          out.write(bytes);
        }
      } else {
        ByteBuffer[] parts = answers.nioBuffers();
        while (parts[parts.length - 1].hasRemaining()) {
          out.write(parts);
        }
      }
    } finally {
      answers.release();
    }
  }
}
