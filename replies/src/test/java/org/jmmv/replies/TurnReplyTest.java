package org.jmmv.replies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.stream.IntStream;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogOptions;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.User;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.InstanceReq;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.Instances;
import org.jmmv.protocol.Label;
import org.jmmv.protocol.LabelReq;
import org.jmmv.protocol.ListReply;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PduEncoder;
import org.jmmv.protocol.PduTrace;
import org.jmmv.protocol.PmnsChild;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.protocol.PmnsTraverse;
import org.jmmv.protocol.Request;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.ValueSet;
import org.jmmv.serving.Accounts;
import org.jmmv.serving.LongReply.Progress;
import org.jmmv.serving.Maintenance;
import org.jmmv.testkit.HeapUse;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replies in turns each of which is over at once, so that they take as many as they can. */
class TurnReplyTest {
  private static final int DOMAIN = 70;
  private static final int IN_DOM = InDom.build(DOMAIN, 1 << 11 | 1);
  private static final int INSTANCES = 50_000;

  @TempDir Path directory;
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final Session session = new Session(new Accounts(1 << 20, Runnable::run), User.of(1));
  private int recounts;
  private Catalog catalog;
  private Replies replies;
  private TestRole role;
  private ChannelHandlerContext ctx;

  @BeforeEach
  void load() {
    MmvWriter file = new MmvWriter(2).cluster(1);
    MmvWriter.InDom inDom = file.inDom(1);
    MmvWriter.Metric metric = file.metric("m", 1, ValueType.U64).inDom(inDom);
    for (int i = 0; i < INSTANCES; i++) {
      inDom.instance(i, "instance" + i);
      metric.at(i, 3L * i);
    }
    file.label(LabelType.INSTANCES, 1, 7, "{\"x\":1}");
    file.write(directory, "app");
    catalog = new Catalog(new CatalogOptions(directory).version("1").debug(new DebugOptions()));
    role = new TestRole(new Maintenance(catalog, channel.eventLoop()));
    load(catalog);
    replies = new Replies(catalog);
    channel.pipeline().addLast(new PduEncoder(new PduTrace(() -> false, _ -> {})));
    channel.pipeline().addLast("last", new ChannelInboundHandlerAdapter());
    ctx = channel.pipeline().context("last");
  }

  private static void load(Catalog catalog) {
    catalog.load();
    while (catalog.hasBacklog()) {
      catalog.idle(Turn.of(1_000_000_000));
    }
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
    replies.release();
    catalog.close();
  }

  /** Gives a reply turns until it is complete, and returns their number. */
  private static int finish(TurnReply reply) {
    int turns = 1;
    while (reply.writePiece(Turn.OVER) == Progress.MORE) {
      turns++;
    }
    reply.close();
    return turns;
  }

  private Pdu written() {
    CompositeByteBuf all = Unpooled.compositeBuffer();
    for (ByteBuf next; (next = channel.readOutbound()) != null; ) {
      all.addComponent(true, next);
    }
    return ServiceTester.decode(all);
  }

  private ListTurnReply list(Request request) {
    ListReply list = (ListReply) replies.reply(request, session, role);
    boolean isShared = replies.isShared(request);
    return new ListTurnReply(ctx, request, list, isShared, catalog.changes(), () -> recounts++);
  }

  @Test
  void aListTakesATurnForEachEntryIfAllAreShort() {
    assertTrue(finish(list(new InstanceReq(0, IN_DOM, Instance.NULL, ""))) > 2 * INSTANCES);
    List<Instance> instances = ((Instances) written()).instances();
    assertEquals(INSTANCES, instances.size());
    assertEquals(new Instance(12_345, "instance12345"), instances.get(12_345));

    assertTrue(finish(list(new LabelReq(0, IN_DOM, LabelType.INSTANCES))) > 4 * INSTANCES);
    Label labels = (Label) written();
    assertEquals(INSTANCES, labels.sets().size());
    assertEquals("{\"x\":1}", labels.sets().get(7).labels().json());
    assertEquals("", labels.sets().get(8).labels().json());

    finish(list(new PmnsTraverse(0, "mmv.app")));
    assertEquals(new PmnsNames(0, List.of("mmv.app.m"), List.of()), written());
  }

  @Test
  void aListIsThatOfItsFirstTurn() {
    ListTurnReply reply = list(new InstanceReq(0, IN_DOM, Instance.NULL, ""));
    reply.writePiece(Turn.OVER);
    long shared = reply.bytes();
    assertTrue(shared >= INSTANCES * 8L);
    while (channel.outboundMessages().isEmpty()) {
      reply.writePiece(Turn.OVER);
    }
    MmvWriter other = new MmvWriter(2).cluster(1);
    other.metric("other", 2, ValueType.U64).value(1);
    other.write(directory, "app");
    while (catalog.begin(new Scope.OfName("mmv.app.other")).metric("mmv.app.other") == null) {
      Thread.onSpinWait(); // a busy machine has had no time to scan the directory
    }

    assertTrue(recounts > 0);
    assertTrue(reply.bytes() > shared + INSTANCES * 48L, "it alone keeps the names");
    finish(reply);
    assertEquals(INSTANCES, ((Instances) written()).instances().size());
  }

  /** In the tree they are parts of longer names. */
  @Test
  void theNamesOfChildrenAreCountedFromTheBeginning() throws Exception {
    MmvWriter file = new MmvWriter(2).cluster(2);
    for (int i = 0; i < 1_000; i++) {
      file.metric("m%04d.x".formatted(i), i, ValueType.U64).value(1);
    }
    file.write(directory, "parts");
    load(catalog);
    HeapUse.assertCounted(
        "children",
        20,
        _ -> {
          ListTurnReply reply = list(new PmnsChild(0, false, "mmv.parts"));
          while (channel.outboundMessages().isEmpty()) {
            reply.writePiece(Turn.OVER);
          }
          channel.releaseOutbound();
          return reply;
        },
        TurnReply::bytes);
  }

  @Test
  void theMetricsOfAFetchAreCounted() throws Exception {
    HeapUse.assertCounted(
        "fetch",
        20,
        _ -> new FetchReply(ctx, Fetch.of(0, 0, new int[100_000]), session, role, replies),
        TurnReply::bytes);
  }

  /** The catalogue replaces their tables although nothing else has changed. */
  @Test
  void theInstancesOfOurOwnMetricsAreCountedFromTheBeginning() {
    ListTurnReply reply = list(new InstanceReq(0, InDom.build(DOMAIN, 0), Instance.NULL, ""));
    while (channel.outboundMessages().isEmpty()) {
      reply.writePiece(Turn.OVER);
    }
    assertTrue(reply.bytes() > 2 * Integer.BYTES, "not the references alone");
    finish(reply);
  }

  /** A large buffer would stay as long as nobody fetches anything. */
  @Test
  void theBufferOfALargeFetchIsFreed() {
    finish(fetch(100_000));
    ReplyBuffer kept = replies.takeBuffer();
    assertTrue(kept.bytes() > 100_000 * Integer.BYTES);
    replies.giveBack(kept);
    finish(fetch(600_000));
    assertTrue(replies.takeBuffer().bytes() < 1 << 20, "it is another one");
  }

  private FetchReply fetch(int values) {
    int[] pmids = new int[values / INSTANCES];
    Arrays.fill(pmids, Pmid.build(DOMAIN, 1, 1));
    return new FetchReply(ctx, Fetch.of(0, 0, pmids), session, role, replies);
  }

  /** A turn goes on for as long as the check of the files takes, which may be held up once. */
  private void assertTakesTurns(Fetch request) {
    int turns = 0;
    for (int i = 0; i < 10 && turns <= 2; i++) {
      channel.releaseOutbound();
      turns = finish(new FetchReply(ctx, request, session, role, replies));
    }
    assertTrue(turns > 2);
  }

  private void assertValues(int values) {
    Result result = (Result) written();
    assertEquals(values / INSTANCES, result.count());
    for (ValueSet set : result.sets()) {
      assertEquals(INSTANCES, set.status());
      IntStream.of(0, 1, INSTANCES - 1)
          .forEach(i -> assertEquals(Long.toString(3L * i), set.values().get(i).value().asText()));
    }
  }

  @Test
  void valuesOfAnOrdinaryFetchAreOfOneTurn() {
    FetchReply reply = fetch(100_000);
    while (reply.writePiece(Turn.OVER) == Progress.MORE) {
      assertTrue(reply.bytes() < 64, "it keeps the PMIDs only");
    }
    reply.close();
    assertValues(100_000);
  }

  @Test
  void largeFetchesGoOnInTurnsInMemoryOfTheirOwn() {
    Queue<FetchReply> waiting = new ArrayDeque<>(List.of(fetch(300_000), fetch(300_000)));
    for (FetchReply next; (next = waiting.poll()) != null; ) {
      if (next.writePiece(Turn.OVER) == Progress.MORE) {
        waiting.add(next);
      } else {
        assertTrue(next.bytes() > 2 << 20, "it counts its memory");
        next.close();
        assertValues(300_000);
      }
    }
  }

  /** Each takes up to ten times as long as a number. */
  @Test
  void manyStringsTakeSeveralTurns() {
    MmvWriter file = new MmvWriter(2).cluster(3);
    MmvWriter.InDom inDom = file.inDom(2);
    MmvWriter.Metric metric = file.metric("t", 1, ValueType.STRING).inDom(inDom);
    for (int i = 0; i < 30_000; i++) {
      inDom.instance(i, "instance" + i);
      metric.textAt(i, "text" + i);
    }
    file.write(directory, "texts");
    load(catalog);
    Fetch fetch = Fetch.of(0, 0, Pmid.build(DOMAIN, 3, 1));
    assertTakesTurns(fetch);
    List<InstanceValue> values = ((Result) written()).sets().getFirst().values();
    assertEquals(30_000, values.size());
    assertEquals("text29999", values.get(29_999).value().asText());
  }

  @Test
  void manyStringsWithoutValuesHaveTheReason() {
    MmvWriter file = new MmvWriter(2).cluster(3);
    MmvWriter.InDom inDom = file.inDom(2);
    MmvWriter.Metric metric = file.metric("t", 1, ValueType.STRING).inDom(inDom);
    for (int i = 0; i < 2_500; i++) {
      inDom.instance(i, "instance" + i);
      metric.at(i, 0); // without a text
    }
    file.write(directory, "texts");
    load(catalog);
    Fetch fetch = Fetch.of(0, 0, Pmid.build(DOMAIN, 3, 1));
    finish(new FetchReply(ctx, fetch, session, role, replies));
    assertEquals(PmError.GENERIC.code(), ((Result) written()).sets().getFirst().status());
  }

  /** A value may be a sentence about what is wrong with a file. */
  @Test
  void aMetricOfThisProgramTakesAsManyTurnsAsItNeeds() throws IOException {
    for (int i = 0; i < 2_500; i++) {
      Files.writeString(directory.resolve("text" + i), "no MMV file".repeat(10));
    }
    load(catalog);
    int reason = Pmid.build(DOMAIN, 0, 102);
    int[] pmids = new int[30];
    Arrays.fill(pmids, reason);
    pmids[1] = Pmid.build(DOMAIN, 1, 1);
    Fetch request = Fetch.of(0, 0, pmids);
    assertTakesTurns(request);
    List<ValueSet> sets = ((Result) written()).sets();
    assertEquals(INSTANCES, sets.get(1).status());
    for (ValueSet each : List.of(sets.getFirst(), sets.getLast())) {
      assertEquals(2_501, each.values().stream().map(InstanceValue::instance).distinct().count());
      assertEquals("", each.values().getFirst().value().asText());
      assertTrue(each.values().getLast().value().asText().startsWith("not an MMV file"));
    }
  }
}
