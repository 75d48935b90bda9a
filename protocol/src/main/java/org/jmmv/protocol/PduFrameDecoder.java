package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.nio.ByteOrder;

/**
 * Cuts the stream into PDUs: passes on one {@link ByteBuf} for each, header included, to be
 * released by the receiver.
 *
 * <p>A length below the header's or over the limit means that the stream can't be trusted any more:
 * a {@link CorruptedFrameException} goes down the pipeline, and nothing is passed on from then on.
 *
 * <p>While the peer does not read what it was sent, and the channel is not writable, nothing is
 * passed on and no more is read: one read may hold thousands of requests with large replies.
 */
final class PduFrameDecoder extends LengthFieldBasedFrameDecoder {
  private static final int LENGTH_SIZE = 4;

  private final int maxLength;
  private boolean corrupted;
  private boolean paused;

  /**
   * A decoder for one connection.
   *
   * @param maxLength the longest PDU that is accepted, in bytes, header included
   */
  PduFrameDecoder(int maxLength) {
    // the length is the first field and counts itself
    super(maxLength, 0, LENGTH_SIZE, -LENGTH_SIZE, 0);
    this.maxLength = maxLength;
  }

  @Override
  protected Object decode(ChannelHandlerContext ctx, ByteBuf in) throws Exception {
    if (corrupted) {
      in.skipBytes(in.readableBytes());
      return null;
    }
    paused = !ctx.channel().isWritable();
    return paused ? null : super.decode(ctx, in);
  }

  @Override
  protected long getUnadjustedFrameLength(ByteBuf in, int offset, int size, ByteOrder order) {
    int length = in.getInt(offset);
    if (length < Pdu.HEADER_LENGTH || length > maxLength) {
      corrupted = true;
      throw new CorruptedFrameException(
          "PDU length " + length + " is not within " + Pdu.HEADER_LENGTH + " to " + maxLength);
    }
    return length;
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) throws Exception {
    boolean isWritable = ctx.channel().isWritable();
    ctx.channel().config().setAutoRead(isWritable);
    if (isWritable && paused) {
      paused = false;
      ctx.executor().execute(() -> goOn(ctx)); // this may be called in the middle of a write
    }
    super.channelWritabilityChanged(ctx);
  }

  /** Decodes what was read before the pause. */
  private void goOn(ChannelHandlerContext ctx) {
    try {
      channelRead(ctx, Unpooled.EMPTY_BUFFER);
      channelReadComplete(ctx);
    } catch (Exception e) {
      ctx.fireExceptionCaught(e);
    }
  }
}
