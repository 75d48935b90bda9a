package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.StringJoiner;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.PmidList;

/**
 * FETCH or HIGHRES_FETCH: requests the values of metrics; see pmFetch(3). The reply is a {@link
 * Result} or a {@link HighResResult} with one value set per PMID. Immutable.
 *
 * <pre>
 * 12 context
 * 16 0, 0
 * 24 nPmid    at least 1
 * 28 pmid...
 * </pre>
 *
 * <p>This is not a record because a record would expose its array and compare it by identity.
 */
public final class Fetch implements Request, PmidList {
  private final int from;
  private final int context;
  private final boolean isHighRes;
  private final int[] pmids;

  private Fetch(int from, int context, boolean isHighRes, int[] pmids) {
    this.from = from;
    this.context = context;
    this.isHighRes = isHighRes;
    this.pmids = pmids;
  }

  /**
   * Returns a request.
   *
   * @param from the client context
   * @param context the client's own number of the context
   * @param pmids the PMIDs, which are copied
   */
  public static Fetch of(int from, int context, int... pmids) {
    return new Fetch(from, context, false, pmids.clone());
  }

  /** As {@link #of}, but the reply is a {@link HighResResult}. */
  public static Fetch highRes(int from, int context, int... pmids) {
    return new Fetch(from, context, true, pmids.clone());
  }

  @Override
  public int from() {
    return from;
  }

  /** Returns the client's own number of the context. */
  public int context() {
    return context;
  }

  /** Returns whether the reply is a {@link HighResResult}. */
  public boolean isHighRes() {
    return isHighRes;
  }

  @Override
  public int count() {
    return pmids.length;
  }

  @Override
  public int pmid(int index) {
    return pmids[index];
  }

  @Override
  public PduType type() {
    return isHighRes ? PduType.HIGHRES_FETCH : PduType.FETCH;
  }

  /**
   * Decodes the body.
   *
   * @throws MalformedPduException if the body is malformed
   */
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
    return new Fetch(from, context, isHighRes, pmids);
  }

  @Override
  public void encodeBody(ByteBuf out) {
    out.writeInt(context).writeInt(0).writeInt(0).writeInt(pmids.length);
    for (int pmid : pmids) {
      out.writeInt(pmid);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Fetch that
        && from == that.from
        && context == that.context
        && isHighRes == that.isHighRes
        && Arrays.equals(pmids, that.pmids);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * from + context) + Arrays.hashCode(pmids);
  }

  @Override
  public String toString() {
    StringJoiner list = new StringJoiner(", ", "Fetch[from=" + from + ", pmids=[", "]]");
    for (int pmid : pmids) {
      list.add(Pmid.toString(pmid));
    }
    return list.toString();
  }
}
