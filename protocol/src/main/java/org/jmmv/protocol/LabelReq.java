package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import org.jmmv.pcp.LabelType;

/**
 * LABEL_REQ: requests labels. The reply is a {@link Label}.
 *
 * <pre>
 * 12 ident
 * 16 type
 * </pre>
 *
 * @param from the client context
 * @param ident by type, the number of a domain, an instance domain or a PMID
 * @param labelType one of {@link LabelType}
 */
public record LabelReq(int from, int ident, int labelType) implements Request {
  static LabelReq decode(int from, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    int ident = in.word("ident");
    int labelType = in.word("type");
    in.end();
    return new LabelReq(from, ident, labelType);
  }

  @Override
  public void encodeBody(ByteBuf out) {
    out.writeInt(ident).writeInt(labelType);
  }
}
