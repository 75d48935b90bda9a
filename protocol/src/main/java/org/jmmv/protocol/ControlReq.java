package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;

/** CONTROL_REQ: no longer in use, has no reply, and its body is ignored. */
public record ControlReq(int from) implements Pdu {

  @Override
  public PduType type() {
    return PduType.CONTROL_REQ;
  }

  public static ControlReq decode(int from, ByteBuf body) {
    body.skipBytes(body.readableBytes());
    return new ControlReq(from);
  }

  @Override
  public void encodeBody(ByteBuf out) {}
}
