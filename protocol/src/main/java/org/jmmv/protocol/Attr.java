package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;

/**
 * ATTR, also called AUTH: something of who a client is. It comes only to agents whose {@link Creds}
 * ask for it, and has no reply.
 *
 * <pre>
 * 12 key
 * 16 value    the rest of the PDU, unpadded, with a NUL
 * </pre>
 *
 * @param key {@code PCP_ATTR_*} of {@code <pcp/libpcp.h>}
 * @param value without the NUL
 */
public record Attr(int from, int key, String value) implements Pdu {

  @Override
  public PduType type() {
    return PduType.ATTR;
  }

  public static Attr decode(int from, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    int key = in.word("key");
    String value = in.rest();
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
