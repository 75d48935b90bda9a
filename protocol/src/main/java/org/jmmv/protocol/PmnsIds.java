package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/**
 * PMNS_IDS: as a request, the names of this PMID, please, with {@link PmnsNames} for the reply; as
 * a reply, the PMID of a name.
 *
 * <pre>
 * 12 status    a remnant, 0
 * 16 n         at least 1
 * 20 pmid...
 * </pre>
 */
public record PmnsIds(int from, int status, List<Integer> pmids) implements Pdu {

  public PmnsIds {
    pmids = List.copyOf(pmids);
  }

  @Override
  public PduType type() {
    return PduType.PMNS_IDS;
  }

  public static PmnsIds decode(int from, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    int status = in.word("status");
    int count = in.count("n", 4);
    if (count == 0) {
      throw in.malformed("n 0");
    }
    List<Integer> pmids = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      pmids.add(in.word("pmid"));
    }
    in.end();
    return new PmnsIds(from, status, pmids);
  }

  @Override
  public void encodeBody(ByteBuf out) {
    out.writeInt(status).writeInt(pmids.size());
    pmids.forEach(out::writeInt);
  }
}
