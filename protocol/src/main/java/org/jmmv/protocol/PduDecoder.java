package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Decodes each frame of {@link PduFrameDecoder} to one message: a {@link Pdu}, a {@link
 * MalformedPdu} or an {@link UnknownPdu}. The frame is released when the next handler returns, and
 * views of the frame, as in {@link Fetch}, are invalid from then on.
 */
final class PduDecoder extends ChannelInboundHandlerAdapter {

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!(message instanceof ByteBuf frame)) {
      ctx.fireChannelRead(message);
      return;
    }
    try {
      ctx.fireChannelRead(decode(frame));
    } finally {
      frame.release();
    }
  }

  private static Object decode(ByteBuf frame) {
    int length = frame.readInt();
    int code = frame.readInt();
    int from = frame.readInt();
    PduType type = PduType.of(code);
    if (type == null) {
      return new UnknownPdu(from, code, length);
    }
    try {
      return Pdu.decode(type, from, frame);
    } catch (MalformedPduException e) {
      return new MalformedPdu(from, type, e.getMessage());
    }
  }
}
