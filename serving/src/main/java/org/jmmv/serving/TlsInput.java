package org.jmmv.serving;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;

/**
 * Keeps what was read of a connection with TLS until its turn: to decrypt 64 KiB of short records
 * takes long. It comes before the handler that decrypts.
 */
final class TlsInput extends ChannelDuplexHandler {
  /** What is decrypted at once: up to 200 records, which take some milliseconds. */
  private static final int PIECE = 4 << 10;

  /**
   * What a byte of an unfinished handshake takes in the heap at most: a key share of 5 bytes is
   * three objects. Without it, 900 clients with 30 KB of them took 400 MB.
   */
  private static final long HANDSHAKE_HEAP = 14;

  private final FlowControl flow;
  private ChannelHandlerContext ctx;
  private ByteBuf input = Unpooled.EMPTY_BUFFER;
  private long decrypted; // number of bytes
  private boolean isHandshaken;

  TlsInput(FlowControl flow) {
    this.flow = flow;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    ctx = context;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    input = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), input, (ByteBuf) message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    flow.awaitTurn();
  }

  /** The handler that decrypts reads by itself if it needs more bytes, also while it has some. */
  @Override
  public void read(ChannelHandlerContext context) {
    if (ctx.channel().config().isAutoRead()) {
      ctx.read();
    }
  }

  boolean hasInput() {
    return input.isReadable();
  }

  /** Returns what is kept of the input, in bytes. */
  long bytes() {
    return input.readableBytes() + (isHandshaken ? 0 : HANDSHAKE_HEAP * decrypted);
  }

  /** Called when the handshake is complete, so that nothing is kept of its messages any more. */
  void endHandshake() {
    isHandshaken = true;
  }

  /** Passes on the next piece. */
  void decrypt() {
    ByteBuf piece = input.readRetainedSlice(Math.min(PIECE, input.readableBytes()));
    decrypted += piece.readableBytes();
    if (!input.isReadable()) {
      input.release();
      input = Unpooled.EMPTY_BUFFER;
    }
    ctx.fireChannelRead(piece);
    ctx.fireChannelReadComplete();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    input.release();
    input = Unpooled.EMPTY_BUFFER;
  }
}
