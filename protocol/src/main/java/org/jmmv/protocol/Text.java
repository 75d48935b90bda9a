package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;

/**
 * TEXT: the help text of a metric or an instance domain.
 *
 * <pre>
 * 12 ident
 * 16 len, text
 * </pre>
 *
 * @param ident what was asked for; agents of libpcp_pmda send it in their host's byte order, and
 *     nobody reads it
 */
public record Text(int from, int ident, String text) implements Pdu {

  @Override
  public PduType type() {
    return PduType.TEXT;
  }

  public static Text decode(int from, ByteBuf body) throws MalformedPduException {
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
