package org.jmmv.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelEntry;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.TextType;
import org.jmmv.pcp.ValueType;

/** Sample PDUs of every type, with contents that exercise the encoding. */
final class SamplePdus {

  /** All 256 bytes as text. */
  static final String ALL_BYTES =
      IntStream.range(0, 256)
          .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
          .toString();

  private SamplePdus() {}

  static List<Pdu> all() {
    List<Pdu> pdus = new ArrayList<>();
    pdus.add(new PduError(1, 0));
    pdus.add(new PduError(0, PmError.PMID.code()));
    pdus.add(new Result(0, 0, 0, List.of()));
    pdus.add(result());
    pdus.add(Profile.all(3, 0));
    pdus.add(new Profile(3, 7, false, List.of()));
    pdus.add(
        new Profile(
            3,
            Integer.MAX_VALUE,
            true,
            List.of(
                new InDomProfile(InDom.build(70, 1), false, 1, -2, 3),
                new InDomProfile(InDom.build(70, 2), true),
                new InDomProfile(InDom.NULL, true, 9))));
    pdus.add(Fetch.of(5, 5, Pmid.build(70, 1, 2)));
    pdus.add(Fetch.of(5, -1, IntStream.range(0, 300).toArray()));
    pdus.add(Fetch.highRes(5, 5, 1, 2));
    pdus.add(new HighResResult(0, 1L << 40, 999_999_999, result().sets()));
    pdus.add(new DescIds(1, List.of(1, Pmid.NULL)));
    pdus.add(
        new Descs(
            0,
            List.of(
                new Desc(0, 1, ValueType.U64, InDom.NULL, 3, 0x1f013000),
                new Desc(0, Pmid.NULL, 0, 0, 0, 0))));
    pdus.add(new DescReq(1, Pmid.NULL));
    pdus.add(new Desc(0, 1, ValueType.NOSUPPORT, InDom.NULL, 3, 0x1f013000));
    pdus.add(new InstanceReq(1, 2, Instance.NULL, ""));
    pdus.add(new InstanceReq(1, 2, 3, "1 minute"));
    pdus.add(new Instances(0, 2, List.of()));
    pdus.add(
        new Instances(
            0,
            2,
            List.of(new Instance(1, ""), new Instance(-5, ALL_BYTES), new Instance(2, "abc"))));
    pdus.add(new TextReq(1, 2, TextType.ONELINE | TextType.PMID));
    for (int length = 0; length < 9; length++) {
      pdus.add(new Text(0, length, "x".repeat(length)));
    }
    pdus.add(new Text(0, -1, ALL_BYTES));
    pdus.add(new ControlReq(2));
    pdus.add(Creds.version2(1234));
    pdus.add(new Creds(1234, List.of(0x01020004, -1)));
    pdus.add(new PmnsIds(2, 0, List.of(1, -1, 3)));
    pdus.add(new PmnsNames(0, List.of(), List.of()));
    pdus.add(new PmnsNames(0, List.of("mmv.a", "", ALL_BYTES), List.of()));
    pdus.add(new PmnsNames(0, List.of("abcd", "e"), List.of(0, 1)));
    pdus.add(new PmnsChild(1, true, "mmv"));
    pdus.add(new PmnsChild(1, false, ""));
    pdus.add(new PmnsTraverse(1, "mmv.x"));
    pdus.add(new Attr(1, 11, "joe"));
    pdus.add(new Attr(1, 11, ""));
    pdus.add(new LabelReq(1, -1, LabelType.CONTEXT));
    pdus.add(new Label(0, 1, LabelType.ITEM, List.of()));
    pdus.add(
        new Label(
            0,
            1,
            LabelType.INSTANCES,
            List.of(
                new LabelSet(0, new Labels("", List.of())),
                new LabelSet(
                    1,
                    new Labels(
                        "{\"a\":1,\"b\":2}",
                        List.of(new LabelEntry(2, 1, 32, 5, 1), new LabelEntry(8, 1, 160, 11, 1)))),
                new LabelSet(2, new Labels("{}", List.of())),
                new LabelSet(
                    -1, new Labels(ALL_BYTES, List.of(new LabelEntry(1, 255, 255, 0, 256)))))));
    return pdus;
  }

  /** Returns a number of any type as a value. */
  static Value number(int type, long bits) {
    if (type == ValueType.I32 || type == ValueType.U32) {
      return new Value.Word((int) bits);
    }
    byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(bits).array();
    int size = ValueType.size(type);
    return new Value.Block(type, new String(bytes, Long.BYTES - size, size, ISO_8859_1));
  }

  /** A result with every kind of value. */
  static Result result() {
    List<InstanceValue> strings = new ArrayList<>();
    for (int length = 0; length < 5; length++) {
      strings.add(new InstanceValue(length, Value.ofText("s".repeat(length))));
    }
    return new Result(
        0,
        0x18,
        -1,
        List.of(
            ValueSet.none(1, PmError.PMID.code()),
            ValueSet.of(
                2, List.of(new InstanceValue(Instance.NULL, number(ValueType.U32, 0xfffffffeL)))),
            ValueSet.of(3, strings),
            ValueSet.none(4, 0),
            ValueSet.of(
                5,
                List.of(
                    new InstanceValue(0, number(ValueType.I64, Long.MIN_VALUE)),
                    new InstanceValue(1, number(ValueType.U64, -1)),
                    new InstanceValue(2, number(ValueType.FLOAT, Float.floatToIntBits(0.5f))),
                    new InstanceValue(
                        3, number(ValueType.DOUBLE, Double.doubleToLongBits(Math.PI))),
                    new InstanceValue(4, new Value.Block(255, "")))),
            ValueSet.of(
                2,
                List.of(
                    new InstanceValue(7, new Value.Word(8)),
                    new InstanceValue(9, new Value.Word(10))))));
  }

  static ByteBuf encode(Pdu pdu) {
    ByteBuf out = Unpooled.buffer();
    pdu.encode(out);
    return out;
  }

  /**
   * Decodes a frame like {@link PduDecoder}, but throws if it is malformed. The frame's indexes do
   * not change.
   */
  static Pdu decode(ByteBuf frame) throws MalformedPduException {
    PduType type = PduType.of(frame.getInt(frame.readerIndex() + 4));
    int from = frame.getInt(frame.readerIndex() + 8);
    return Pdu.decode(type, from, frame.slice().skipBytes(Pdu.HEADER_LENGTH));
  }
}
