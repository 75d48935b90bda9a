package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.List;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.PmidList;

/**
 * RESULT. As the reply to a {@link Fetch}, it has one value set per requested PMID, in the order of
 * the request and including duplicates. As a request, it has values to be stored; the reply is a
 * {@link PduError}. See pmFetch(3) and pmStore(3).
 *
 * <pre>
 * 12 sec     from an agent {@link org.jmmv.pcp.StateChange} flags, not a time
 * 16 usec
 * 20 nPmid
 * 24 nPmid times
 *      pmid
 *      numval            the number of values, 0 for none at the moment, negative for an error
 *      only if numval &gt; 0:
 *        valfmt          {@link ValueSet#INSITU} or {@link ValueSet#DPTR}
 *        numval times
 *          inst          {@link Instance#NULL} for a singular value
 *          value         INSITU: the value; DPTR: the offset of its block from the start of the header, in 4-byte words
 *    blocks              one per DPTR value, in the order of the values, up to the end of the PDU
 * </pre>
 *
 * @param from in a store the client context, in a reply 0
 * @param seconds in a reply {@link org.jmmv.pcp.StateChange} flags; in a store undefined
 * @param microseconds in a reply 0; in a store undefined
 * @param sets one per PMID
 */
public record Result(int from, int seconds, int microseconds, List<ValueSet> sets)
    implements Request, Reply, PmidList {

  public Result {
    sets = List.copyOf(sets);
  }

  @Override
  public int count() {
    return sets.size();
  }

  @Override
  public int pmid(int index) {
    return sets.get(index).pmid();
  }

  static Result decode(int from, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    int seconds = in.word("sec");
    int microseconds = in.word("usec");
    return new Result(from, seconds, microseconds, decodeSets(in, in.word("nPmid")));
  }

  /** Decodes the value sets and their blocks. */
  static List<ValueSet> decodeSets(PduBody in, int count) throws MalformedPduException {
    in.requireLeft("nPmid", count, 8);
    ValueSet[] sets = new ValueSet[count];
    Blocks blocks = new Blocks(in);
    for (int i = 0; i < sets.length; i++) {
      sets[i] = decodeSet(in, blocks);
    }
    blocks.end();
    return Arrays.asList(sets);
  }

  private static ValueSet decodeSet(PduBody in, Blocks blocks) throws MalformedPduException {
    int pmid = in.word("pmid");
    int numval = in.word("numval");
    if (numval <= 0) {
      return ValueSet.none(pmid, numval);
    }
    int format = in.word("valfmt");
    // libpcp sends the format that it uses in memory; SPTR is another one for values in blocks.
    if (format != ValueSet.INSITU && format != ValueSet.DPTR && format != ValueSet.SPTR) {
      throw in.malformed("valfmt " + format + " unknown");
    }
    in.requireLeft("numval", numval, 8);
    InstanceValue[] values = new InstanceValue[numval];
    for (int i = 0; i < numval; i++) {
      int instance = in.word("inst");
      int word = in.word("value");
      values[i] =
          new InstanceValue(
              instance, format == ValueSet.INSITU ? new Value.Word(word) : blocks.next(word));
    }
    return ValueSet.of(pmid, Arrays.asList(values));
  }

  /**
   * Reads the value blocks. They must be contiguous and follow the value sets, as libpcp writes
   * them. Otherwise all values of a hostile PDU could share one large block, which would be decoded
   * once for each of them.
   */
  private static final class Blocks {
    private final PduBody in;
    private int first;
    private int next;

    Blocks(PduBody in) {
      this.in = in;
    }

    /** Reads the next block, which must be at an offset of {@code words} 4-byte words. */
    Value.Block next(int words) throws MalformedPduException {
      if (words < 0 || words > in.length() / 4) {
        throw in.malformed("value block at word " + words + " is outside the body");
      }
      if (first == 0) {
        first = words * 4;
        next = first;
      }
      if (words * 4 != next) {
        throw in.malformed("value block at " + words * 4 + " instead of " + next);
      }
      Value.Block block = Value.Block.decode(in, next);
      next += block.encodedLength();
      return block;
    }

    /** Checks, after the last set, that the blocks fill the rest of the PDU. */
    void end() throws MalformedPduException {
      if (first == 0) {
        in.end();
      } else if (first != in.offset()) {
        throw in.malformed("value blocks begin at " + first + ", value sets end");
      } else if (next != in.length()) {
        throw in.malformed("value blocks end at " + next + " of " + in.length() + " bytes, begin");
      }
    }
  }

  @Override
  public void encodeBody(ByteBuf out) {
    out.writeInt(seconds).writeInt(microseconds).writeInt(sets.size());
    encodeSets(sets, HEADER_LENGTH + 12, out);
  }

  /**
   * Appends the value sets and their blocks.
   *
   * @param start the offset of the first set from the start of the header
   */
  static void encodeSets(List<ValueSet> sets, int start, ByteBuf out) {
    int block = start;
    for (ValueSet set : sets) {
      block += set.encodedLength();
    }
    for (ValueSet set : sets) {
      out.writeInt(set.pmid()).writeInt(set.status());
      if (set.status() > 0) {
        out.writeInt(set.format());
      }
      for (InstanceValue value : set.values()) {
        out.writeInt(value.instance());
        switch (value.value()) {
          case Value.Word word -> out.writeInt(word.bits());
          case Value.Block data -> {
            out.writeInt(block / 4);
            block += data.encodedLength();
          }
        }
      }
    }
    for (ValueSet set : sets) {
      for (InstanceValue value : set.values()) {
        if (value.value() instanceof Value.Block data) {
          data.encode(out);
        }
      }
    }
  }
}
