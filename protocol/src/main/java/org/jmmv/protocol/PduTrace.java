package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import java.util.HexFormat;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Shows the PDUs of a connection while that is enabled, in a format similar to that of PCP's tools
 * with {@code -D pdu}.
 *
 * @param isEnabled called for each PDU
 * @param texts receives one text of several lines per PDU, without a final line end
 */
public record PduTrace(BooleanSupplier isEnabled, Consumer<String> texts) {
  /** The maximum number of words that are shown. */
  private static final int MAX_WORDS = 1024;

  private static final int WORDS_PER_LINE = 8;
  private static final HexFormat HEX = HexFormat.of();

  /** Shows a PDU that has come in. Its indexes do not change. */
  void received(ByteBuf pdu) {
    show("recv ", pdu);
  }

  /** Shows a PDU that goes out. Its indexes do not change. */
  void sent(ByteBuf pdu) {
    show("xmit ", pdu);
  }

  private void show(String direction, ByteBuf pdu) {
    if (isEnabled.getAsBoolean()) {
      texts.accept(direction + dump(pdu));
    }
  }

  /**
   * Formats a PDU: a line with type, length and sender, then its words in hexadecimal, eight a
   * line, the last filled up with {@code 7e}, the padding byte.
   *
   * @param pdu at least a header, and not the end of a long PDU; its indexes do not change
   * @return several lines, the last one without a line end
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
    if (end < pdu.getInt(start)) {
      text.append("\n... ").append(pdu.getInt(start) - end).append(" bytes more");
    }
    return text.toString();
  }
}
