package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Shows the PDUs of a connection while that is enabled.
 *
 * @param isEnabled called for each PDU
 * @param texts receives one text of several lines per PDU, without a final line end
 */
public record PduTrace(BooleanSupplier isEnabled, Consumer<String> texts) {

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
      texts.accept(direction + PduDump.of(pdu));
    }
  }
}
