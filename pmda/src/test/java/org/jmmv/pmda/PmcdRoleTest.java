package org.jmmv.pmda;

import static org.jmmv.core.TestCatalog.inDom;
import static org.jmmv.core.TestCatalog.pmid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.file.Path;
import java.util.List;
import org.jmmv.core.TestCatalog;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.protocol.Attr;
import org.jmmv.protocol.Creds;
import org.jmmv.protocol.Desc;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.InDomProfile;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.Instances;
import org.jmmv.protocol.Label;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.PduType;
import org.jmmv.protocol.PmnsIds;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.protocol.PmnsTraverse;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.Text;
import org.jmmv.protocol.Value;
import org.jmmv.protocol.ValueSet;
import org.jmmv.replies.ServiceTester;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the agent, as opposed to the collector, does with requests. */
class PmcdRoleTest {
  @TempDir Path root;
  private ServiceTester tester;

  @BeforeEach
  void start() {
    tester = new ServiceTester(root, (catalog, debug) -> new Agent(catalog, debug).pipeline());
    assertInstanceOf(Creds.class, tester.read());
    tester.write("app", ServiceTester.file(1, 7));
  }

  @AfterEach
  void stop() {
    tester.close();
  }

  // ---------------------------------------------------------------- malformed requests

  @ParameterizedTest
  @EnumSource(PduType.class)
  void aMalformedRequestIsAnsweredIfItsTypeHasAReply(PduType type) {
    tester.sendWords(12, type.code(), 3);

    Pdu expected = type.isRequest() ? new PduError(0, PmError.IPC.code()) : null;
    assertEquals(expected, tester.read());
    assertNull(tester.read());
    tester.assertAlive();
  }

  @Test
  void aMalformedProfileIsIgnored() {
    InDomProfile only = new InDomProfile(inDom(1, 2), false, 1);
    tester.send(new Profile(0, 0, true, List.of(only)));

    tester.sendWords(28, PduType.PROFILE.code(), 0, 0, 1, 5, 0);

    assertNull(tester.read());
    assertEquals("1=11", tester.values(pmid(1, 2)));
    assertEquals(1, tester.log().warnings().size());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 0x700b, 0x7018, 0x7019, -1})
  void aPduOfAnUnknownTypeIsSkippedWithALine(int type) {
    tester.send(
        Unpooled.wrappedBuffer(
            Unpooled.copyInt(20, type, 0, 1, 2), ServiceTester.encode(Fetch.of(0, 0, pmid(1, 1)))));

    assertInstanceOf(Result.class, tester.read());
    assertNull(tester.read());
    String line = String.format("PDU of unknown type 0x%x, 20 bytes, skipped", type);
    assertEquals(List.of(line), tester.log().warnings());
  }

  // ---------------------------------------------------------------- the stream

  @ParameterizedTest
  @ValueSource(ints = {0, 11, -1, Integer.MIN_VALUE, PmcdRole.MAX_REQUEST + 1})
  void aBadLengthEndsTheConnectionAfterTheRepliesBeforeIt(int length) {
    ByteBuf good = ServiceTester.encode(Fetch.of(0, 0, pmid(1, 1)), new DescReq(0, pmid(1, 2)));
    ByteBuf bad = Unpooled.copyInt(length, PduType.DESC_REQ.code(), 0, pmid(1, 1));
    ByteBuf after = ServiceTester.encode(new DescReq(0, pmid(1, 1)));

    tester.send(Unpooled.wrappedBuffer(good, bad, after));

    assertEquals(
        "7", ServiceTester.text(assertInstanceOf(Result.class, tester.read()).sets().get(0)));
    assertInstanceOf(Desc.class, tester.read());
    assertNull(tester.read());
    assertFalse(tester.isOpen());
    assertEquals(1, tester.log().warnings().size());
  }

  // ---------------------------------------------------------------- what has no reply

  static List<Pdu> withoutReply() {
    return List.of(
        Creds.version2(1),
        Profile.all(3, 0),
        new Attr(3, 11, "root\0"),
        new PduError(3, PmError.NOTCONN.code()));
  }

  @ParameterizedTest
  @MethodSource("withoutReply")
  void whatIsNoQuestionIsNotAnswered(Pdu pdu) {
    tester.send(pdu);

    assertNull(tester.read());
    assertEquals(List.of(), tester.log().warnings());
    tester.assertAlive();
  }

  static List<Pdu> unexpected() {
    return List.of(
        new Desc(3, 1, 0, -1, 1, 0),
        new Instances(3, 1, List.of()),
        new Text(3, 1, "text"),
        new Label(3, 1, LabelType.ITEM, List.of()),
        new PduError(3, PmError.PERMISSION.code()));
  }

  @ParameterizedTest
  @MethodSource("unexpected")
  void whatIsAnAnswerIsSkippedWithALine(Pdu pdu) {
    tester.send(pdu);

    assertNull(tester.read());
    assertEquals(1, tester.log().warnings().size());
    tester.assertAlive();
  }

  // ---------------------------------------------------------------- what the role decides

  @Test
  void credsAreSentFirstAndFilesAreLoadedBeforeTheFirstRequest() {
    tester.write("b", ServiceTester.file(2, 8));
    stop();
    start();
    assertNull(tester.read(), "a second PDU");
    assertEquals(
        List.of(
            "version 1.2.3: 4 metrics of 2 files in %s are served".formatted(root.resolve("mmv"))),
        tester.log().messages());
    assertEquals(List.of(), tester.log().warnings());
  }

  @Test
  void aContextWithoutAProfileHasTheLastOne() {
    tester.send(new Profile(0, 0, true, List.of(new InDomProfile(inDom(1, 2), false, 1))));
    Result result = tester.ask(Result.class, Fetch.of(0, 7, pmid(1, 2)));
    assertEquals("1=11", ServiceTester.text(result.sets().getFirst()));
  }

  @Test
  void changesAreTheSecondsOfTheNextResult() {
    assertEquals(0, tester.fetch(pmid(1, 1)).seconds());

    tester.write("b", ServiceTester.file(2, 8).label(LabelType.CLUSTER, 0, 0, "{\"x\":1}"));

    assertEquals(0x18, tester.fetch(pmid(1, 1)).seconds());
    assertEquals(0, tester.fetch(pmid(1, 1)).seconds());
  }

  @Test
  void allDomainsAreTheAgents() {
    int foreign = Pmid.build(71, 1, 1);
    tester.assertError(PmError.PMID, new PmnsIds(0, 0, List.of(foreign)));
    assertEquals("PM_ERR_PMID", tester.values(foreign));
    assertEquals("", tester.labels(foreign, LabelType.ITEM));
  }

  @Test
  void theContextHasNoLabels() {
    assertEquals("", tester.labels(-1, LabelType.CONTEXT));
  }

  @Test
  void aStoreIsPermitted() {
    ValueSet reload =
        ValueSet.of(
            TestCatalog.RELOAD, List.of(new InstanceValue(Instance.NULL, new Value.Word(1))));
    assertEquals(new PduError(0, 0), tester.ask(new Result(0, 0, -1, List.of(reload))));
  }

  @Test
  void oneNameBelowTheRootIsLookedUp() {
    PmnsNames two = new PmnsNames(0, List.of("mmv.app.m", "mmv.app.n"), List.of());
    tester.assertError(PmError.IPC, two);
    tester.assertError(PmError.NAME, new PmnsTraverse(0, ""));
  }
}
