package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;

/**
 * DESC_REQ: the description of a metric, please. The reply is a {@link Desc}.
 *
 * <pre>
 * 12 pmid
 * </pre>
 */
public record DescReq(int from, int pmid) implements Pdu {

  @Override
  public PduType type() {
    return PduType.DESC_REQ;
  }

  public static DescReq decode(int from, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    int pmid = in.word("pmid");
    in.end();
    return new DescReq(from, pmid);
  }

  @Override
  public void encodeBody(ByteBuf out) {
    out.writeInt(pmid);
  }
}
