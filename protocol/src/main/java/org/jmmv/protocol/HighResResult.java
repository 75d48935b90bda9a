package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import java.util.List;

/**
 * HIGHRES_RESULT: the reply to a high-resolution {@link Fetch}. It has the value sets of a {@link
 * Result} and a time in nanoseconds.
 *
 * <pre>
 * 12 nPmid
 * 16 sec:64
 * 24 nsec:64
 * 32 nPmid value sets, then their blocks, as in {@link Result}
 * </pre>
 *
 * @param from 0
 * @param seconds the time of the values since the epoch
 * @param nanoseconds 0 to 999,999,999
 * @param sets one per PMID
 */
public record HighResResult(int from, long seconds, long nanoseconds, List<ValueSet> sets)
    implements Reply {
  public HighResResult {
    sets = List.copyOf(sets);
  }

  static HighResResult decode(int from, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    int count = in.word("nPmid");
    long seconds = in.doubleWord("sec");
    long nanoseconds = in.doubleWord("nsec");
    return new HighResResult(from, seconds, nanoseconds, Result.decodeSets(in, count));
  }

  @Override
  public void encodeBody(ByteBuf out) {
    out.writeInt(sets.size()).writeLong(seconds).writeLong(nanoseconds);
    Result.encodeSets(sets, HEADER_LENGTH + 20, out);
  }
}
