package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.List;

/**
 * Splits the stream into PDUs, and passes on one {@link Message} for each. A single handler does
 * both, because each handler takes its time of every request.
 *
 * <p>If a length is less than the header's or over the limit, the boundaries of all later PDUs are
 * unknown: the decoder fires a {@link CorruptedFrameException} and discards the rest of the stream.
 */
public final class PduDecoder extends ByteToMessageDecoder {
  private static final int LENGTH_SIZE = 4;

  private final int maxLength;
  private final PduTrace trace;
  private boolean corrupted;

  /**
   * Creates a decoder for one connection.
   *
   * @param maxLength the longest PDU that is accepted, in bytes, header included
   * @param trace shows each PDU before it is decoded
   */
  public PduDecoder(int maxLength, PduTrace trace) {
    this.maxLength = maxLength;
    this.trace = trace;
  }

  /** Returns the number of bytes that have been received, and not been decoded yet. */
  public int undecodedBytes() {
    return corrupted ? 0 : actualReadableBytes();
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    int available = in.readableBytes();
    if (corrupted) {
      in.skipBytes(available);
    } else if (available >= LENGTH_SIZE) {
      int length = checked(in.getInt(in.readerIndex()));
      if (available >= length) {
        out.add(readMessage(in, length));
      }
    }
  }

  private int checked(int length) {
    if (length < Pdu.HEADER_LENGTH || length > maxLength) {
      corrupted = true;
      throw new CorruptedFrameException(
          "PDU length " + length + " is not within " + Pdu.HEADER_LENGTH + " to " + maxLength);
    }
    return length;
  }

  /** Reads a PDU whose bytes are all there. Those of the next PDUs are out of its reach. */
  private Message readMessage(ByteBuf in, int length) {
    int start = in.readerIndex();
    int available = in.writerIndex();
    in.writerIndex(start + length);
    try {
      trace.received(in);
      return message(in);
    } finally {
      in.setIndex(start + length, available);
    }
  }

  private static Message message(ByteBuf pdu) {
    int length = pdu.readInt();
    int code = pdu.readInt();
    int from = pdu.readInt();
    PduType type = PduType.of(code);
    if (type == null) {
      return new UnknownPdu(from, code, length);
    }
    try {
      return Pdu.decode(type, from, pdu);
    } catch (MalformedPduException e) {
      return new MalformedPdu(from, type, e.getMessage());
    }
  }
}
