package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.ValueType;

/**
 * DESC: the description of a metric, see pmLookupDesc(3).
 *
 * <pre>
 * 12 pmid
 * 16 type
 * 20 indom
 * 24 sem
 * 28 units   dimSpace:4 dimTime:4 dimCount:4 scaleSpace:4 scaleTime:4 scaleCount:4 pad:8, from the most significant bit down
 * </pre>
 *
 * @param valueType one of {@link ValueType}
 * @param inDom {@link InDom#NULL} if the metric is singular
 * @param semantics {@code PM_SEM_*}: 1 counter, 3 instantaneous, 4 discrete
 */
public record Desc(int from, int pmid, int valueType, int inDom, int semantics, int units)
    implements Pdu {

  @Override
  public PduType type() {
    return PduType.DESC;
  }

  public static Desc decode(int from, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    int pmid = in.word("pmid");
    int valueType = in.word("type");
    int inDom = in.word("indom");
    int semantics = in.word("sem");
    int units = in.word("units");
    in.end();
    return new Desc(from, pmid, valueType, inDom, semantics, units);
  }

  @Override
  public void encodeBody(ByteBuf out) {
    out.writeInt(pmid).writeInt(valueType).writeInt(inDom).writeInt(semantics).writeInt(units);
  }
}
