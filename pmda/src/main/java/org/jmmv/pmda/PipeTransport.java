package org.jmmv.pmda;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.Closeable;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.jmmv.posix.PosixProcess;
import org.jmmv.serving.Spinning;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the pipe to the pmcd that has started this process, in the caller's thread. In a loop, it
 * reads the available bytes, passes them to the pipeline, and writes all replies before it reads
 * again.
 *
 * <p>Netty has no channel for pipes, so the pipeline is that of an {@link EmbeddedChannel}. A flush
 * blocks until everything is written; therefore no requests are read from a peer that does not read
 * its replies.
 */
public final class PipeTransport implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(PipeTransport.class);

  /**
   * The descriptor of the pipe to pmcd. The launcher moves the pipe there from standard output,
   * because messages that the JVM prints to standard output would corrupt the stream of PDUs.
   */
  public static final int REPLY_DESCRIPTOR = 3;

  /**
   * A reply of this size is written without waiting for pmcd. The kernel permits no more to users.
   */
  private static final int PIPE_SIZE = 1 << 20;

  /** A pipe has 64 KiB by default, so that one read takes what pmcd has sent. */
  private static final int READ_SIZE = 64 << 10;

  /** A request after a pause is often followed by one or two more only. */
  private static final int MIN_SHORT_WAITS = 8;

  private final ReadableByteChannel in;
  private final IntPredicate awaitInput;
  private final WritableByteChannel out;
  private ByteBuf buffer = newBuffer(); // for input
  private final Spinning spinning = new Spinning(MIN_SHORT_WAITS);

  /**
   * Creates a transport.
   *
   * @param awaitInput waits for input, up to a number of milliseconds, and returns whether there is
   *     any
   */
  PipeTransport(ReadableByteChannel in, IntPredicate awaitInput, WritableByteChannel out) {
    this.in = in;
    this.awaitInput = awaitInput;
    this.out = out;
  }

  /**
   * Opens standard input and {@link #REPLY_DESCRIPTOR}, and sets the pipe's size to 1 MiB. Must be
   * called before the process changes its user: the kernel permits opening the pipe through {@code
   * /proc/self/fd} only to the user who created it.
   *
   * @throws IOException if {@link #REPLY_DESCRIPTOR} can't be opened for writing
   */
  public static PipeTransport open() throws IOException {
    PosixProcess.setPipeSize(REPLY_DESCRIPTOR, PIPE_SIZE);
    return new PipeTransport(
        new FileInputStream(FileDescriptor.in).getChannel(),
        PosixProcess.awaitingInput(0),
        openReplies());
  }

  private static WritableByteChannel openReplies() throws IOException {
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

  /** A channel that writes to the pipe when it is flushed. */
  private static final class PipeChannel extends EmbeddedChannel {
    private final WritableByteChannel out;
    private Exception failure;

    PipeChannel(WritableByteChannel out, ChannelInitializer<Channel> pipeline) {
      super(false, false, pipeline);
      this.out = out;
      config().setAutoRead(false); // exchange() reads
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer replies) throws IOException {
      try {
        while (!replies.isEmpty()) {
          ByteBuf reply = (ByteBuf) replies.current();
          replies.removeBytes(out.write(first(reply)));
        }
      } catch (IOException | RuntimeException e) {
        failure = e; // Netty only closes the channel; serve() throws this exception
        throw e;
      }
    }

    /** Returns the bytes of a reply, or the first ones if it consists of several buffers. */
    private static ByteBuffer first(ByteBuf reply) {
      return reply.nioBufferCount() == 1
          ? reply.internalNioBuffer(reply.readerIndex(), reply.readableBytes())
          : reply.nioBuffers()[0];
    }
  }

  /**
   * Serves until the peer or the pipeline closes the channel, or until {@link #close}.
   *
   * @return false if the pipeline has closed the channel
   * @throws IOException if reading or writing fails
   */
  boolean serve(ChannelInitializer<Channel> pipeline) throws IOException {
    PipeChannel channel = new PipeChannel(out, pipeline);
    try {
      register(channel);
      boolean isOpen = true;
      while (isOpen && channel.isOpen()) {
        isOpen = exchange(channel);
      }
      if (!in.isOpen()) {
        return true; // close()
      }
      if (channel.failure != null) {
        throw new IOException(
            "the replies can't be written: " + channel.failure.getMessage(), channel.failure);
      }
      return !isOpen;
    } finally {
      buffer.release();
      channel.finishAndReleaseAll();
    }
  }

  /**
   * Waits for input, and passes it to the pipeline.
   *
   * @return false if there is no more
   */
  private boolean exchange(PipeChannel channel) throws IOException {
    spinning.begin();
    long nanos = channel.runScheduledPendingTasks();
    if (!spin() && nanos >= 0) {
      runTasks(channel, nanos);
    }
    if (!channel.isOpen()) {
      return true; // a task has closed it
    }
    int count = read();
    if (count < 0) {
      return false;
    }
    spinning.end();
    buffer.setIndex(0, count);
    pass(channel);
    if (buffer.refCnt() > 1) { // the decoder keeps an incomplete PDU in this buffer
      buffer.release();
      buffer = newBuffer();
    }
    return true;
  }

  /** Passes the buffer to the pipeline, and runs what that has executed. */
  private void pass(PipeChannel channel) {
    try {
      channel.writeInbound(buffer.retain());
    } catch (RuntimeException e) { // of a task; the pipeline handles those of requests
      LOG.error("a task failed", e);
    }
  }

  /** Reads into the buffer. Returns the number of bytes, or -1 after the last one. */
  private int read() throws IOException {
    try {
      return in.read(buffer.internalNioBuffer(0, READ_SIZE));
    } catch (ClosedChannelException e) {
      return -1; // close()
    }
  }

  /** Polls for input if that is worth while. Returns whether there is any. */
  private boolean spin() {
    while (spinning.isDue()) {
      if (awaitInput.test(0)) {
        return true;
      }
      Thread.onSpinWait();
    }
    return false;
  }

  /**
   * Runs the tasks that the pipeline has scheduled, while there is no input.
   *
   * @param first the time until the first one is due, in nanoseconds
   */
  private void runTasks(PipeChannel channel, long first) {
    long nanos = first;
    while (nanos >= 0 && !awaitInput.test((int) TimeUnit.NANOSECONDS.toMillis(nanos) + 1)) {
      nanos = channel.runScheduledPendingTasks();
    }
  }

  /** Activates the channel, so that the pipeline sends its first PDU. */
  private static void register(PipeChannel channel) throws IOException {
    try {
      channel.register();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  /**
   * Makes {@link #serve} return, also while it waits for input or for the peer to read replies. Any
   * thread may call this method.
   */
  @Override
  public void close() throws IOException {
    in.close();
    out.close();
  }

  private static ByteBuf newBuffer() {
    return UnpooledByteBufAllocator.DEFAULT.directBuffer(READ_SIZE, READ_SIZE);
  }
}
