package org.jmmv.serving;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.function.IntSupplier;

/**
 * Lets a connection have requests decoded only as fast as its peer takes the replies, and as other
 * connections permit. It comes before the decoder, a {@link ByteToMessageDecoder} that decodes one
 * message at a time ({@link ByteToMessageDecoder#setSingleDecode}).
 *
 * <ul>
 *   <li>While the channel is not writable, nothing is decoded: a single read may contain thousands
 *       of requests with large replies.
 *   <li>After 1 ms, the other messages of a read wait for the other connections of the event loop.
 *   <li>The socket is read only when all that was read before has been decoded, and the replies
 *       have been written. So the end of the stream is read last, and a peer that has shut down
 *       only its side receives all replies.
 *   <li>{@link Timeouts}, if there are any, close the connection.
 * </ul>
 */
public final class FlowControl extends ChannelDuplexHandler {
  private static final long TURN_NANOS = 1_000_000;

  private final IntSupplier undecodedBytes;
  private final Timeouts timeouts; // null: there are none
  private ByteBuf held = Unpooled.EMPTY_BUFFER; // read while nothing may be decoded
  private boolean isPaused;
  private boolean isInTurn;
  private long turnStart;
  private long received; // number of messages
  private boolean isWriting;
  private ChannelPromise lastWrite;
  private Throwable failure; // why replies could not be written
  private boolean isClosedHere;

  /**
   * Creates the handler of a connection that waits for its peer as long as it takes.
   *
   * @param undecodedBytes returns the number of bytes that the decoder keeps
   */
  public FlowControl(IntSupplier undecodedBytes) {
    this(undecodedBytes, null);
  }

  /**
   * Creates the handler of a connection.
   *
   * @param undecodedBytes returns the number of bytes that the decoder keeps
   * @param timeouts when the connection is closed
   */
  public FlowControl(IntSupplier undecodedBytes, Timeouts timeouts) {
    this.undecodedBytes = undecodedBytes;
    this.timeouts = timeouts;
  }

  // ---------------------------------------------------------------- requests

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (!isInTurn) {
      isInTurn = true;
      turnStart = System.nanoTime();
    }
    if (pauses(ctx)) { // TLS passes on several records of one read
      held = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), held, bytes);
      return;
    }
    int before;
    int left = undecodedBytes.getAsInt() + bytes.readableBytes();
    ByteBuf next = bytes;
    do {
      before = left;
      ctx.fireChannelRead(next);
      next = Unpooled.EMPTY_BUFFER;
      left = undecodedBytes.getAsInt();
      received += left < before ? 1 : 0;
    } while (left > 0 && left < before && !pauses(ctx));
  }

  /** Returns whether no message may be decoded now. */
  private boolean pauses(ChannelHandlerContext ctx) {
    if (!isPaused) {
      if (!ctx.channel().isWritable()) {
        isPaused = true;
      } else if (System.nanoTime() - turnStart > TURN_NANOS) {
        isPaused = true;
        resumeLater(ctx);
      }
    }
    return isPaused;
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (isPaused && ctx.channel().isWritable()) {
      resumeLater(ctx); // because this call may be within a write
    }
    ctx.fireChannelWritabilityChanged();
    update(ctx);
  }

  private void resumeLater(ChannelHandlerContext ctx) {
    ctx.executor().execute(() -> resume(ctx));
  }

  private void resume(ChannelHandlerContext ctx) {
    if (isPaused && !ctx.isRemoved() && ctx.channel().isActive()) {
      isPaused = false;
      ByteBuf bytes = held;
      held = Unpooled.EMPTY_BUFFER;
      channelRead(ctx, bytes);
      channelReadComplete(ctx);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    isInTurn = false;
    ctx.fireChannelReadComplete();
    update(ctx);
  }

  private void update(ChannelHandlerContext ctx) {
    ctx.channel().config().setAutoRead(!isPaused && !isWriting);
    if (timeouts != null) {
      timeouts.update(ctx.channel(), !isPaused && undecodedBytes.getAsInt() > 0, received);
    }
  }

  // ---------------------------------------------------------------- replies

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    lastWrite = promise;
    ctx.write(message, promise);
  }

  @Override
  public void flush(ChannelHandlerContext ctx) {
    ctx.flush();
    if (lastWrite == null || isWriting) {
      return;
    }
    if (lastWrite.isDone()) {
      failure = lastWrite.cause();
    } else {
      awaitWritten(ctx);
    }
  }

  private void awaitWritten(ChannelHandlerContext ctx) {
    isWriting = true;
    ChannelPromise awaited = lastWrite;
    awaited.addListener(_ -> {
      isWriting = false;
      failure = awaited.cause();
      if (!lastWrite.isDone()) { // written meanwhile
        awaitWritten(ctx);
      } else {
        update(ctx);
      }
    });
  }

  // ---------------------------------------------------------------- the end

  /** A handler of the pipeline closes the channel. */
  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    isClosedHere = true;
    ctx.close(promise);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    held.release();
    if (timeouts != null) {
      timeouts.end(ctx.channel());
    }
  }

  /** Returns whether the pipeline has closed the channel, not the peer. */
  public boolean isClosedHere() {
    return isClosedHere;
  }

  /**
   * Returns why replies could not be written, or null. A peer that leaves before its first request
   * misses nothing.
   */
  public Throwable failure() {
    return received == 0 ? null : failure;
  }
}
