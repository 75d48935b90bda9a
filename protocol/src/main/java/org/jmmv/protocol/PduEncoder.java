package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.MessageToByteEncoder;

/** Encodes PDUs. What is encoded already, a {@link ByteBuf}, passes. */
final class PduEncoder extends MessageToByteEncoder<Pdu> {

  /** Room for all but lists and long texts, for which the buffer grows. */
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
