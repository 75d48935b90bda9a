package org.jmmv.replies;

import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jmmv.core.Catalog;
import org.jmmv.core.LongestStep;
import org.jmmv.core.PmcdClients;
import org.jmmv.core.Scope;
import org.jmmv.core.SettingsSource;
import org.jmmv.core.TestCatalog;
import org.jmmv.core.Turn;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.StateChange;
import org.jmmv.pcp.User;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.ControlReq;
import org.jmmv.protocol.Desc;
import org.jmmv.protocol.DescIds;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.Descs;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.InDomProfile;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.Label;
import org.jmmv.protocol.LabelReq;
import org.jmmv.protocol.LabelSet;
import org.jmmv.protocol.MalformedPduException;
import org.jmmv.protocol.Message;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.PduType;
import org.jmmv.protocol.PmnsChild;
import org.jmmv.protocol.PmnsIds;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.protocol.PmnsTraverse;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Reply;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.ResultWriter;
import org.jmmv.protocol.Value;
import org.jmmv.protocol.ValueSet;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.serving.Maintenance;
import org.jmmv.serving.Scheduler;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the role of a connection decides, over real files. */
class PduServiceTest {
  private static final int DOMAIN = 70;
  private static final int RELOAD = Pmid.build(DOMAIN, 0, 0);
  private static final int ONE = Pmid.build(DOMAIN, 1, 1);
  private static final int EACH = Pmid.build(DOMAIN, 1, 2);
  private static final int IN_DOM = InDom.build(DOMAIN, 1 << 11 | 1);
  private static final int FOREIGN = Pmid.build(60, 1, 1);
  private static final LabelSet CONTEXT = new LabelSet(Instance.NULL, "{}", List.of());

  /** Says what a test wants it to, and records what it is told. */
  private static final class FakeRole implements Role {
    private boolean isCollector;
    private boolean isOpen = true;
    private boolean mayStore = true;
    private boolean hasEnded;
    private boolean fails;
    private final List<Message> received = new ArrayList<>();
    private final List<Integer> changes = new ArrayList<>();

    @Override
    public int maxRequest() {
      return 1000;
    }

    @Override
    public void begin(ChannelHandlerContext ctx) {}

    @Override
    public boolean permits(Message message) {
      return isOpen;
    }

    @Override
    public Reply receive(Message message) {
      received.add(message);
      return Replies.error(PmError.IPC);
    }

    @Override
    public boolean isCollector() {
      return isCollector;
    }

    @Override
    public boolean hasDomain(int domain) {
      return domain == DOMAIN;
    }

    @Override
    public List<LabelSet> contextLabels() {
      return List.of(CONTEXT);
    }

    @Override
    public boolean mayStore() {
      if (fails) {
        throw new IllegalStateException("a test");
      }
      return mayStore;
    }

    @Override
    public int client() {
      return PmcdClients.NONE;
    }

    @Override
    public ByteBuf endResult(Fetch fetch, ResultWriter result, int changed) {
      changes.add(changed);
      return result.end(0, 0);
    }

    @Override
    public void fail(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }

    @Override
    public void end() {
      hasEnded = true;
    }
  }

  @TempDir Path directory;
  private final FakeRole role = new FakeRole();
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private Catalog catalog;
  private PduService service;

  @BeforeEach
  void serve() {
    MmvWriter file = new MmvWriter(2).cluster(1);
    MmvWriter.InDom inDom = file.inDom(1).instance(3, "three").instance(4, "four");
    file.metric("one", 1, ValueType.I32).value(42);
    file.metric("each", 2, ValueType.I32).inDom(inDom).at(3, 33).at(4, 44);
    file.write(directory, "app");
    SettingsSource.Settings settings =
        new SettingsSource.Settings(TestCatalog.LIMITS, List.of(DirectorySettings.DEFAULT));
    catalog = new Catalog.Builder(directory).settings(settings).build();
    service =
        new PduService(
            catalog,
            new Maintenance(catalog, channel.eventLoop()),
            channel.eventLoop(),
            new DebugOptions());
    service.serve(channel.pipeline(), role, User.of(1));
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
    service.close();
    catalog.close();
  }

  private void send(Pdu pdu) {
    send(channel, pdu);
  }

  private static void send(EmbeddedChannel to, Pdu... pdus) {
    ByteBuf bytes = Unpooled.buffer();
    List.of(pdus).forEach(pdu -> pdu.encode(bytes));
    to.writeInbound(bytes);
  }

  private Pdu read() {
    ByteBuf bytes = channel.readOutbound();
    if (bytes == null) {
      return null;
    }
    try {
      PduType type = PduType.of(bytes.getInt(4));
      return Pdu.decode(type, bytes.getInt(8), bytes.skipBytes(Pdu.HEADER_LENGTH));
    } catch (MalformedPduException e) {
      throw new AssertionError(e);
    } finally {
      bytes.release();
    }
  }

  private Pdu ask(Pdu request) {
    send(request);
    return read();
  }

  private void assertError(PmError error, Pdu request) {
    assertEquals(new PduError(0, error.code()), ask(request));
  }

  private String values(int context, int pmid) {
    Result result = (Result) ask(Fetch.of(0, context, pmid));
    return result.sets().getFirst().values().stream()
        .map(value -> value.value().asText())
        .toList()
        .toString();
  }

  private static PmnsNames names(String... names) {
    return new PmnsNames(0, List.of(names), List.of());
  }

  // ---------------------------------------------------------------- names

  @Test
  void anAgentLooksUpOneNameBelowItsRoot() {
    assertEquals(new PmnsIds(0, 0, List.of(ONE)), ask(names("mmv.app.one")));
    assertError(PmError.NAME, names("mmv.app"));
    assertError(PmError.IPC, names("mmv.app.one", "mmv.app.each"));
    assertError(PmError.IPC, names());
    assertError(PmError.NAME, new PmnsChild(0, true, ""));
    assertError(PmError.NAME, new PmnsTraverse(0, ""));
  }

  @Test
  void aCollectorLooksUpAnyNamesFromTheRoot() {
    role.isCollector = true;
    assertEquals(new PmnsIds(0, 1, List.of(ONE)), ask(names("mmv.app.one")));
    assertEquals(new PmnsIds(0, 1, List.of(ONE, Pmid.NULL)), ask(names("mmv.app.one", "no")));
    assertError(PmError.NONLEAF, names("mmv.app"));
    assertError(PmError.NAME, names("no"));
    assertError(PmError.TOOSMALL, names());
    assertEquals(names("mmv"), ask(new PmnsChild(0, false, "")));
    assertTrue(((PmnsNames) ask(new PmnsTraverse(0, ""))).names().contains("mmv.app.one"));
  }

  @Test
  void descriptorsOfSeveralMetricsAreOneReply() {
    Desc one = (Desc) ask(new DescReq(0, ONE));
    Desc unknown = new Desc(0, Pmid.NULL, 0, 0, 0, 0);
    assertEquals(new Descs(0, List.of(one, unknown)), ask(new DescIds(0, List.of(ONE, FOREIGN))));
    assertError(PmError.PMID, new DescIds(0, List.of(FOREIGN)));
  }

  @Test
  void whatIsUnknownHasTheErrorOfItsDomain() {
    int unknown = Pmid.build(DOMAIN, 1, 99);
    assertError(PmError.PMID, new PmnsIds(0, 0, List.of(unknown)));
    assertError(PmError.NOAGENT, new PmnsIds(0, 0, List.of(FOREIGN)));
    Result result = (Result) ask(Fetch.of(0, 0, unknown, FOREIGN, Pmid.NULL));
    assertEquals(
        List.of(PmError.PMID.code(), PmError.NOAGENT.code(), PmError.NOAGENT.code()),
        result.sets().stream().map(ValueSet::status).toList());
    assertError(PmError.NOAGENT, new LabelReq(0, 60, LabelType.DOMAIN));
    assertError(PmError.PMID, new LabelReq(0, FOREIGN, LabelType.ITEM));
    assertError(PmError.INDOM, new LabelReq(0, InDom.build(60, 1), LabelType.INSTANCES));
  }

  @Test
  void labelsOfTheContextAreTheRoles() {
    assertEquals(
        new Label(0, -1, LabelType.CONTEXT, List.of(CONTEXT)),
        ask(new LabelReq(0, -1, LabelType.CONTEXT)));
  }

  // ---------------------------------------------------------------- values

  @Test
  void anAgentFetchesWithTheLastProfileIfTheContextHasNone() {
    assertEquals("[33, 44]", values(7, EACH));
    send(new Profile(0, 1, true, List.of(new InDomProfile(IN_DOM, false, 4))));
    assertEquals("[44]", values(7, EACH));
  }

  @Test
  void aCollectorFetchesForContextsWithAProfileOnly() {
    role.isCollector = true;
    assertError(PmError.NOPROFILE, Fetch.of(0, 7, EACH));
    send(Profile.all(0, 7));
    assertEquals("[33, 44]", values(7, EACH));
    assertError(PmError.NOPROFILE, Fetch.of(0, 8, EACH));
  }

  @Test
  void aClientLearnsWithItsFirstResultWhatHasChangedSinceItConnected() {
    role.isCollector = true;
    channel.pipeline().fireChannelActive();
    catalog.begin(new Scope.OfAll()); // for another client, and finds the file
    send(Profile.all(0, 0));
    values(0, ONE);
    values(0, ONE);
    assertEquals(List.of(StateChange.NAMES, 0), role.changes);
  }

  @Test
  void aChangeIsReportedWithTheNextResultOnly() {
    values(0, ONE);
    MmvWriter other = new MmvWriter(1).cluster(2);
    other.metric("x", 1, ValueType.I32).value(1);
    other.write(directory, "other");
    while (!(ask(new PmnsTraverse(0, "mmv.other")) instanceof PmnsNames)) {
      Thread.onSpinWait(); // a busy machine has had no time to scan the directory
    }
    values(0, ONE);
    values(0, ONE);
    assertEquals(List.of(0, StateChange.NAMES, 0), role.changes);
  }

  /**
   * Returns the reply to a request, before which one that comes later from another peer is
   * answered.
   */
  private Pdu readAfterAnother(Pdu... request) {
    EmbeddedChannel another = new EmbeddedChannel();
    service.serve(another.pipeline(), role, User.of(2));
    Scheduler scheduler = new Scheduler(channel.eventLoop(), () -> 0, new LongestStep(0));
    PduService.controlFlow(channel.pipeline(), scheduler, User.of(1), null);
    PduService.controlFlow(another.pipeline(), scheduler, User.of(2), null);
    send(channel, request);
    send(another, Profile.all(0, 0), Fetch.of(0, 0, ONE));
    while (another.outboundMessages().isEmpty()) {
      channel.runScheduledPendingTasks();
    }
    assertTrue(channel.outboundMessages().isEmpty());
    while (channel.outboundMessages().isEmpty()) {
      channel.runScheduledPendingTasks();
    }
    another.finishAndReleaseAll();
    return read();
  }

  @Test
  void othersAreAnsweredWhileTheValuesOfALargeFetchAreLocated() {
    int metrics = 150;
    MmvWriter large = new MmvWriter(2).packed().cluster(2);
    MmvWriter.InDom inDom = large.inDom(1);
    List<Integer> order = IntStream.range(0, 3_000).boxed().collect(toCollection(ArrayList::new));
    Collections.shuffle(order, new Random(1));
    order.forEach(i -> inDom.instance(i, "i" + i));
    for (int m = 0; m < metrics; m++) {
      MmvWriter.Metric metric = large.metric("m" + m, m, ValueType.U32).inDom(inDom);
      Collections.shuffle(order, new Random(m));
      order.forEach(i -> metric.at(i, i));
    }
    large.write(directory, "large");
    role.isCollector = true;
    while (!(ask(names("mmv.large.m0")) instanceof PmnsIds)) {
      Thread.onSpinWait(); // likewise
    }

    int[] all = IntStream.range(0, metrics).map(m -> Pmid.build(DOMAIN, 2, m)).toArray();
    Result result = (Result) readAfterAnother(Profile.all(0, 0), Fetch.of(0, 0, all));
    assertEquals(List.of(3_000), result.sets().stream().map(ValueSet::status).distinct().toList());
    assertEquals(metrics, result.count());
  }

  @Test
  void aReloadTakesTheTurnsOfThePeerThatHasAskedForIt() {
    MmvWriter many = new MmvWriter(2); // metrics that take much longer to read than a turn lasts
    IntStream.range(0, 100).forEach(i -> many.metric("m" + i, i, ValueType.U32).value(i));
    IntStream.range(0, 1_000).forEach(i -> many.write(directory, "f" + i));
    while (catalog.hasBacklog()) {
      catalog.idle(Turn.ENDLESS);
    }

    ValueSet set =
        ValueSet.of(RELOAD, List.of(new InstanceValue(Instance.NULL, new Value.Word(1))));
    assertEquals(new PduError(0, 0), readAfterAnother(new Result(0, 0, 0, List.of(set))));
  }

  private static Result store(int pmid) {
    ValueSet set = ValueSet.of(pmid, List.of(new InstanceValue(Instance.NULL, Value.ofText("x"))));
    return new Result(0, 0, 0, List.of(set));
  }

  @Test
  void theRoleSaysWhetherThePeerMayStore() {
    int debug = Pmid.build(DOMAIN, 0, 1); // mmv.control.debug
    Result off =
        new Result(
            0,
            0,
            0,
            List.of(
                ValueSet.of(debug, List.of(new InstanceValue(Instance.NULL, Value.ofText(""))))));
    assertEquals(new PduError(0, 0), ask(off));
    role.mayStore = false;
    assertError(PmError.PERMISSION, off);
  }

  // ---------------------------------------------------------------- the conversation

  @Test
  void whatIsNoRequestIsForTheRole() {
    assertError(PmError.IPC, new ControlReq(0));
    channel.writeInbound(Unpooled.copyInt(12, PduType.FETCH.code(), 0));
    assertEquals(new PduError(0, PmError.IPC.code()), read());
    assertEquals(2, role.received.size());
    send(Profile.all(0, 0));
    assertNull(read());
    assertEquals(2, role.received.size());
  }

  @Test
  void aRequestThatFailsIsAnswered() {
    role.fails = true;
    assertError(PmError.GENERIC, store(ONE));
    assertEquals("[42]", values(0, ONE));
  }

  @Test
  void aMessageThatIsNotPermittedEndsTheConversation() {
    role.isOpen = false;
    send(new DescReq(0, ONE));
    assertNull(read());
    assertFalse(channel.isOpen());
    assertTrue(role.hasEnded);
  }

  @ParameterizedTest
  @ValueSource(ints = {11, 1001})
  void aLengthOutOfTheRolesRangeIsAFailure(int length) {
    channel.writeInbound(Unpooled.copyInt(length, PduType.FETCH.code(), 0));
    assertFalse(channel.isOpen());
  }
}
