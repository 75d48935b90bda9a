package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;

/**
 * PMNS_CHILD: the relative names just below this name, please. The reply is {@link PmnsNames}.
 *
 * <pre>
 * 12 subtype        0, or 1 for statuses with the names
 * 16 namelen, name
 * </pre>
 *
 * @param withStatus whether leaves and non-leaves shall be told apart
 */
public record PmnsChild(int from, boolean withStatus, String name) implements Pdu {

  @Override
  public PduType type() {
    return PduType.PMNS_CHILD;
  }

  public static PmnsChild decode(int from, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    boolean withStatus = in.word("subtype") != 0;
    String name = in.text("name");
    in.end();
    return new PmnsChild(from, withStatus, name);
  }

  @Override
  public void encodeBody(ByteBuf out) {
    out.writeInt(withStatus ? 1 : 0);
    PduBody.writeText(out, name);
  }
}
