package org.jmmv.pmda;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ReadableByteChannel;
import org.jmmv.reader.posix.PosixProcess;

/**
 * Serves the pipe that pmcd starts an agent with, in the caller's thread: reads what there is, lets
 * the pipeline answer, and writes all answers to it before it reads again.
 *
 * <p>Netty has no channel for pipes, so this feeds the pipeline of an {@link EmbeddedChannel},
 * whose flushes block until all is written: a peer that does not read its replies is not read from.
 */
public final class PipeTransport {
  /** Where the launcher puts the pipe to pmcd, so that nothing that the JVM prints gets there. */
  public static final int REPLY_DESCRIPTOR = 3;

  private static final int PIPE_SIZE = 1 << 20;
  private static final int READ_SIZE = 64 << 10;

  private final ReadableByteChannel in;
  private final GatheringByteChannel out;

  PipeTransport(ReadableByteChannel in, GatheringByteChannel out) {
    this.in = in;
    this.out = out;
  }

  /**
   * Opens standard input and {@link #REPLY_DESCRIPTOR}. That has to be done before the user
   * changes: then a pipe can't be opened through /proc any more.
   *
   * @throws IOException if the launcher has not put the pipe where it should be
   */
  public static PipeTransport open() throws IOException {
    PosixProcess.setPipeSize(REPLY_DESCRIPTOR, PIPE_SIZE);
    return new PipeTransport(new FileInputStream(FileDescriptor.in).getChannel(), openReplies());
  }

  private static GatheringByteChannel openReplies() throws IOException {
    try {
      return new FileOutputStream("/proc/self/fd/" + REPLY_DESCRIPTOR, true).getChannel();
    } catch (IOException e) {
      throw new IOException(
          "descriptor "
              + REPLY_DESCRIPTOR
              + " can't be written to, it should be pmdajmmv's standard output: "
              + e.getMessage(),
          e);
    }
  }

  /** A channel whose flushes write to the pipe, several answers at once. */
  private static final class PipeChannel extends EmbeddedChannel {
    private final GatheringByteChannel out;
    private Exception failure;

    PipeChannel(GatheringByteChannel out, ChannelInitializer<Channel> pipeline) {
      super(false, false, pipeline);
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
   * Serves until the peer closes the pipe, or the pipeline does.
   *
   * @return whether it was the peer
   * @throws IOException if the pipe breaks
   */
  boolean serve(ChannelInitializer<Channel> pipeline) throws IOException {
    PipeChannel channel = new PipeChannel(out, pipeline);
    ByteBuf buffer = newBuffer();
    try {
      register(channel);
      while (channel.isOpen()) {
        int count = in.read(buffer.nioBuffer(0, READ_SIZE));
        if (count < 0) {
          return true;
        }
        buffer.setIndex(0, count);
        channel.writeInbound(buffer.retain());
        if (buffer.refCnt() > 1) { // the beginning of a PDU waits there for its end
          buffer.release();
          buffer = newBuffer();
        }
      }
      if (channel.failure != null) {
        throw new IOException(
            "the answers can't be written: " + channel.failure.getMessage(), channel.failure);
      }
      return false;
    } finally {
      buffer.release();
      channel.finishAndReleaseAll();
    }
  }

  /** Lets the pipeline begin to speak. */
  private static void register(PipeChannel channel) throws IOException {
    try {
      channel.register();
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
