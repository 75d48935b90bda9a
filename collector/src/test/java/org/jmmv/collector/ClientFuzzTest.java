package org.jmmv.collector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jmmv.client.CollectorConnection;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogOptions;
import org.jmmv.core.PmcdClients;
import org.jmmv.core.PmcdFacts;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelParser;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.TextType;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Creds;
import org.jmmv.protocol.DescIds;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.InDomProfile;
import org.jmmv.protocol.InstanceReq;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.LabelReq;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PmnsChild;
import org.jmmv.protocol.PmnsIds;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.protocol.PmnsTraverse;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.TextReq;
import org.jmmv.protocol.Value;
import org.jmmv.protocol.ValueSet;
import org.jmmv.serving.Access;
import org.jmmv.serving.Server;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a client sends, other clients are answered as before. */
class ClientFuzzTest {
  private static final int DOMAIN = 70;
  private static final int ONE = Pmid.build(DOMAIN, 1, 1);
  private static final int EACH = Pmid.build(DOMAIN, 1, 2);
  private static final int IN_DOM = InDom.build(DOMAIN, 1 << 11 | 1);

  @TempDir static Path root;
  private static UnixDomainSocketAddress socket;
  private static Server server;
  private static Collector collector;
  private static CollectorConnection good;

  @BeforeAll
  static void serve() throws IOException {
    MmvWriter file = new MmvWriter(3).cluster(1);
    MmvWriter.InDom inDom = file.inDom(1).help("some", "some things");
    inDom.instance(3, "three").instance(4, "four");
    file.metric("one", 1, ValueType.I32).help("one", "one number").value(42);
    file.metric("each", 2, ValueType.I64).inDom(inDom).at(3, 33).at(4, -44);
    file.label(16, 2, 0, "{\"b\":2}").label(32, 1, 4, "{\"d\":4}");
    file.write(Files.createDirectories(root.resolve("mmv")), "app");
    DebugOptions debug = new DebugOptions();
    PmcdClients clients = new PmcdClients();
    server =
        new Server(
            new Catalog(
                new CatalogOptions(root.resolve("mmv"))
                    .domain(DOMAIN)
                    .debug(debug)
                    .pmcd(new PmcdFacts("here", "UTC", Optional.empty(), "1.2.3", 7), clients)),
            new Access(100, List.of()));
    collector =
        new Collector(
            server,
            clients,
            LabelParser.parse("{\"hostname\":\"here\"}", LabelType.CONTEXT),
            Optional.empty(),
            debug);
    socket = UnixDomainSocketAddress.of(root.resolve("socket"));
    server.listen(socket, collector);
    good = CollectorConnection.introduced(socket);
  }

  @AfterAll
  static void stop() throws IOException {
    good.close();
    server.close();
    collector.close();
  }

  /** One request of each kind, and all of them together. */
  static List<byte[]> requests() {
    List<Pdu> each =
        List.of(
            Creds.version2(1),
            new Profile(0, 0, true, List.of(new InDomProfile(IN_DOM, false, 3))),
            Fetch.of(0, 0, ONE, EACH, -1),
            Fetch.highRes(0, 0, EACH),
            new DescReq(0, ONE),
            new DescIds(0, List.of(ONE, EACH, 5)),
            new InstanceReq(0, IN_DOM, Instance.NULL, ""),
            new InstanceReq(0, IN_DOM, Instance.NULL, "four"),
            new TextReq(0, ONE, TextType.PMID | TextType.HELP),
            new PmnsIds(0, 0, List.of(ONE)),
            new PmnsNames(0, List.of("mmv.app.one", "mmv.none", "pmcd.hostname"), List.of()),
            new PmnsChild(0, true, "mmv"),
            new PmnsTraverse(0, ""),
            new LabelReq(0, -1, LabelType.CONTEXT),
            new LabelReq(0, IN_DOM, LabelType.INSTANCES),
            new Result(
                0,
                0,
                0,
                List.of(ValueSet.of(ONE, List.of(new InstanceValue(-1, Value.ofText("x")))))));
    return Stream.concat(each.stream().map(List::of), Stream.of(each))
        .map(ClientFuzzTest::encoded)
        .toList();
  }

  private static byte[] encoded(List<Pdu> pdus) {
    ByteBuf bytes = Unpooled.buffer();
    pdus.forEach(pdu -> pdu.encode(bytes));
    return ByteBufUtil.getBytes(bytes);
  }

  @MethodSource("requests")
  @FuzzTest
  void otherClientsAreAnsweredAsBefore(byte[] bytes) throws IOException {
    try (CollectorConnection hostile = CollectorConnection.introduced(socket)) {
      hostile.sendBytes(bytes);
      hostile.send(new PmnsChild(0, false, "mmv"));
      assertGoodIsAnswered(); // by the loop that has read the bytes before, or reads them next
    } catch (IOException e) {
      // the collector has closed the connection, because a length was wrong
    }
    assertGoodIsAnswered();
  }

  private static void assertGoodIsAnswered() throws IOException {
    Result result = (Result) good.ask(Fetch.of(0, 0, ONE, EACH));
    assertEquals(
        List.of("42", "33", "-44"),
        result.sets().stream()
            .flatMap(set -> set.values().stream())
            .map(value -> value.value().asText())
            .toList());
  }
}
