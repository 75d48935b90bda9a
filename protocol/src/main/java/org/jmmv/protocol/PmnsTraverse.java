package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;

/**
 * PMNS_TRAVERSE: requests the full names of all leaves below a name; see pmTraversePMNS(3). The
 * reply is {@link PmnsNames}.
 *
 * <pre>
 * 12 0
 * 16 namelen, name
 * </pre>
 *
 * @param from the client context
 * @param name a leaf or non-leaf
 */
public record PmnsTraverse(int from, String name) implements Request {
  static PmnsTraverse decode(int from, ByteBuf body) throws MalformedPduException {
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
