package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jmmv.pcp.PmidList;

/**
 * DESC_IDS: requests the descriptors of several metrics; see pmLookupDescs(3). The reply is {@link
 * Descs}, or an ERROR if only one metric is asked for and it is unknown.
 *
 * <pre>
 * 12 -1
 * 16 n         at least 1
 * 20 n times
 *      pmid
 * </pre>
 *
 * @param from the client context
 * @param pmids at least one
 */
public record DescIds(int from, List<Integer> pmids) implements Request, PmidList {
  public DescIds {
    pmids = List.copyOf(pmids);
  }

  @Override
  public int count() {
    return pmids.size();
  }

  @Override
  public int pmid(int index) {
    return pmids.get(index);
  }

  static DescIds decode(int from, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    in.word("status");
    return new DescIds(from, in.wordsToEnd("n", Integer.MAX_VALUE));
  }

  @Override
  public void encodeBody(ByteBuf out) {
    out.writeInt(-1).writeInt(pmids.size());
    pmids.forEach(out::writeInt);
  }
}
