package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;

/**
 * CONTROL_REQ: obsolete. The body is ignored, and there is no reply.
 *
 * @param from the client context
 */
public record ControlReq(int from) implements Notice {
  /** Decodes the body. */
  public static ControlReq decode(int from, ByteBuf body) {
    body.skipBytes(body.readableBytes());
    return new ControlReq(from);
  }

  @Override
  public void encodeBody(ByteBuf out) {}
}
