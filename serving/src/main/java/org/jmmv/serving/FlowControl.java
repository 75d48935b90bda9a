package org.jmmv.serving;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.CoalescingBufferQueue;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.nio.channels.ClosedChannelException;
import java.util.function.IntSupplier;
import org.jmmv.core.Turn;
import org.jmmv.pcp.User;

/**
 * Lets a connection have requests decoded only as fast as its peer takes the replies, and in the
 * turns that a {@link Scheduler} gives to its user. It comes before the decoder, a {@link
 * ByteToMessageDecoder} that decodes one message at a time ({@link
 * ByteToMessageDecoder#setSingleDecode}).
 *
 * <ul>
 *   <li>While the channel is not writable, nothing is decoded: a single read may contain thousands
 *       of requests with large replies.
 *   <li>A {@link LongReply} is written a piece at a time, and the next request is decoded when it
 *       is complete.
 *   <li>With TLS, a turn also decrypts what was read and encrypts replies, a piece at a time.
 *   <li>The socket is read only when all that was read before has been decoded, and the replies
 *       have been written. So the end of the stream is read last, and a peer that has shut down
 *       only its side receives all replies.
 *   <li>{@link Timeouts}, if there are any, close the connection.
 * </ul>
 */
public final class FlowControl extends ChannelDuplexHandler implements Scheduler.Worker {
  /** What is encrypted at once: one record of TLS, which takes a millisecond. */
  private static final int TLS_PIECE = 16 << 10;

  /**
   * What TLS keeps for a connection at most, in bytes. Measured with hundreds of connections: 25 KB
   * during a handshake and 5 KB after it, when 16 KB of an incomplete record may be added.
   */
  static final int TLS_STATE = 32 << 10;

  private final IntSupplier undecodedBytes;
  private final Scheduler scheduler;
  private final Timeouts timeouts; // null: there are none
  private Scheduler.Connection connection;
  private ChannelHandlerContext ctx;
  private ByteBuf input = Unpooled.EMPTY_BUFFER; // read since the last turn
  private boolean mayDecode; // the last message was not incomplete, or more was read
  private long received; // number of messages
  private TlsInput tls; // null: without TLS
  private CoalescingBufferQueue unwritten; // with TLS only: replies that are not encrypted yet
  private boolean isWriting;
  private ChannelPromise lastWrite;
  private Throwable failure; // why replies could not be written
  private LongReply reply; // that is being written; null: none is
  private boolean isReplyWaiting;
  private boolean isClosedHere;
  private boolean hasEnded; // the peer has ended its side of TLS

  /**
   * Creates the handler of a connection.
   *
   * @param undecodedBytes returns the number of bytes that the decoder keeps
   * @param scheduler gives the turns
   * @param user the user at the other end
   * @param timeouts when the connection is closed; null: never
   */
  public FlowControl(
      IntSupplier undecodedBytes, Scheduler scheduler, User user, Timeouts timeouts) {
    this.undecodedBytes = undecodedBytes;
    this.scheduler = scheduler;
    this.timeouts = timeouts;
    connection = scheduler.open(user, this);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    ctx = context;
  }

  /**
   * Has another user get the turns, and be charged: one for whom a proxy asks. It is not called in
   * a turn, for which the former user is charged.
   */
  public void setUser(User user) {
    connection.close();
    connection = scheduler.open(user, this);
    if (timeouts != null) {
      timeouts.setUser(user);
    }
    awaitTurn();
  }

  /** Returns whether anything was read that is not decoded. */
  boolean hasUndecoded() {
    return input.isReadable() || undecodedBytes.getAsInt() > 0;
  }

  /** Has turns include what TLS does from now on. */
  void startTls(TlsInput encrypted) {
    tls = encrypted;
    unwritten = new CoalescingBufferQueue(ctx.channel());
  }

  // ---------------------------------------------------------------- requests

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    input = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), input, (ByteBuf) message);
    mayDecode = true;
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    awaitTurn();
  }

  /** Waits for a turn if there is something to do. Most turns come before the next read. */
  void awaitTurn() {
    if (isReady()) {
      connection.await();
    } else {
      update();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    ctx.fireChannelWritabilityChanged();
    update();
    awaitTurn(); // if there was something to do, but too much had been written
  }

  /** A decoder reads by itself if it needs more bytes, also while nothing may be read. */
  @Override
  public void read(ChannelHandlerContext context) {
    if (ctx.channel().config().isAutoRead()) {
      ctx.read();
    }
  }

  /** The end of TLS is that of the stream, which may be behind it, or not come at all. */
  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    hasEnded |= event instanceof SslCloseCompletionEvent;
    if (event instanceof SslHandshakeCompletionEvent) {
      tls.endHandshake();
    }
    ctx.fireUserEventTriggered(event);
    awaitTurn();
  }

  private boolean hasWork() {
    return (reply == null ? mayDecode : !isReplyWaiting)
        || (tls != null && (tls.hasInput() || !unwritten.isEmpty()));
  }

  /** Called when what is kept for the connection may have changed. */
  public void update() {
    if (!ctx.channel().isActive()) {
      return;
    }
    if (ctx.channel().unsafe().outboundBuffer() == null) { // nothing can be written any more
      ctx.close();
      return;
    }
    if (hasEnded && reply == null && !hasWork() && !isWriting) {
      ctx.close();
      return;
    }
    pause();
    connection.setReplying(isWriting || (reply != null && !isReplyWaiting));
    if (timeouts != null) {
      int undecoded = undecodedBytes.getAsInt();
      timeouts.update(!hasWork() && undecoded > 0, received, keptBytes(undecoded));
    }
  }

  /** Reads nothing until the next turn, if there is something to do in it. */
  @Override
  public void pause() {
    ctx.channel().config().setAutoRead(!hasWork() && !mayDecode && !isWriting);
  }

  private long keptBytes(int undecoded) {
    long unread = ctx.channel().unsafe().outboundBuffer().totalPendingWriteBytes();
    long ofTls = tls == null ? 0 : TLS_STATE + tls.bytes() + unwritten.readableBytes();
    long ofReply = reply == null ? 0 : reply.bytes();
    return unread + ofTls + undecoded + input.readableBytes() + ofReply;
  }

  @Override
  public boolean work(Turn turn) {
    boolean hasAnswered = false;
    boolean isOver = !isReady();
    while (!isOver) {
      if (unwritten != null && !unwritten.isEmpty()) {
        ChannelPromise piece = ctx.newPromise();
        ctx.writeAndFlush(unwritten.remove(TLS_PIECE, piece), piece);
      } else if (reply != null && !isReplyWaiting) {
        hasAnswered |= writePiece(turn);
      } else if (reply == null && mayDecode) {
        decode();
        hasAnswered = true;
      } else {
        tls.decrypt();
      }
      isOver = !isReady() || turn.isOver();
    }
    if (hasAnswered) {
      ctx.fireChannelReadComplete();
    }
    update();
    return isReady();
  }

  private boolean isReady() {
    return !ctx.isRemoved() && ctx.channel().isActive() && ctx.channel().isWritable() && hasWork();
  }

  private void decode() {
    ByteBuf next = input;
    input = Unpooled.EMPTY_BUFFER;
    int before = undecodedBytes.getAsInt() + next.readableBytes();
    mayDecode = false;
    ctx.fireChannelRead(next);
    int left = undecodedBytes.getAsInt();
    if (left < before) {
      received++;
      mayDecode |= left > 0;
    }
  }

  // ---------------------------------------------------------------- replies

  /** Writes a reply from the next turn on. The last one is complete. */
  public void send(LongReply next) {
    reply = next;
    resume();
  }

  /** Has the reply go on that is {@linkplain LongReply.Progress#WAITING waiting}. */
  public void resume() {
    isReplyWaiting = false;
    awaitTurn();
  }

  /** Returns whether the reply is complete. */
  private boolean writePiece(Turn turn) {
    LongReply.Progress progress = reply.writePiece(turn);
    switch (progress) {
      case MORE -> {}
      case WAITING -> isReplyWaiting = true;
      case END -> endReply();
    }
    return progress == LongReply.Progress.END;
  }

  private void endReply() {
    LongReply ended = reply;
    reply = null;
    if (ended != null) {
      ended.close();
    }
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    lastWrite = promise;
    if (unwritten == null) {
      ctx.write(message, promise);
    } else {
      unwritten.add((ByteBuf) message, promise);
    }
  }

  @Override
  public void flush(ChannelHandlerContext context) {
    if (unwritten == null) {
      ctx.flush();
    } else {
      awaitTurn(); // in which it is encrypted and flushed
    }
    if (lastWrite == null || isWriting) {
      return;
    }
    if (lastWrite.isDone()) {
      failure = lastWrite.cause();
    } else {
      awaitWritten();
    }
  }

  private void awaitWritten() {
    isWriting = true;
    ChannelPromise awaited = lastWrite;
    awaited.addListener(_ -> {
      isWriting = false;
      failure = awaited.cause();
      if (!lastWrite.isDone()) { // more was written since
        awaitWritten();
      } else {
        update();
      }
    });
  }

  // ---------------------------------------------------------------- the end

  /** A handler of the pipeline closes the channel. */
  @Override
  public void close(ChannelHandlerContext context, ChannelPromise promise) {
    isClosedHere = true;
    ctx.close(promise);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    input.release();
    endReply();
    connection.close();
    if (unwritten != null) {
      unwritten.releaseAndFailAll(new ClosedChannelException());
    }
    if (timeouts != null) {
      timeouts.end();
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
