package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
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

  @Override
  public PduType type() {
    return PduType.DESC_IDS;
  }

  static DescIds decode(int from, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    in.word("status");
    int count = in.count("n", 4);
    if (count == 0) {
      throw in.malformed("n 0");
    }
    List<Integer> pmids = new ArrayList<>(count);
    for (int pmid : in.words(count)) {
      pmids.add(pmid);
    }
    in.end();
    return new DescIds(from, pmids);
  }

  @Override
  public void encodeBody(ByteBuf out) {
    out.writeInt(-1).writeInt(pmids.size());
    pmids.forEach(out::writeInt);
  }
}
