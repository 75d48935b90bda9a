package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Converts between encoded PDUs and messages, and traces the PDUs of both directions. A single
 * handler does all three, because each handler takes its time of every request.
 *
 * <p>Each frame of {@link PduFrameDecoder} becomes one message: a {@link Pdu}, a {@link
 * MalformedPdu} or an {@link UnknownPdu}. Outgoing {@link Pdu}s are encoded; a message that is
 * already a {@link ByteBuf} passes unchanged.
 */
final class PduCodec extends ChannelDuplexHandler {

  /** In bytes. Only lists and long texts need more, and make the buffer grow. */
  private static final int INITIAL_CAPACITY = 1024;

  private final BooleanSupplier isTraced;
  private final Consumer<String> trace;
  private ByteBuf buffer = Unpooled.EMPTY_BUFFER; // for one PDU after the other

  /**
   * Creates a codec.
   *
   * @param isTraced called for each PDU; returns whether to trace it
   * @param trace receives one text of several lines per traced PDU, without a final line end
   */
  PduCodec(BooleanSupplier isTraced, Consumer<String> trace) {
    this.isTraced = isTraced;
    this.trace = trace;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf frame = (ByteBuf) message;
    Object pdu;
    try {
      trace("recv ", frame);
      pdu = decode(frame);
    } finally {
      frame.release();
    }
    ctx.fireChannelRead(pdu);
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

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    ByteBuf encoded = message instanceof ByteBuf bytes ? bytes : encode(ctx, (Pdu) message);
    if (encoded.isReadable()) {
      trace("xmit ", encoded);
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

  private void trace(String direction, ByteBuf pdu) {
    if (isTraced.getAsBoolean()) {
      trace.accept(direction + PduDump.of(pdu));
    }
  }
}
