package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.StringJoiner;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.PmidList;

/**
 * FETCH: requests the values of metrics; see pmFetch(3). The reply is a {@link Result} with one
 * value set per PMID.
 *
 * <pre>
 * 12 context
 * 16 0, 0
 * 24 nPmid    at least 1
 * 28 pmid...
 * </pre>
 *
 * @param from the client context
 * @param context the client's own number of the context
 * @param pmids the PMIDs as encoded; of a decoded PDU, a view of its frame that is valid until the
 *     frame is released
 */
public record Fetch(int from, int context, ByteBuf pmids) implements Pdu, PmidList {

  /** Returns a request for the given PMIDs. */
  public static Fetch of(int from, int context, int... pmids) {
    return new Fetch(from, context, Unpooled.copyInt(pmids));
  }

  @Override
  public int count() {
    return pmids.readableBytes() / 4;
  }

  @Override
  public int pmid(int index) {
    return pmids.getInt(pmids.readerIndex() + 4 * index);
  }

  @Override
  public String toString() {
    StringJoiner list = new StringJoiner(", ", "Fetch[from=" + from + ", pmids=[", "]]");
    for (int i = 0; i < count(); i++) {
      list.add(Pmid.toString(pmid(i)));
    }
    return list.toString();
  }

  @Override
  public PduType type() {
    return PduType.FETCH;
  }

  /**
   * Decodes the body, without copying it.
   *
   * @throws MalformedPduException if the body is malformed
   */
  public static Fetch decode(int from, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    int context = in.word("context");
    in.word("time");
    in.word("time");
    int count = in.count("nPmid", 4);
    if (count == 0) {
      throw in.malformed("nPmid 0");
    }
    ByteBuf pmids = in.slice(4 * count);
    in.end();
    return new Fetch(from, context, pmids);
  }

  @Override
  public void encodeBody(ByteBuf out) {
    out.writeInt(context).writeInt(0).writeInt(0).writeInt(count());
    out.writeBytes(pmids, pmids.readerIndex(), 4 * count());
  }
}
