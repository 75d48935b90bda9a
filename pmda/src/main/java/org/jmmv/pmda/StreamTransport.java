package org.jmmv.pmda;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ReadableByteChannel;

/**
 * Serves one connection, a pipe or a socket, in the caller's thread: reads what there is, lets the
 * pipeline answer, and writes all answers to it before it reads again.
 *
 * <p>Reading and writing block, so a peer that sends without reading is not read from any more, and
 * what is buffered stays small. Netty's own event loops take no pipes, and an agent has only one
 * peer.
 */
final class StreamTransport {
  private static final int READ_SIZE = 64 << 10;

  private final ReadableByteChannel in;
  private final Pipeline pipeline;

  /**
   * A connection that is open.
   *
   * @param handlers the pipeline, from the network inwards
   */
  StreamTransport(ReadableByteChannel in, GatheringByteChannel out, ChannelHandler... handlers) {
    this.in = in;
    pipeline = new Pipeline(out, handlers);
  }

  /** A pipeline whose flushes write to a channel, several answers at once. */
  private static final class Pipeline extends EmbeddedChannel {
    private final GatheringByteChannel out;
    private Exception failure;

    Pipeline(GatheringByteChannel out, ChannelHandler... handlers) {
      super(false, false, handlers);
      this.out = out;
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer answers) throws IOException {
      try {
        while (!answers.isEmpty()) {
          ByteBuffer[] buffers = answers.nioBuffers();
          answers.removeBytes(out.write(buffers, 0, answers.nioBufferCount()));
        }
      } catch (IOException | RuntimeException e) {
        failure = e; // the pipeline only closes itself then
        throw e;
      }
    }
  }

  /**
   * Serves until the peer closes the connection, or the pipeline does.
   *
   * @return whether it was the peer
   * @throws IOException if the connection breaks
   */
  boolean serve() throws IOException {
    ByteBuf buffer = newBuffer();
    try {
      register();
      while (pipeline.isOpen()) {
        int count = read(buffer.nioBuffer(0, READ_SIZE));
        if (count < 0) {
          return true;
        }
        buffer.setIndex(0, count);
        pipeline.writeInbound(buffer.retain());
        if (buffer.refCnt() > 1) { // a PDU's beginning waits there for its end
          buffer.release();
          buffer = newBuffer();
        }
      }
      if (pipeline.failure != null) {
        throw new IOException(
            "the answers can't be written: " + pipeline.failure.getMessage(), pipeline.failure);
      }
      return false;
    } finally {
      buffer.release();
      pipeline.finishAndReleaseAll();
    }
  }

  /** Like the channel's; a peer that leaves before it has read everything has left as well. */
  private int read(ByteBuffer space) throws IOException {
    try {
      return in.read(space);
    } catch (SocketException reset) {
      return -1;
    }
  }

  /** Lets the pipeline begin to speak. */
  private void register() throws IOException {
    try {
      pipeline.register();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  private static ByteBuf newBuffer() {
    return UnpooledByteBufAllocator.DEFAULT.directBuffer(READ_SIZE, READ_SIZE);
  }
}
