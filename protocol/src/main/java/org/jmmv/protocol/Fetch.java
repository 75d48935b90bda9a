package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import org.jmmv.pcp.PmidList;

/**
 * FETCH or HIGHRES_FETCH: requests the values of metrics; see pmFetch(3). The reply is a {@link
 * Result} or a {@link HighResResult} with one value set per PMID.
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
 * @param isHighRes whether the reply is a {@link HighResResult}
 */
public record Fetch(int from, int context, boolean isHighRes, PmidList pmids) implements Request {
  /**
   * Returns a request.
   *
   * @param from the client context
   * @param context the client's own number of the context
   * @param pmids the PMIDs, which are copied
   */
  public static Fetch of(int from, int context, int... pmids) {
    return new Fetch(from, context, false, PmidList.of(pmids.clone()));
  }

  /** As {@link #of}, but the reply is a {@link HighResResult}. */
  public static Fetch highRes(int from, int context, int... pmids) {
    return new Fetch(from, context, true, PmidList.of(pmids.clone()));
  }

  @Override
  public PduType type() {
    return isHighRes ? PduType.HIGHRES_FETCH : PduType.FETCH;
  }

  static Fetch decode(int from, boolean isHighRes, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    int context = in.word("context");
    in.word("time");
    in.word("time");
    int count = in.count("nPmid", 4);
    if (count == 0) {
      throw in.malformed("nPmid 0");
    }
    int[] pmids = in.words(count);
    in.end();
    return new Fetch(from, context, isHighRes, PmidList.of(pmids));
  }

  @Override
  public void encodeBody(ByteBuf out) {
    out.writeInt(context).writeInt(0).writeInt(0).writeInt(pmids.count());
    for (int i = 0; i < pmids.count(); i++) {
      out.writeInt(pmids.pmid(i));
    }
  }
}
