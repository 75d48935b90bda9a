package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;

/**
 * DESC: the descriptor of a metric; see pmLookupDesc(3). The reply to {@link DescReq}.
 *
 * <pre>
 * 12 pmid
 * 16 type
 * 20 indom
 * 24 sem
 * 28 units
 * </pre>
 *
 * @param from 0
 * @param pmid a {@link Pmid}
 * @param valueType one of {@link ValueType}
 * @param inDom {@link InDom#NULL} if the metric is singular
 * @param semantics one of {@link Semantics}
 * @param units encoded as described at {@link Units#of}
 */
public record Desc(int from, int pmid, int valueType, int inDom, int semantics, int units)
    implements Reply {
  /** The length of the body in bytes. */
  static final int LENGTH = 20;

  static Desc decode(int from, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    Desc desc = decodeFields(from, in);
    in.end();
    return desc;
  }

  /** Decodes a descriptor that other fields may follow. */
  static Desc decodeFields(int from, PduBody in) throws MalformedPduException {
    int pmid = in.word("pmid");
    int valueType = in.word("type");
    int inDom = in.word("indom");
    int semantics = in.word("sem");
    int units = in.word("units");
    return new Desc(from, pmid, valueType, inDom, semantics, units);
  }

  @Override
  public void encodeBody(ByteBuf out) {
    int[] words = new int[LENGTH / Integer.BYTES];
    put(words, 0);
    for (int word : words) {
      out.writeInt(word);
    }
  }

  /** Puts the words of the body into an array, and returns the index behind them. */
  int put(int[] words, int at) {
    words[at++] = pmid;
    words[at++] = valueType;
    words[at++] = inDom;
    words[at++] = semantics;
    words[at++] = units;
    return at;
  }
}
