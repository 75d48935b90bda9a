package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.MessageToByteEncoder;

/** Encodes outgoing {@link Pdu}s. A message that is already a {@link ByteBuf} passes unchanged. */
final class PduEncoder extends MessageToByteEncoder<Pdu> {

  /** In bytes. Only lists and long texts need more, and make the buffer grow. */
  private static final int INITIAL_CAPACITY = 1024;

  PduEncoder() {
    super(Pdu.class);
  }

  @Override
  protected ByteBuf allocateBuffer(ChannelHandlerContext ctx, Pdu pdu, boolean preferDirect) {
    return preferDirect
        ? ctx.alloc().ioBuffer(INITIAL_CAPACITY)
        : ctx.alloc().heapBuffer(INITIAL_CAPACITY);
  }

  @Override
  protected void encode(ChannelHandlerContext ctx, Pdu pdu, ByteBuf out) {
    pdu.encode(out);
  }
}
