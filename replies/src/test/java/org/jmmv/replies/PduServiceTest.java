package org.jmmv.replies;

import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jmmv.core.Catalog;
import org.jmmv.core.LongestStep;
import org.jmmv.core.Turn;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.User;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.ControlReq;
import org.jmmv.protocol.Desc;
import org.jmmv.protocol.DescIds;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.Descs;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.Label;
import org.jmmv.protocol.LabelReq;
import org.jmmv.protocol.LabelSet;
import org.jmmv.protocol.Message;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.PduType;
import org.jmmv.protocol.PmnsIds;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Reply;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.Value;
import org.jmmv.protocol.ValueSet;
import org.jmmv.serving.Maintenance;
import org.jmmv.serving.Scheduler;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the role of a connection decides, over real files. */
class PduServiceTest {
  private static final int DOMAIN = 70;
  private static final int RELOAD = Pmid.build(DOMAIN, 0, 0);
  private static final int ONE = Pmid.build(DOMAIN, 1, 1);
  private static final int FOREIGN = Pmid.build(60, 1, 1);
  private static final LabelSet CONTEXT = new LabelSet(Instance.NULL, new Labels("{}", List.of()));

  /** Says what a test wants it to, and records what it is told. */
  private static final class FakeRole extends TestRole {
    private boolean isOpen = true;
    private boolean mayStore = true;
    private boolean hasEnded;
    private boolean fails;
    private final List<Message> received = new ArrayList<>();

    FakeRole() {
      super(null);
    }

    @Override
    public int maxRequest() {
      return 1000;
    }

    @Override
    public void begin(ChannelHandlerContext ctx, Session session) {}

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
    public void end() {
      hasEnded = true;
    }
  }

  private final FakeRole role = new FakeRole();
  private PduService service;
  @AutoClose private final ServiceTester tester = new ServiceTester(this::pipeline);

  private ChannelInitializer<Channel> pipeline(Catalog catalog, DebugOptions debug) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel served) {
        Maintenance maintenance = new Maintenance(catalog, served.eventLoop());
        service = new PduService(catalog, maintenance, served.eventLoop(), debug);
        service.serve(served.pipeline(), role, User.of(1));
      }
    };
  }

  @BeforeEach
  void write() {
    MmvWriter file = new MmvWriter(2).cluster(1);
    file.metric("one", 1, ValueType.I32).value(42);
    tester.write("app", file);
  }

  @AfterEach
  void close() {
    service.close();
  }

  private String values(int context, int pmid) {
    Result result = (Result) tester.ask(Fetch.of(0, context, pmid));
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
  void descriptorsOfSeveralMetricsAreOneReply() {
    Desc one = (Desc) tester.ask(new DescReq(0, ONE));
    Desc unknown = new Desc(0, Pmid.NULL, 0, 0, 0, 0);
    assertEquals(
        new Descs(0, List.of(one, unknown)), tester.ask(new DescIds(0, List.of(ONE, FOREIGN))));
    tester.assertError(PmError.PMID, new DescIds(0, List.of(FOREIGN)));
  }

  @Test
  void whatIsUnknownHasTheErrorOfItsDomain() {
    int unknown = Pmid.build(DOMAIN, 1, 99);
    tester.assertError(PmError.PMID, new PmnsIds(0, 0, List.of(unknown)));
    tester.assertError(PmError.NOAGENT, new PmnsIds(0, 0, List.of(FOREIGN)));
    Result result = (Result) tester.ask(Fetch.of(0, 0, unknown, FOREIGN, Pmid.NULL));
    assertEquals(
        List.of(PmError.PMID.code(), PmError.NOAGENT.code(), PmError.NOAGENT.code()),
        result.sets().stream().map(ValueSet::status).toList());
    tester.assertError(PmError.NOAGENT, new LabelReq(0, 60, LabelType.DOMAIN));
    tester.assertError(PmError.PMID, new LabelReq(0, FOREIGN, LabelType.ITEM));
    tester.assertError(PmError.INDOM, new LabelReq(0, InDom.build(60, 1), LabelType.INSTANCES));
  }

  @Test
  void labelsOfTheContextAreTheRoles() {
    assertEquals(
        new Label(0, -1, LabelType.CONTEXT, List.of(CONTEXT)),
        tester.ask(new LabelReq(0, -1, LabelType.CONTEXT)));
  }

  // ---------------------------------------------------------------- values

  /**
   * Returns the reply to a request, before which one that comes later from another peer is
   * answered.
   */
  private Pdu readAfterAnother(Pdu... request) {
    EmbeddedChannel channel = tester.channel();
    EmbeddedChannel another = new EmbeddedChannel();
    service.serve(another.pipeline(), role, User.of(2));
    Scheduler scheduler = new Scheduler(channel.eventLoop(), () -> 0, new LongestStep(0));
    PduService.controlFlow(channel.pipeline(), scheduler, User.of(1), null);
    PduService.controlFlow(another.pipeline(), scheduler, User.of(2), null);
    tester.send(request);
    another.writeInbound(ServiceTester.encode(Profile.all(0, 0), Fetch.of(0, 0, ONE)));
    while (another.outboundMessages().isEmpty()) {
      channel.runScheduledPendingTasks();
    }
    assertTrue(channel.outboundMessages().isEmpty());
    while (channel.outboundMessages().isEmpty()) {
      channel.runScheduledPendingTasks();
    }
    another.finishAndReleaseAll();
    return tester.read();
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
    tester.write("large", large);
    while (!(tester.ask(names("mmv.large.m0")) instanceof PmnsIds)) {
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
    IntStream.range(0, 1_000).forEach(i -> tester.write("f" + i, many));
    while (tester.catalog().hasBacklog()) {
      tester.catalog().idle(Turn.ENDLESS);
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
    assertEquals(new PduError(0, 0), tester.ask(off));
    role.mayStore = false;
    tester.assertError(PmError.PERMISSION, off);
  }

  // ---------------------------------------------------------------- the conversation

  @Test
  void whatIsNoRequestIsForTheRole() {
    tester.assertError(PmError.IPC, new ControlReq(0));
    tester.sendWords(12, PduType.FETCH.code(), 0);
    assertEquals(new PduError(0, PmError.IPC.code()), tester.read());
    assertEquals(2, role.received.size());
    tester.send(Profile.all(0, 0));
    assertNull(tester.read());
    assertEquals(2, role.received.size());
  }

  @Test
  void aRequestThatFailsIsAnswered() {
    role.fails = true;
    tester.assertError(PmError.GENERIC, store(ONE));
    assertEquals("[42]", values(0, ONE));
  }

  @Test
  void aMessageThatIsNotPermittedEndsTheConversation() {
    role.isOpen = false;
    tester.send(new DescReq(0, ONE));
    assertNull(tester.read());
    assertFalse(tester.isOpen());
    assertTrue(role.hasEnded);
  }
}
