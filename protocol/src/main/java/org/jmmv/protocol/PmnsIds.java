package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import java.util.List;

/**
 * PMNS_IDS. As a request, it asks for all names of one PMID, and the reply is {@link PmnsNames};
 * see pmNameAll(3). As a reply to {@link PmnsNames}, it has the PMID of a name.
 *
 * <pre>
 * 12 status    unused, 0
 * 16 n         at least 1
 * 20 n times
 *      pmid
 * </pre>
 *
 * @param from in a request the client context, in a reply 0
 * @param status not interpreted
 * @param pmids at least one; exactly one between pmcd and an agent
 */
public record PmnsIds(int from, int status, List<Integer> pmids) implements Request, Reply {
  public PmnsIds {
    pmids = List.copyOf(pmids);
  }

  static PmnsIds decode(int from, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    int status = in.word("status");
    return new PmnsIds(from, status, in.wordsToEnd("n", Integer.MAX_VALUE));
  }

  @Override
  public void encodeBody(ByteBuf out) {
    out.writeInt(status).writeInt(pmids.size());
    pmids.forEach(out::writeInt);
  }
}
