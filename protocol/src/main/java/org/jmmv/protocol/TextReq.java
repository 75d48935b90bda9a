package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import org.jmmv.pcp.TextType;

/**
 * TEXT_REQ: requests a help text of a metric or an instance domain; see pmLookupText(3). The reply
 * is a {@link Text}.
 *
 * <pre>
 * 12 ident
 * 16 type
 * </pre>
 *
 * @param from the client context
 * @param ident a PMID or an instance domain, depending on the type
 * @param textType a combination of the bits of {@link TextType}
 */
public record TextReq(int from, int ident, int textType) implements Request {
  static TextReq decode(int from, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    int ident = in.word("ident");
    int textType = in.word("type");
    in.end();
    return new TextReq(from, ident, textType);
  }

  @Override
  public void encodeBody(ByteBuf out) {
    out.writeInt(ident).writeInt(textType);
  }
}
