package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.List;

/**
 * Cuts the stream into PDUs: passes on one {@link ByteBuf} for each, header included, to be
 * released by the receiver.
 *
 * <p>A length below the header's or over the limit means that the stream can't be trusted any more:
 * what was received is discarded, a {@link CorruptedFrameException} goes down the pipeline, and
 * nothing is passed on ever after.
 */
public final class PduFrameDecoder extends ByteToMessageDecoder {

  /**
   * The limit for an agent, in bytes: 4 MiB. pmcd limits what its clients send to 64 KiB unless
   * told otherwise.
   */
  public static final int MAX_REQUEST = 4 << 20;

  private final int maxLength;
  private boolean corrupted;

  /**
   * @param maxLength the longest PDU that is accepted, in bytes, header included
   */
  public PduFrameDecoder(int maxLength) {
    this.maxLength = maxLength;
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    if (corrupted) {
      in.skipBytes(in.readableBytes());
      return;
    }
    if (in.readableBytes() < 4) {
      return;
    }
    int length = in.getInt(in.readerIndex());
    if (length < Pdu.HEADER_LENGTH || length > maxLength) {
      corrupted = true;
      in.skipBytes(in.readableBytes());
      throw new CorruptedFrameException(
          "PDU length " + length + " is not within " + Pdu.HEADER_LENGTH + " to " + maxLength);
    }
    if (in.readableBytes() >= length) {
      out.add(in.readRetainedSlice(length));
    }
  }
}
