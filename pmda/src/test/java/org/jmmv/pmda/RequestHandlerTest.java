package org.jmmv.pmda;

import static org.jmmv.pmda.AgentTester.inDom;
import static org.jmmv.pmda.AgentTester.pmid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Attr;
import org.jmmv.protocol.Creds;
import org.jmmv.protocol.Desc;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.InDomProfile;
import org.jmmv.protocol.Instances;
import org.jmmv.protocol.Label;
import org.jmmv.protocol.LabelReq;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.PduType;
import org.jmmv.protocol.PmnsChild;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.Text;
import org.jmmv.protocol.ValueSet;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestHandlerTest {
  @TempDir Path root;
  private AgentTester agent;

  @BeforeEach
  void start() {
    agent = new AgentTester(root);
    agent.write("app", file(1, 7));
  }

  @AfterEach
  void stop() {
    agent.close();
  }

  private static MmvWriter file(int cluster, int value) {
    MmvWriter file = new MmvWriter(1).cluster(cluster);
    MmvWriter.InDom inDom = file.inDom(2).instance(0, "zero").instance(1, "one");
    file.metric("m", 1, ValueType.I32).value(value);
    file.metric("n", 2, ValueType.I32).inDom(inDom).at(0, 10).at(1, 11);
    return file;
  }

  private void assertAlive() {
    assertEquals("7", agent.values(pmid(1, 1)));
  }

  // ---------------------------------------------------------------- malformed requests

  @ParameterizedTest
  @EnumSource(PduType.class)
  void aMalformedRequestIsAnsweredIfItsTypeHasAReply(PduType type) {
    agent.sendWords(12, type.code(), 3);

    Pdu expected = type.isRequest() ? new PduError(0, PmError.IPC.code()) : null;
    assertEquals(expected, agent.read());
    assertNull(agent.read());
    assertAlive();
  }

  static List<Pdu> requests() {
    return List.of(
        Fetch.of(3, 0, pmid(1, 1), pmid(1, 2)),
        new DescReq(3, pmid(1, 1)),
        new PmnsChild(3, true, "mmv.app"),
        new LabelReq(3, pmid(1, 1), LabelType.ITEM));
  }

  @ParameterizedTest
  @MethodSource("requests")
  void aRequestCutShortIsMalformedAndTheNextIsAnswered(Pdu request) {
    ByteBuf whole = AgentTester.encode(request);
    for (int length = Pdu.HEADER_LENGTH; length < whole.readableBytes(); length += 4) {
      ByteBuf cut = whole.copy(0, length).setInt(0, length);

      agent.send(Unpooled.wrappedBuffer(cut, AgentTester.encode(new DescReq(0, pmid(1, 1)))));

      assertEquals(new PduError(0, PmError.IPC.code()), agent.read());
      assertInstanceOf(Desc.class, agent.read());
    }
    assertTrue(agent.isOpen());
    whole.release();
  }

  @Test
  void aFetchOfNothingIsMalformed() {
    agent.sendWords(28, PduType.FETCH.code(), 0, 0, 0, 0, 0);

    assertEquals(new PduError(0, PmError.IPC.code()), agent.read());
    assertAlive();
  }

  @Test
  void aMalformedProfileIsIgnored() {
    InDomProfile only = new InDomProfile(inDom(1, 2), false, 1);
    agent.send(new Profile(0, 0, true, List.of(only)));

    agent.sendWords(28, PduType.PROFILE.code(), 0, 0, 1, 5, 0);

    assertNull(agent.read());
    assertEquals("1=11", agent.values(pmid(1, 2)));
    assertEquals(1, agent.log().warnings().size());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 0x700b, 0x7018, 0x7019, -1})
  void aPduOfAnUnknownTypeIsSkippedWithALine(int type) {
    agent.send(
        Unpooled.wrappedBuffer(
            Unpooled.copyInt(20, type, 0, 1, 2), AgentTester.encode(Fetch.of(0, 0, pmid(1, 1)))));

    assertInstanceOf(Result.class, agent.read());
    assertNull(agent.read());
    String line = String.format("PDU of unknown type 0x%x, 20 bytes, skipped", type);
    assertEquals(List.of(line), agent.log().warnings());
  }

  // ---------------------------------------------------------------- the stream

  @ParameterizedTest
  @ValueSource(ints = {0, 11, -1, Integer.MIN_VALUE, PmcdRole.MAX_REQUEST + 1})
  void aBadLengthEndsTheConnectionAfterTheRepliesBeforeIt(int length) {
    ByteBuf good = AgentTester.encode(Fetch.of(0, 0, pmid(1, 1)), new DescReq(0, pmid(1, 2)));
    ByteBuf bad = Unpooled.copyInt(length, PduType.DESC_REQ.code(), 0, pmid(1, 1));
    ByteBuf after = AgentTester.encode(new DescReq(0, pmid(1, 1)));

    agent.send(Unpooled.wrappedBuffer(good, bad, after));

    assertEquals("7", AgentTester.text(assertInstanceOf(Result.class, agent.read()).sets().get(0)));
    assertInstanceOf(Desc.class, agent.read());
    assertNull(agent.read());
    assertFalse(agent.isOpen());
    assertEquals(1, agent.log().warnings().size());
  }

  @Test
  void aRequestMayComeByteByByte() {
    ByteBuf bytes = AgentTester.encode(Fetch.of(0, 0, pmid(1, 1)), new DescReq(0, pmid(1, 2)));
    for (int i = 0; i < bytes.readableBytes(); i++) {
      assertNull(agent.readBytes());
      agent.send(bytes.copy(i, 1));
      if (i == 31) {
        assertInstanceOf(Result.class, agent.read());
      }
    }

    assertInstanceOf(Desc.class, agent.read());
    bytes.release();
  }

  @Test
  void aLargeRequestIsAnswered() {
    int[] pmids = new int[300_000];
    Arrays.fill(pmids, pmid(1, 1));

    assertEquals(pmids.length, agent.fetch(pmids).sets().size());
  }

  @Test
  void requestsInOneReadAreAnsweredInTheirOrder() {
    MmvWriter other = file(2, 8);
    agent.write("other", other);

    agent.send(
        Fetch.of(0, 0, pmid(1, 1)),
        new DescReq(0, pmid(2, 1)),
        Fetch.of(0, 0, pmid(2, 1)),
        Profile.all(0, 0),
        Fetch.of(0, 0, pmid(2, 2)));

    assertEquals("7", AgentTester.text(assertInstanceOf(Result.class, agent.read()).sets().get(0)));
    assertInstanceOf(Desc.class, agent.read());
    assertEquals("8", AgentTester.text(assertInstanceOf(Result.class, agent.read()).sets().get(0)));
    assertEquals(
        "0=10 1=11", AgentTester.text(assertInstanceOf(Result.class, agent.read()).sets().get(0)));
    assertNull(agent.read());
  }

  @Test
  void aReplyDoesNotWaitForTheNextRequestOfTheSameRead() {
    Fetch fetch = Fetch.of(0, 0, pmid(1, 1));
    assertEquals(
        List.of(1, 1),
        agent.repliesOfEachFlush(new DescReq(0, pmid(1, 1)), Profile.all(0, 0), fetch));
  }

  @Test
  void theReplyToAStoreThatReloadsComesWithTheFilesReadAgain() {
    ValueSet reload = StoreTest.set(pmid(0, AgentTester.RELOAD), StoreTest.ONE);
    Result store = new Result(0, 0, -1, List.of(reload));
    DescReq request = new DescReq(0, pmid(1, 1));
    assertEquals(List.of(1, 3), agent.repliesOfEachFlush(request, store, store, request));
  }

  @Test
  void aReplyIsFromNobody() {
    assertEquals(0, agent.ask(new DescReq(12, pmid(1, 1))).from());
    assertEquals(0, agent.ask(new DescReq(12, pmid(9, 1))).from());
    assertEquals(0, agent.ask(Fetch.of(12, 3, pmid(1, 1))).from());
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
    agent.send(pdu);

    assertNull(agent.read());
    assertEquals(List.of(), agent.log().warnings());
    assertAlive();
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
    agent.send(pdu);

    assertNull(agent.read());
    assertEquals(1, agent.log().warnings().size());
    assertAlive();
  }

  // ---------------------------------------------------------------- what pmcd is told

  private int flags() {
    return agent.fetch(pmid(1, 1)).seconds();
  }

  private static MmvWriter labelled(int cluster) {
    return file(cluster, 7).label(LabelType.CLUSTER, 0, 0, "{\"x\":1}");
  }

  @Test
  void theFirstLoadIsNoChange() {
    agent.write("b", labelled(2));

    assertEquals(0, flags());
    assertEquals(0, flags());
  }

  @Test
  void aChangeOfNamesIsToldOnce() {
    assertEquals(0, flags());

    agent.write("b", file(2, 8));
    assertEquals(0x10, flags());
    assertEquals(0, flags());

    agent.delete("b");
    assertEquals(0x10, flags());
    assertEquals(0, flags());
  }

  @Test
  void aChangeOfLabelsIsToldOnce() {
    assertEquals(0, flags());

    agent.write("b", labelled(2));
    assertEquals(0x18, flags());
    assertEquals(0, flags());

    agent.delete("b");
    assertEquals(0x18, flags());
    assertEquals(0, flags());
  }

  @Test
  void aChangeIsToldWithTheNextValues() {
    assertEquals(0, flags());
    agent.write("b", file(2, 8));

    agent.ask(new DescReq(0, pmid(2, 1)));
    agent.assertError(PmError.PMID, new DescReq(0, pmid(3, 1)));
    agent.sendWords(12, PduType.FETCH.code(), 0);
    assertEquals(new PduError(0, PmError.IPC.code()), agent.read());

    assertEquals(0x10, agent.fetch(pmid(9, 9)).seconds());
    assertEquals(0, flags());
  }

  @Test
  void severalChangesAreToldAtOnce() {
    assertEquals(0, flags());

    agent.write("b", labelled(2));
    agent.names();
    agent.write("c", file(3, 8));
    agent.names();

    assertEquals(0x18, flags());
    assertEquals(0, flags());
  }

  @Test
  void aChangeOfAFileThatIsFetchedIsSeenInTheSameReply() {
    MmvWriter file = file(2, 1);
    Path path = agent.write("b", file);
    assertEquals("1", agent.values(pmid(2, 1)));

    file(2, 2).generation(99).rewrite(path);

    assertEquals("2", agent.values(pmid(2, 1)));
  }

  @Test
  void aFileInFluxIsNotServedUntilItIsDone() {
    MmvWriter file = file(2, 1);
    Path path = agent.write("b", file);
    assertEquals("1", agent.values(pmid(2, 1)));

    MmvWriter.flux(path);
    assertEquals("PM_ERR_PMID", agent.values(pmid(2, 1)));
    assertAlive();
    MmvWriter.settle(path, 99);
    agent.names();

    assertEquals("1", agent.values(pmid(2, 1)));
  }
}
