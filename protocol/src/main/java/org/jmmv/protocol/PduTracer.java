package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.util.HexFormat;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Traces the PDUs in both directions, in a format similar to that of PCP's tools with {@code -D
 * pdu}. Its place is between {@link PduFrameDecoder} and {@link PduDecoder}.
 */
final class PduTracer extends ChannelDuplexHandler {

  /** The maximum number of words of a PDU in the trace. */
  private static final int MAX_WORDS = 1024;

  private static final int WORDS_PER_LINE = 8;
  private static final HexFormat HEX = HexFormat.of();

  private final BooleanSupplier enabled;
  private final Consumer<String> sink;

  /**
   * Creates a tracer.
   *
   * @param enabled called for each PDU; returns whether to trace it
   * @param sink receives one text of several lines per PDU, without a final line end
   */
  PduTracer(BooleanSupplier enabled, Consumer<String> sink) {
    this.enabled = enabled;
    this.sink = sink;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    trace("recv ", message);
    ctx.fireChannelRead(message);
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    trace("xmit ", message);
    ctx.write(message, promise);
  }

  private void trace(String direction, Object message) {
    if (enabled.getAsBoolean() && message instanceof ByteBuf pdu) {
      sink.accept(direction + dump(pdu));
    }
  }

  /**
   * Formats a PDU: a line with type, length and sender, then its words in hexadecimal, eight a
   * line, the last filled up with {@code 7e}, the padding byte.
   *
   * @param pdu at least a header; its indexes do not change
   */
  static String dump(ByteBuf pdu) {
    int start = pdu.readerIndex();
    int code = pdu.getInt(start + 4);
    PduType type = PduType.of(code);
    StringBuilder text = new StringBuilder();
    text.append(type != null ? type.name() : "TYPE-0x" + Integer.toHexString(code) + "?");
    text.append(" len=").append(pdu.getInt(start)).append(" from=").append(pdu.getInt(start + 8));
    int end = Math.min(pdu.readableBytes(), MAX_WORDS * 4);
    for (int offset = 0; offset < end; offset += 4) {
      if (offset / 4 % WORDS_PER_LINE == 0) {
        text.append('\n').append(offset / 4).append(':');
      }
      text.append(' ');
      for (int i = offset; i < offset + 4; i++) {
        HEX.toHexDigits(text, i < end ? pdu.getByte(start + i) : (byte) '~');
      }
    }
    if (end < pdu.readableBytes()) {
      text.append("\n... ").append(pdu.readableBytes() - end).append(" bytes more");
    }
    return text.toString();
  }
}
