package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.List;

/**
 * Splits the stream into PDUs, and passes on one message per PDU: a {@link Pdu}, a {@link
 * MalformedPdu} or an {@link UnknownPdu}. A single handler does both, because each handler takes
 * its time of every request.
 *
 * <p>If a length is less than the header's or over the limit, the boundaries of all later PDUs are
 * unknown: the decoder fires a {@link CorruptedFrameException} and discards the rest of the stream.
 *
 * <p>While the channel is not writable, because the peer does not read its replies, the decoder
 * passes no PDUs on: a single read may contain thousands of requests with large replies. The
 * transport must not read meanwhile.
 *
 * <p>If the PDUs of one read take too long to process, the decoder passes the others on later, so
 * that other connections of the event loop are served in between.
 */
public final class PduDecoder extends ByteToMessageDecoder {
  private static final int LENGTH_SIZE = 4;

  private final int maxLength;
  private final long turnNanos;
  private final PduTrace trace;
  private boolean corrupted;
  private boolean paused;
  private boolean turnEnded;
  private long turnStart; // of the current read

  /**
   * Creates a decoder for one connection.
   *
   * @param maxLength the longest PDU that is accepted, in bytes, header included
   * @param turnNanos after how many nanoseconds the PDUs of one read have to wait
   * @param trace shows each PDU before it is decoded
   */
  PduDecoder(int maxLength, long turnNanos, PduTrace trace) {
    this.maxLength = maxLength;
    this.turnNanos = turnNanos;
    this.trace = trace;
  }

  /**
   * Returns whether PDUs that were read wait to be passed on. The transport must not read
   * meanwhile.
   */
  public boolean isPaused() {
    return paused;
  }

  /** Returns whether the last PDU read is not complete yet. */
  public boolean isInsidePdu() {
    return !paused && !corrupted && actualReadableBytes() > 0;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object bytes) throws Exception {
    turnStart = System.nanoTime();
    super.channelRead(ctx, bytes);
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    if (corrupted) {
      in.skipBytes(in.readableBytes());
      return;
    }
    if (!turnEnded && System.nanoTime() - turnStart > turnNanos) {
      turnEnded = true;
      ctx.executor().execute(() -> nextTurn(ctx));
    }
    paused = turnEnded || !ctx.channel().isWritable();
    int available = in.readableBytes();
    if (!paused && available >= LENGTH_SIZE) {
      int length = checked(in.getInt(in.readerIndex()));
      if (available >= length) {
        out.add(readMessage(in, length));
      }
    }
  }

  /** Reads a PDU whose bytes are all there. Those of the next PDUs are out of its reach. */
  private Object readMessage(ByteBuf in, int length) {
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

  private static Object message(ByteBuf pdu) {
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

  private void nextTurn(ChannelHandlerContext ctx) {
    turnEnded = false;
    if (ctx.channel().isWritable() && !ctx.isRemoved()) {
      resume(ctx);
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

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) throws Exception {
    if (ctx.channel().isWritable() && paused && !turnEnded) {
      paused = false;
      ctx.executor().execute(() -> resume(ctx)); // Later, because this call may be within a write.
    }
    super.channelWritabilityChanged(ctx);
  }

  /** Decodes what was read before the pause. */
  private void resume(ChannelHandlerContext ctx) {
    try {
      channelRead(ctx, Unpooled.EMPTY_BUFFER);
      channelReadComplete(ctx);
    } catch (Exception e) {
      ctx.fireExceptionCaught(e);
    }
  }
}
