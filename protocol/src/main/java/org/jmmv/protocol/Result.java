package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.List;
import org.jmmv.pcp.Instance;

/**
 * RESULT: the values that a {@link Fetch} asked for, one set for each PMID in the order asked,
 * repeats included; or values to be stored.
 *
 * <pre>
 * 12 sec     of an agent: flags in the low byte, 0x08 labels have changed, 0x10 names have changed
 * 16 usec
 * 20 nPmid
 * 24 nPmid times
 *      pmid
 *      numval            the number of values; 0 if there are none now, negative for an error
 *      if numval &gt; 0:
 *        valfmt          {@link ValueSet#INSITU} or {@link ValueSet#DPTR}
 *        numval times
 *          inst          {@link Instance#NULL} for a singular value
 *          value         INSITU: the value; DPTR: the offset of its block in 4-byte words from the start of the header
 *    blocks              one for each DPTR value, in the order of the values, to the end of the PDU
 * </pre>
 *
 * @param seconds of a fetch's reply: an agent's flags for pmcd; of a store: garbage
 */
public record Result(int from, int seconds, int microseconds, List<ValueSet> sets) implements Pdu {

  public Result {
    sets = List.copyOf(sets);
  }

  @Override
  public PduType type() {
    return PduType.RESULT;
  }

  public static Result decode(int from, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    int seconds = in.word("sec");
    int microseconds = in.word("usec");
    ValueSet[] sets = new ValueSet[in.count("nPmid", 8)];
    Blocks blocks = new Blocks(in);
    for (int i = 0; i < sets.length; i++) {
      sets[i] = decodeSet(in, blocks);
    }
    blocks.end();
    return new Result(from, seconds, microseconds, Arrays.asList(sets));
  }

  private static ValueSet decodeSet(PduBody in, Blocks blocks) throws MalformedPduException {
    int pmid = in.word("pmid");
    int numval = in.word("numval");
    if (numval <= 0) {
      return ValueSet.none(pmid, numval);
    }
    int format = in.word("valfmt");
    // libpcp passes the format of its own memory on, which for a block may also be SPTR.
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
   * The value blocks. They must follow the value sets and each other without a gap, as libpcp
   * writes them: a PDU could otherwise have its bytes decoded over and over.
   */
  private static final class Blocks {
    private final PduBody in;
    private int first;
    private int next;

    Blocks(PduBody in) {
      this.in = in;
    }

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

    /** To be called after the last set. */
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
    int block = HEADER_LENGTH + 12;
    for (ValueSet set : sets) {
      block += set.encodedLength();
    }
    out.writeInt(seconds).writeInt(microseconds).writeInt(sets.size());
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
