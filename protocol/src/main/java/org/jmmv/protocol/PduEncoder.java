package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;

/** Encodes outgoing {@link Pdu}s. A message that is already a {@link ByteBuf} passes unchanged. */
final class PduEncoder extends ChannelOutboundHandlerAdapter {

  /** In bytes. Only lists and long texts need more, and make the buffer grow. */
  private static final int INITIAL_CAPACITY = 1024;

  private final PduTrace trace;
  private ByteBuf buffer = Unpooled.EMPTY_BUFFER; // for one PDU after the other

  /** Creates an encoder for one connection. */
  PduEncoder(PduTrace trace) {
    this.trace = trace;
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    ByteBuf encoded = message instanceof ByteBuf bytes ? bytes : encode(ctx, (Pdu) message);
    if (encoded.isReadable()) {
      trace.sent(encoded);
    }
    ctx.write(encoded, promise);
  }

  private ByteBuf encode(ChannelHandlerContext ctx, Pdu pdu) {
    ByteBuf encoded = emptyBuffer(ctx).retain();
    try {
      pdu.encode(encoded);
      return encoded;
    } catch (RuntimeException e) {
      encoded.release();
      throw e;
    }
  }

  /** Returns the buffer of the last PDU, or another one if that PDU waits or needed more room. */
  private ByteBuf emptyBuffer(ChannelHandlerContext ctx) {
    if (buffer.refCnt() > 1 || buffer.capacity() != INITIAL_CAPACITY) {
      buffer.release();
      buffer = ctx.alloc().ioBuffer(INITIAL_CAPACITY);
    }
    return buffer.clear();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    buffer.release();
  }
}
