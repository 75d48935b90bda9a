package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;

/**
 * ATTR, also called AUTH: an attribute of a client, such as its user name. pmcd sends it only to
 * agents that requested it in their {@link Creds}. There is no reply.
 *
 * <pre>
 * 12 key
 * 16 value    up to the end of the PDU, with a NUL, not padded
 * </pre>
 *
 * @param from the client context
 * @param key {@code PCP_ATTR_*} of {@code <pcp/libpcp.h>}
 * @param value without the NUL
 */
public record Attr(int from, int key, String value) implements Notice {
  static Attr decode(int from, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    int key = in.word("key");
    String value = in.remaining();
    return new Attr(
        from, key, value.endsWith("\0") ? value.substring(0, value.length() - 1) : value);
  }

  @Override
  public void encodeBody(ByteBuf out) {
    out.writeInt(key);
    PduBody.writeBytes(out, value);
    out.writeByte(0);
  }
}
