package org.jmmv.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.stream.Stream;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelEntry;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.TextType;
import org.jmmv.pcp.ValueType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * PDUs recorded from pmdammv and dbpmda of PCP 6.0.3 on a pipe. Decoding and encoding must
 * reproduce every byte.
 */
class StockAgentPduTest {

  private static final int INDOM = 0x119c2807;
  private static final int DEPTH = 0x118e1402;
  private static final String LONG_NAME =
      "an_instance_name_that_is_longer_than_the_sixty_three_bytes_which_version_one_can_hold";

  static Stream<Arguments> replies() {
    return Stream.of(
        arguments("00000014 0000700c 000058b3 00000001 01020000", Creds.version2(0x58b3)),
        arguments("00000010 00007000 00000000 ffffcfb8", new PduError(0, PmError.INST.code())),
        arguments("00000010 00007000 00000000 00000000", new PduError(0, 0)),
        arguments(
            "00000020 00007005 00000000 118e1403 00000005 ffffffff 00000003 1f013000",
            new Desc(0, 0x118e1403, ValueType.DOUBLE, InDom.NULL, 3, 0x1f013000)),
        arguments(
            """
            000000d4 00007001 00000000 00000000 00000000 00000007
            118e1407 00000001 00000000 ffffffff fffffffa
            118e1402 00000003 00000000 00000000 fffffffc 00000001 00000000 00000005 00000000
            118e1405 00000001 00000001 ffffffff 0000002a
            118e1404 00000001 00000001 ffffffff 0000002d
            118e1403 00000001 00000001 ffffffff 0000002f
            118e1408 00000001 00000001 ffffffff 00000032
            118fffff ffffcfba
            0600000c 72756e6e696e6700  04000008 3f000000
            0500000c 402b800000000000  0200000c ffffff172b5af000
            """,
            new Result(
                0,
                0,
                0,
                List.of(
                    singular(0x118e1407, SamplePdus.number(ValueType.U32, 4294967290L)),
                    ValueSet.of(
                        DEPTH,
                        List.of(
                            new InstanceValue(0, new Value.Word(-4)),
                            new InstanceValue(1, new Value.Word(0)),
                            new InstanceValue(5, new Value.Word(0)))),
                    singular(0x118e1405, Value.ofText("running")),
                    singular(
                        0x118e1404, SamplePdus.number(ValueType.FLOAT, Float.floatToIntBits(0.5f))),
                    singular(
                        0x118e1403,
                        SamplePdus.number(ValueType.DOUBLE, Double.doubleToLongBits(13.75))),
                    singular(0x118e1408, SamplePdus.number(ValueType.I64, -1_000_000_000_000L)),
                    ValueSet.none(0x118fffff, PmError.PMID.code())))),
        arguments(
            "00000020 00007001 00000000 00000000 00000000 00000001 118e1406 00000000",
            new Result(0, 0, 0, List.of(ValueSet.none(0x118e1406, 0)))),
        arguments(
            """
            000000a8 00007007 00000000 119c2807 00000003
            00000000 00000006 6f72646572737e7e
            00000001 0000001c 696e766f69636573206f6620746865206c6173742071756172746572
            00000005 00000055 616e5f696e7374616e63655f6e616d655f746861745f69735f6c6f6e
            6765725f7468616e5f7468655f73697874795f74687265655f62797465735f77686963685f
            76657273696f6e5f6f6e655f63616e5f686f6c647e7e7e
            """,
            new Instances(
                0,
                INDOM,
                List.of(
                    new Instance(0, "orders"),
                    new Instance(1, "invoices of the last quarter"),
                    new Instance(5, LONG_NAME)))),
        arguments(
            "00000028 00007009 00000000 02148e11 00000012 6465707468206f66207468652071756575657e7e",
            new Text(0, Integer.reverseBytes(DEPTH), "depth of the queue")),
        arguments(
            "00000018 0000700e 00000000 00000000 00000000 00000000",
            new PmnsNames(0, List.of(), List.of())),
        arguments(
            """
            00000038 0000700e 00000000 0000001b 00000000 00000001
            0000001a 6d6d762e6c69627063705f76335f6c6162656c732e64657074687e7e
            """,
            new PmnsNames(0, List.of("mmv.libpcp_v3_labels.depth"), List.of())),
        arguments(
            """
            000000bc 0000700e 00000000 00000061 00000008 00000008
            00000000 00000004 736b6577  00000000 00000005 64726f70737e7e7e
            00000000 00000007 6c6174656e63797e  00000000 00000005 73746174657e7e7e
            00000000 00000004 6c6f6164  00000000 00000004 72617465
            00000000 00000005 64657074687e7e7e
            00000001 00000037 615f6d65747269635f6e616d655f746861745f69735f6c6f6e6765725f
            7468616e5f7468655f73697874795f74687265655f62797465737e
            """,
            new PmnsNames(
                0,
                List.of(
                    "skew",
                    "drops",
                    "latency",
                    "state",
                    "load",
                    "rate",
                    "depth",
                    "a_metric_name_that_is_longer_than_the_sixty_three_bytes"),
                List.of(0, 0, 0, 0, 0, 0, 0, 1))),
        arguments(
            "00000018 0000700d 00000000 00000000 00000001 118e1402",
            new PmnsIds(0, 0, List.of(DEPTH))),
        arguments(
            "0000001c 00007013 00000000 ffffffff 00000001 00000000 00000000",
            new Label(0, -1, LabelType.CONTEXT, List.of())),
        arguments(
            """
            00000058 00007013 00000000 118e1403 00000010 00000000 00000001
            ffffffff 00000002 0000003c 0000001c 000c0150000f0001 0012015000150005
            7b226e6573746564223a7b2261223a312c2262223a5b322c335d7d7d
            """,
            new Label(
                0,
                0x118e1403,
                LabelType.ITEM,
                List.of(
                    new LabelSet(
                        Instance.NULL,
                        new Labels(
                            "{\"nested\":{\"a\":1,\"b\":[2,3]}}",
                            List.of(
                                new LabelEntry(12, 1, 80, 15, 1),
                                new LabelEntry(18, 1, 80, 21, 5))))))),
        arguments(
            """
            00000061 00007013 00000000 119c2807 00000020 00000000 00000003
            00000000 00000000 00000054 00000000
            00000001 00000001 00000054 0000000d 000204a000080004
            00000005 00000000 00000061 00000000
            7b22636f7374223a6e756c6c7d
            """,
            new Label(
                0,
                INDOM,
                LabelType.INSTANCES,
                List.of(
                    new LabelSet(0, new Labels("", List.of())),
                    new LabelSet(
                        1, new Labels("{\"cost\":null}", List.of(new LabelEntry(2, 4, 160, 8, 4)))),
                    new LabelSet(5, new Labels("", List.of()))))));
  }

  static Stream<Arguments> requests() {
    int pmid = Pmid.build(70, 1, 2);
    int inDom = InDom.build(70, 5);
    return Stream.of(
        arguments("00000010 00007004 00000000 11800402", new DescReq(0, pmid)),
        arguments(
            "0000001c 00007002 00000000 00000000 00000000 00000000 00000000", Profile.all(0, 0)),
        arguments(
            """
            00000030 00007002 00000000 00000000 00000000 00000001 00000000
            11800005 00000001 00000001 00000000 00000003
            """,
            new Profile(0, 0, true, List.of(new InDomProfile(inDom, false, 3)))),
        arguments(
            "00000024 00007003 00000000 00000000 00000000 00000000 00000002 11800402 11800403",
            Fetch.of(0, 0, pmid, Pmid.build(70, 1, 3))),
        arguments(
            "00000020 00007006 00000000 11800005 00000000 00000000 00000003 00000000",
            new InstanceReq(0, inDom, 3, "")),
        arguments(
            "00000028 00007006 00000000 11800005 00000000 00000000 ffffffff 00000006 6d696e7574657e7e",
            new InstanceReq(0, inDom, Instance.NULL, "minute")),
        arguments(
            "00000014 00007008 00000000 11800005 00000009",
            new TextReq(0, inDom, TextType.ONELINE | TextType.INDOM)),
        arguments(
            "0000001c 0000700f 00000000 00000001 00000005 6d6d762e787e7e7e",
            new PmnsChild(0, true, "mmv.x")),
        arguments(
            "00000018 00007010 00000000 00000000 00000003 6d6d767e", new PmnsTraverse(0, "mmv")),
        arguments(
            "00000024 0000700e 00000000 00000006 00000000 00000001 00000005 6d6d762e617e7e7e",
            new PmnsNames(0, List.of("mmv.a"), List.of())),
        arguments(
            "00000014 00007012 00000000 11800005 00000020",
            new LabelReq(0, inDom, LabelType.INSTANCES)),
        arguments("00000014 00007011 00000000 0000000b 6a6f6500", new Attr(0, 11, "joe")));
  }

  private static ValueSet singular(int pmid, Value value) {
    return ValueSet.of(pmid, List.of(new InstanceValue(Instance.NULL, value)));
  }

  @ParameterizedTest
  @MethodSource({"replies", "requests"})
  void isDecodedAndEncodedToTheByte(String hex, Pdu pdu) throws MalformedPduException {
    ByteBuf frame = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex.replaceAll("\\s", "")));
    assertEquals(pdu, SamplePdus.decode(frame));
    assertEquals(ByteBufUtil.hexDump(frame), ByteBufUtil.hexDump(SamplePdus.encode(pdu)));
  }

  @Test
  void theSecondWordOfAnErrorToANewClientIsIgnored() throws MalformedPduException {
    ByteBuf frame = Unpooled.copyInt(20, 0x7000, 9, 0, 0x02820000);
    assertEquals(new PduError(9, 0), SamplePdus.decode(frame));
  }
}
