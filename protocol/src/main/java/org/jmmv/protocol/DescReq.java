package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;

/**
 * DESC_REQ: requests the descriptor of a metric. The reply is a {@link Desc}.
 *
 * <pre>
 * 12 pmid
 * </pre>
 *
 * @param from the client context
 * @param pmid a {@link org.jmmv.pcp.Pmid}
 */
public record DescReq(int from, int pmid) implements Request {
  static DescReq decode(int from, ByteBuf body) throws MalformedPduException {
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
