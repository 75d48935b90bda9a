package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;

/**
 * PMNS_CHILD: requests the children of a name, relative to it; see pmGetChildren(3). The reply is
 * {@link PmnsNames}, which is empty for a leaf.
 *
 * <pre>
 * 12 subtype        0 names only, 1 names and statuses
 * 16 namelen, name
 * </pre>
 *
 * @param from the client context
 * @param withStatus whether the reply shall tell leaves from non-leaves
 * @param name a leaf or non-leaf
 */
public record PmnsChild(int from, boolean withStatus, String name) implements Request {
  static PmnsChild decode(int from, ByteBuf body) throws MalformedPduException {
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
