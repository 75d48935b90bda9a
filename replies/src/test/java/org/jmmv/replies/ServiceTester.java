package org.jmmv.replies;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogOptions;
import org.jmmv.core.LogCapture;
import org.jmmv.core.TestCatalog;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.TextType;
import org.jmmv.pcp.User;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Desc;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.InstanceReq;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.Label;
import org.jmmv.protocol.LabelReq;
import org.jmmv.protocol.MalformedPduException;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.PduType;
import org.jmmv.protocol.PmnsIds;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.protocol.PmnsTraverse;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.TextReq;
import org.jmmv.protocol.ValueSet;
import org.jmmv.serving.Maintenance;
import org.jmmv.testkit.MmvWriter;

/**
 * Sends requests to a {@link PduService} through its whole pipeline, over real files, and keeps
 * what is logged.
 */
public final class ServiceTester implements AutoCloseable {
  /** Returns the pipeline that serves a catalogue. */
  public interface Face {
    ChannelInitializer<Channel> pipeline(Catalog catalog, DebugOptions debug);
  }

  private final TestCatalog files;
  private final EmbeddedChannel channel;

  ServiceTester() {
    this(new TestCatalog(), ServiceTester::serviceWithTestRole);
  }

  /** Creates a tester whose MMV files and file of clusters are below a directory. */
  ServiceTester(Path root) {
    this(root, ServiceTester::serviceWithTestRole);
  }

  /** Creates a tester of a pipeline other than that of {@link TestRole}. */
  ServiceTester(Face face) {
    this(new TestCatalog(), face);
  }

  public ServiceTester(Path root, Face face) {
    this(new TestCatalog(root, TestCatalog.LIMITS), face);
  }

  private ServiceTester(TestCatalog files, Face face) {
    this.files = files;
    channel = new EmbeddedChannel(face.pipeline(files.catalog(), files.debug()));
  }

  private static ChannelInitializer<Channel> serviceWithTestRole(
      Catalog catalog, DebugOptions debug) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        Maintenance maintenance = new Maintenance(catalog, channel.eventLoop());
        PduService service = new PduService(catalog, maintenance, channel.eventLoop(), debug);
        service.serve(channel.pipeline(), new TestRole(maintenance), User.of(1));
        channel.closeFuture().addListener(_ -> service.close());
      }
    };
  }

  /**
   * Returns a pipeline that needs no {@link ServiceTester}. It remembers no clusters: its catalogue
   * is never closed, so the next one would wait a second for the lock of the file.
   */
  public static ChannelInitializer<Channel> pipeline(Path root, Face face) {
    DebugOptions debug = new DebugOptions();
    CatalogOptions catalog =
        new CatalogOptions(TestCatalog.directory(root))
            .version("1.2.3")
            .settings(TestCatalog.settings(TestCatalog.LIMITS))
            .debug(debug);
    return face.pipeline(new Catalog(catalog), debug);
  }

  public Path write(String name, MmvWriter writer) {
    return files.write(name, writer);
  }

  Path write(String name, byte[] bytes) {
    return files.write(name, bytes);
  }

  Catalog catalog() {
    return files.catalog();
  }

  EmbeddedChannel channel() {
    return channel;
  }

  Path directory() {
    return files.directory();
  }

  void delete(String name) {
    files.delete(name);
  }

  /** What has been logged. */
  public LogCapture log() {
    return files.log();
  }

  public boolean isOpen() {
    return channel.isOpen();
  }

  // ---------------------------------------------------------------- PDUs

  public static ByteBuf encode(Pdu... pdus) {
    ByteBuf bytes = Unpooled.buffer();
    for (Pdu pdu : pdus) {
      pdu.encode(bytes);
    }
    return bytes;
  }

  /** Sends PDUs in one read. */
  public void send(Pdu... pdus) {
    send(encode(pdus));
  }

  public void send(ByteBuf bytes) {
    channel.writeInbound(bytes);
  }

  /** Sends PDUs in one read, and returns the number of replies of each flush. */
  List<Integer> repliesOfEachFlush(Pdu... pdus) {
    List<Integer> flushes = new ArrayList<>();
    channel
        .pipeline()
        .addFirst(
            new ChannelOutboundHandlerAdapter() {
              private int written;

              @Override
              public void write(ChannelHandlerContext ctx, Object reply, ChannelPromise promise) {
                written++;
                ctx.write(reply, promise);
              }

              @Override
              public void flush(ChannelHandlerContext ctx) {
                flushes.add(written);
                written = 0;
                ctx.flush();
              }
            });
    send(pdus);
    return flushes;
  }

  /** Sends words as they are, in the network's byte order. */
  public void sendWords(int... words) {
    send(Unpooled.copyInt(words));
  }

  /** The next reply's bytes, or null. */
  ByteBuf readBytes() {
    ByteBuf bytes = channel.readOutbound();
    return bytes != null && bytes.isReadable() ? bytes : null; // an empty one precedes the close
  }

  /** The next reply, or null. */
  public Pdu read() {
    ByteBuf bytes = readBytes();
    return bytes == null ? null : decode(whole(bytes));
  }

  /** A PDU that may have been written in several pieces. */
  private ByteBuf whole(ByteBuf first) {
    CompositeByteBuf pdu = Unpooled.compositeBuffer().addComponent(true, first);
    while (pdu.readableBytes() < pdu.getInt(0)) {
      pdu.addComponent(true, readBytes());
    }
    return pdu;
  }

  /** The one PDU that these bytes are, which are released. */
  public static Pdu decode(ByteBuf bytes) {
    try {
      assertEquals(bytes.readableBytes(), bytes.readInt(), "the PDU's length");
      PduType type = PduType.of(bytes.readInt());
      return Pdu.decode(type, bytes.readInt(), bytes);
    } catch (MalformedPduException e) {
      throw new AssertionError(e);
    } finally {
      bytes.release();
    }
  }

  /** The one reply to a request. */
  public Pdu ask(Pdu request) {
    send(request);
    Pdu reply = read();
    assertNotNull(reply, () -> "no reply to " + request);
    assertNull(read(), () -> "a second reply to " + request);
    return reply;
  }

  public <T extends Pdu> T ask(Class<T> type, Pdu request) {
    return assertInstanceOf(type, ask(request));
  }

  public void assertError(PmError error, Pdu request) {
    PduError reply = ask(PduError.class, request);
    assertEquals("PM_ERR_" + error, PmError.describe(reply.code()));
  }

  /** A file with one value, and with 10 and 11 of two instances; the items are 1 and 2. */
  public static MmvWriter file(int cluster, int value) {
    MmvWriter file = new MmvWriter(1).cluster(cluster);
    MmvWriter.InDom inDom = file.inDom(2).instance(0, "zero").instance(1, "one");
    file.metric("m", 1, ValueType.I32).value(value);
    file.metric("n", 2, ValueType.I32).inDom(inDom).at(0, 10).at(1, 11);
    return file;
  }

  /** Asserts that the file of cluster 1 is still served, whose value is 7. */
  public void assertAlive() {
    assertEquals("7", values(TestCatalog.pmid(1, 1)));
  }

  // ---------------------------------------------------------------- questions

  public Result fetch(int... pmids) {
    Result result = ask(Result.class, Fetch.of(0, 0, pmids));
    assertEquals(0, result.microseconds());
    assertEquals(
        Arrays.stream(pmids).boxed().toList(),
        result.sets().stream().map(ValueSet::pmid).toList(),
        "one set for each PMID, in the order asked");
    return result;
  }

  /**
   * A metric's values as {@code instance=value}, or the one value of a singular metric, or the name
   * of an error, or nothing.
   */
  public String values(int pmid) {
    return text(fetch(pmid).sets().getFirst());
  }

  /** As {@link #values}. */
  public static String text(ValueSet set) {
    return set.status() < 0
        ? PmError.describe(set.status())
        : set.values().stream().map(ServiceTester::text).collect(joining(" "));
  }

  private static String text(InstanceValue value) {
    String text = value.value().asText();
    return value.instance() == Instance.NULL ? text : value.instance() + "=" + text;
  }

  /** The sorted names of all metrics but those below mmv.control. */
  List<String> names() {
    PmnsNames leaves = ask(PmnsNames.class, new PmnsTraverse(0, "mmv"));
    return leaves.names().stream()
        .filter(name -> !name.startsWith("mmv.control."))
        .sorted()
        .toList();
  }

  /** The PMID of a name. */
  int pmid(String name) {
    PmnsNames question = new PmnsNames(0, List.of(name), List.of());
    return ask(PmnsIds.class, question).pmids().getFirst();
  }

  /** The JSON texts of labels, with {@code instance=} before those of instances. */
  public String labels(int ident, int type) {
    return ask(Label.class, new LabelReq(0, ident, type)).sets().stream()
        .map(set ->
            (set.instance() == Instance.NULL ? "" : set.instance() + "=") + set.labels().json())
        .collect(joining(" "));
  }

  /** All replies about all metrics and their instance domains. */
  String describe() {
    return names().stream().map(this::describe).collect(joining());
  }

  /** All replies about a metric and its instance domain. */
  String describe(String name) {
    StringBuilder all = new StringBuilder();
    int pmid = pmid(name);
    Pdu description = ask(new DescReq(0, pmid));
    all.append(name).append(' ').append(Pmid.toString(pmid)).append(' ').append(values(pmid));
    append(all, new PmnsIds(0, 0, List.of(pmid)));
    append(all, new TextReq(0, pmid, TextType.PMID | TextType.ONELINE));
    append(all, new TextReq(0, pmid, TextType.PMID | TextType.HELP));
    append(all, new LabelReq(0, pmid, LabelType.CLUSTER));
    append(all, new LabelReq(0, pmid, LabelType.ITEM));
    all.append("\n  ").append(description);
    if (description instanceof Desc desc && desc.inDom() != InDom.NULL) {
      append(all, new InstanceReq(0, desc.inDom(), Instance.NULL, ""));
      append(all, new TextReq(0, desc.inDom(), TextType.INDOM | TextType.ONELINE));
      append(all, new TextReq(0, desc.inDom(), TextType.INDOM | TextType.HELP));
      append(all, new LabelReq(0, desc.inDom(), LabelType.INDOM));
      append(all, new LabelReq(0, desc.inDom(), LabelType.INSTANCES));
    }
    return all.append('\n').toString();
  }

  private void append(StringBuilder all, Pdu request) {
    all.append("\n  ").append(ask(request));
  }

  @Override
  public void close() {
    channel.finishAndReleaseAll();
    files.close();
  }
}
