package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;

/**
 * TEXT: a help text of a metric or an instance domain. The reply to {@link TextReq}.
 *
 * <pre>
 * 12 ident
 * 16 len, text
 * </pre>
 *
 * @param from 0
 * @param ident the request's ident; agents built on libpcp_pmda send it in host byte order, and
 *     pmcd ignores it
 * @param text one line or more
 */
public record Text(int from, int ident, String text) implements Reply {
  static Text decode(int from, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    int ident = in.word("ident");
    String text = in.text("text");
    in.end();
    return new Text(from, ident, text);
  }

  @Override
  public void encodeBody(ByteBuf out) {
    out.writeInt(ident);
    PduBody.writeText(out, text);
  }
}
