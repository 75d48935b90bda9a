package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;

/**
 * PMNS_TRAVERSE: the full names of all leaves below this name, please. The reply is {@link
 * PmnsNames}.
 *
 * <pre>
 * 12 0
 * 16 namelen, name
 * </pre>
 */
public record PmnsTraverse(int from, String name) implements Pdu {

  @Override
  public PduType type() {
    return PduType.PMNS_TRAVERSE;
  }

  public static PmnsTraverse decode(int from, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    in.word("subtype");
    String name = in.text("name");
    in.end();
    return new PmnsTraverse(from, name);
  }

  @Override
  public void encodeBody(ByteBuf out) {
    out.writeInt(0);
    PduBody.writeText(out, name);
  }
}
