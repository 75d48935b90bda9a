package org.jmmv.qa;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jmmv.client.AgentConnection;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.TextType;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.InstanceReq;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.Instances;
import org.jmmv.protocol.Label;
import org.jmmv.protocol.LabelReq;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.PmnsChild;
import org.jmmv.protocol.PmnsIds;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.protocol.PmnsTraverse;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.Text;
import org.jmmv.protocol.TextReq;
import org.jmmv.protocol.Value;
import org.jmmv.protocol.ValueSet;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows of docs/differences.md: the answer of the stock agent and the answer of jmmv. */
class DifferencesTest {
  private static final int DOMAIN = 70;
  private static final int CLUSTER = 5;

  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();
  private final MmvWriter writer = new MmvWriter(2).cluster(CLUSTER);
  private AgentConnection jmmv; // once it has been asked

  @BeforeEach
  void needStockAgent() {
    Need.PCP.require();
  }

  @Test
  void aNaNUnderTheSentinelFlagIsNoValue() throws IOException {
    writer.flags(MmvWriter.SENTINEL);
    writer.metric("d", 1, ValueType.DOUBLE).value(Double.NaN);
    writer.metric("f", 2, ValueType.FLOAT).value(Double.NaN);
    writer.write(pcp.mmv(), "app");
    assertAnswers("NaN NaN", "0 0", fetch(1, 2));
  }

  @Test
  void aStringWithoutATextIsNoValue() throws IOException {
    writer.metric("s", 1, ValueType.STRING).raw(0, 0);
    writer.write(pcp.mmv(), "app");
    assertAnswers("MMV", "PM_ERR_GENERIC", fetch(1));
  }

  @Test
  void aMetricWithoutValuesHasItsHelp() throws IOException {
    writer.metric("unsupported", 1, ValueType.NOSUPPORT).help("why", null).value(0);
    writer.metric("empty", 2, ValueType.U32).help(null, "what").inDom(writer.inDom(1));
    writer.write(pcp.mmv(), "app");
    assertAnswers("PM_ERR_PMID", "why", text(1, TextType.ONELINE));
    assertAnswers("PM_ERR_PMID", "PM_ERR_TEXT", text(1, TextType.HELP));
    assertAnswers("PM_ERR_PMID", "what", text(2, TextType.HELP));
  }

  @Test
  void aFileThatLacksAnItemDoesNotHideWhyAnotherHasNoValue() throws IOException {
    writer.metric("unsupported", 1, ValueType.NOSUPPORT).value(0);
    writer.metric("empty", 2, ValueType.U32);
    writer.write(pcp.mmv(), "a");
    assertAnswers("PM_ERR_APPVERSION PM_ERR_INST", "PM_ERR_APPVERSION PM_ERR_INST", fetch(1, 2));
    MmvWriter other = new MmvWriter(1).cluster(CLUSTER);
    other.metric("other", 3, ValueType.U32).value(1);
    other.write(pcp.mmv(), "b");
    assertAnswers("PM_ERR_PMID PM_ERR_PMID", "PM_ERR_APPVERSION PM_ERR_INST", fetch(1, 2));
  }

  @Test
  void aNumberGivenTwiceIsOneInstance() throws IOException {
    MmvWriter.InDom inDom = writer.inDom(1).instance(3, "three").instance(3, "again");
    writer.metric("m", 1, ValueType.U32).inDom(inDom).at(3, 8);
    writer.write(pcp.mmv(), "app");
    assertAnswers("3 three, 3 again", "3 three", instances());
    assertAnswers("8,8", "8", fetch(1));
  }

  @Test
  void labelsOfHighClustersAreServed() throws IOException {
    MmvWriter high = new MmvWriter(3).cluster(2048);
    high.metric("m", 1, ValueType.U32).inDom(high.inDom(1).instance(3, "three")).at(3, 8);
    high.label(4, 1, -1, "{\"of\":\"InDom\"}").label(32, 1, 3, "{\"of\":\"instance\"}");
    high.write(pcp.mmv(), "app");
    assertAnswers("", "{\"of\":\"InDom\"} 1", labels(2048, LabelType.INDOM));
    assertAnswers(" 0", "{\"of\":\"instance\"} 1", labels(2048, LabelType.INSTANCES));
  }

  @Test
  void anInstanceHasAllLabelsOfARecord() throws IOException {
    writer.inDom(1).instance(3, "three");
    writer.label(32, 1, 3, "{\"map\":{\"a\":1,\"b\":2}}");
    writer.write(pcp.mmv(), "app");
    String json = "{\"map.a\":1,\"map.b\":2}";
    assertAnswers(
        json + " 1", "{\"map\":{\"a\":1,\"b\":2}} 2", labels(CLUSTER, LabelType.INSTANCES));
  }

  @Test
  void labelsThatAreNotJsonAreLeftOut() throws IOException {
    writer.inDom(1);
    writer.label(4, 1, -1, "{\"a\":1,").label(4, 1, -1, "{\"b\":-01}");
    writer.write(pcp.mmv(), "app");
    assertAnswers("{\"a\":1,\"b\":-01} 2", "", labels(CLUSTER, LabelType.INDOM));
  }

  @Test
  void metricsWithoutANameAreLeftOut() throws IOException {
    MmvWriter first = new MmvWriter(1).cluster(CLUSTER);
    first.metric("", 1, ValueType.U32).value(1);
    first.write(pcp.mmv(), "app");
    writer.metric("m", 1, ValueType.U32).value(1);
    ByteBuffer image = writer.image();
    image.putLong(writer.metricAt(0), 0); // the offset of its name
    MmvWriter.write(image, pcp.mmv(), "two");
    assertAnswers("[mmv.app.]", "PM_ERR_NAME", new PmnsTraverse(0, "mmv.app"));
    assertAnswers("[mmv.two.MMV]", "PM_ERR_NAME", new PmnsTraverse(0, "mmv.two"));
  }

  @Test
  void aMetricWhoseInstanceDomainIsNotInItsFileIsLeftOut() throws IOException {
    writer.metric("undefined", 1, ValueType.U32).serial(1).value(1);
    writer.write(pcp.mmv(), "app");
    assertAnswers("[undefined]", "PM_ERR_NAME", new PmnsChild(0, false, "mmv.app"));
    assertAnswers("0", "PM_ERR_PMID", fetch(1));
    assertAnswers("PM_ERR_INDOM", "PM_ERR_INDOM", instances());
  }

  @Test
  void filesOfOneClusterHaveValuesOnlyOfTheTypeOfTheFirst() throws IOException {
    writer.metric("m", 1, ValueType.U32).value(1);
    writer.write(pcp.mmv(), "a");
    MmvWriter other = new MmvWriter(1).cluster(CLUSTER);
    other.metric("m", 1, ValueType.DOUBLE).value(1.5);
    other.write(pcp.mmv(), "b");
    assertAnswers("4.9E-324", "1", fetch(1));
  }

  @Test
  void aNameWithoutANulEndsWithItsField() throws IOException {
    MmvWriter first = new MmvWriter(1).cluster(CLUSTER);
    first.inDom(1).instance(3, "n".repeat(64)).instance(4, "four");
    first.write(pcp.mmv(), "app");
    String name = "3 " + "n".repeat(64);
    String behindIt = "h"; // the low byte of the offset that follows in the next instance
    assertAnswers(name + behindIt + ", 4 four", name + ", 4 four", instances());
  }

  @Test
  void aValueOfAnUnknownTypeEndsNoAgent() throws IOException {
    int aggregate = 7;
    writer.metric("m", 1, aggregate).value(1);
    writer.write(pcp.mmv(), "app");
    assertThrows(IOException.class, () -> stock(fetch(1)));
    assertEquals("PM_ERR_TYPE", jmmv(fetch(1)));
  }

  @Test
  void aMetricHasNoValuesOfAnotherOneThatIsLeftOut() throws IOException {
    writer.metric("m", 1, ValueType.U32);
    writer.metric("n", 1, ValueType.U32).value(8);
    writer.write(pcp.mmv(), "app");
    assertAnswers("8", "PM_ERR_INST", fetch(1));
  }

  @Test
  void anInstanceDomainHasItsHelp() throws IOException {
    writer.inDom(1).help("the instances", null);
    writer.write(pcp.mmv(), "app");
    Pdu request = new TextReq(0, inDom(CLUSTER), TextType.INDOM | TextType.ONELINE);
    assertAnswers("PM_ERR_TEXT", "the instances", request);
  }

  @Test
  void labelsOfAClusterThatIsDealtOutAreServed() throws IOException {
    MmvWriter dealt = new MmvWriter(3).label(8, 0, -1, "{\"of\":\"cluster\"}");
    dealt.metric("m", 1, ValueType.U32).value(1);
    dealt.write(pcp.mmv(), "app");
    Pdu request = new LabelReq(0, Pmid.build(DOMAIN, 1, 1), LabelType.CLUSTER);
    assertAnswers("", "{\"of\":\"cluster\"} 1", request);
  }

  @Test
  void namesThatContinueOthersAreFoundByPmidByBoth() throws IOException {
    writer.flags(MmvWriter.NOPREFIX);
    writer.metric("x", 1, ValueType.U32).value(1);
    writer.metric("y.z", 2, ValueType.U32).value(2);
    writer.write(pcp.mmv(), "a");
    MmvWriter other = new MmvWriter(2).cluster(CLUSTER).flags(MmvWriter.NOPREFIX);
    other.metric("x.y", 3, ValueType.I64).help("that of x.y", null).value(3);
    other.metric("y", 4, ValueType.DOUBLE).help("that of y", null).value(4.5);
    other.write(pcp.mmv(), "b");
    for (int item = 1; item <= 4; item++) {
      int pmid = Pmid.build(DOMAIN, CLUSTER, item);
      assertTheSame(new DescReq(0, pmid));
      assertTheSame(new PmnsIds(0, 0, List.of(pmid)));
      assertTheSame(text(item, TextType.ONELINE));
    }
    assertTheSame(fetch(1, 2, 3, 4));
    assertTheSame(new PmnsNames(0, List.of("mmv.x.y"), List.of()));
    assertTheSame(new PmnsNames(0, List.of("mmv.y"), List.of()));
    assertAnswers("[y]", "[]", new PmnsChild(0, false, "mmv.x"));
  }

  @Test
  void instanceDomainsOfDifferentClustersDoNotMerge() throws IOException {
    for (int cluster : new int[] {2, 2050}) {
      MmvWriter file = new MmvWriter(2).cluster(cluster);
      MmvWriter.InDom inDom = file.inDom(1).instance(3, "of cluster " + cluster);
      file.metric("m", 1, ValueType.U32).inDom(inDom).at(3, 8);
      file.write(pcp.mmv(), "app" + cluster);
    }
    Pdu first = new InstanceReq(0, inDom(2), Instance.NULL, "");
    assertAnswers("3 of cluster 2", "3 of cluster 2", first);
    Pdu free = new InstanceReq(0, InDom.build(DOMAIN, InDom.MAX_SERIAL), Instance.NULL, "");
    assertAnswers("PM_ERR_INDOM", "3 of cluster 2050", free);
  }

  @Test
  void anUnknownControlMetricTakesNoStore() throws IOException {
    InstanceValue one = new InstanceValue(Instance.NULL, new Value.Word(1));
    ValueSet set = ValueSet.of(Pmid.build(DOMAIN, 0, 9), List.of(one));
    assertAnswers("code 0", "PM_ERR_PERMISSION", new Result(0, 0, 0, List.of(set)));
  }

  private static Pdu fetch(int... items) {
    int[] pmids = new int[items.length];
    for (int i = 0; i < items.length; i++) {
      pmids[i] = Pmid.build(DOMAIN, CLUSTER, items[i]);
    }
    return Fetch.of(0, 0, pmids);
  }

  private static Pdu text(int item, int type) {
    return new TextReq(0, Pmid.build(DOMAIN, CLUSTER, item), TextType.PMID | type);
  }

  /** Returns the instance domain of serial 1. */
  private static int inDom(int cluster) {
    return InDom.build(DOMAIN, (cluster << 11 | 1) & 0x3fffff);
  }

  private static Pdu instances() {
    return new InstanceReq(0, inDom(CLUSTER), Instance.NULL, "");
  }

  private static Pdu labels(int cluster, int type) {
    return new LabelReq(0, inDom(cluster), type);
  }

  private void assertAnswers(String stock, String jmmv, Pdu request) {
    assertAll(
        () -> assertEquals(stock, stock(request), "the stock agent"),
        () -> assertEquals(jmmv, jmmv(request), "jmmv"));
  }

  private void assertTheSame(Pdu request) throws IOException {
    assertEquals(stock(request), jmmv(request), request.toString());
  }

  private String stock(Pdu request) throws IOException {
    try (AgentConnection agent = start(AgentCommand.stock())) {
      return ask(agent, request);
    }
  }

  private String jmmv(Pdu request) throws IOException {
    if (jmmv == null) {
      jmmv = pcp.open(start(AgentCommand.jmmv()));
    }
    return ask(jmmv, request);
  }

  private AgentConnection start(AgentCommand agent) throws IOException {
    AgentCommand logging = agent.with("-l", pcp.file(agent.name() + ".log").toString());
    return AgentConnection.start(logging.words(), pcp.environment());
  }

  private static String ask(AgentConnection agent, Pdu request) throws IOException {
    agent.traverse("mmv"); // before it, the stock agent has loaded no labels
    return brief(AgentConnection.decode(agent.requestFrame(request)));
  }

  private static String brief(Pdu reply) {
    return switch (reply) {
      case PduError error -> PmError.describe(error.code());
      case Text text -> text.text();
      case Result result ->
          result.sets().stream().map(DifferencesTest::brief).collect(joining(" "));
      case Instances instances ->
          instances.instances().stream()
              .map(instance -> instance.number() + " " + instance.name())
              .collect(joining(", "));
      case Label label ->
          label.sets().stream()
              .map(set -> set.labels().json() + " " + set.labels().entries().size())
              .collect(joining(", "));
      case PmnsNames names -> names.names().toString();
      default -> reply.toString();
    };
  }

  /** Returns the values, or the error in their place. */
  private static String brief(ValueSet set) {
    if (set.values().isEmpty()) {
      return set.status() == 0 ? "0" : PmError.describe(set.status());
    }
    return set.values().stream().map(value -> value.value().asText()).collect(joining(","));
  }
}
