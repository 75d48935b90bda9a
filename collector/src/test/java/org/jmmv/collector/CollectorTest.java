package org.jmmv.collector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jmmv.client.CollectorConnection;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogOptions;
import org.jmmv.core.PmcdClients;
import org.jmmv.core.PmcdFacts;
import org.jmmv.core.SettingsSource;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.LabelParser;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Network;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.StateChange;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Attr;
import org.jmmv.protocol.Creds;
import org.jmmv.protocol.Desc;
import org.jmmv.protocol.DescIds;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.Descs;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.Greeting;
import org.jmmv.protocol.HighResResult;
import org.jmmv.protocol.InDomProfile;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.Label;
import org.jmmv.protocol.LabelReq;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.PmnsChild;
import org.jmmv.protocol.PmnsIds;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.protocol.PmnsTraverse;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.Value;
import org.jmmv.protocol.ValueSet;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.reader.watch.Limit;
import org.jmmv.reader.watch.Limits;
import org.jmmv.serving.Access;
import org.jmmv.serving.Server;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CollectorTest {
  private static final int DOMAIN = 70;
  private static final int ONE = Pmid.build(DOMAIN, 1, 2);
  private static final int MANY = Pmid.build(DOMAIN, 1, 1);
  private static final int IN_DOM = InDom.build(DOMAIN, 1 << 11 | 1);
  private static final int INSTANCES = 50_000;
  private static final Network NETWORK = new Network(InetAddress.ofLiteral("192.0.2.0"), 24);

  @TempDir Path root;
  private final DebugOptions debug = new DebugOptions();
  private final AtomicInteger refreshes = new AtomicInteger();
  private final List<AutoCloseable> open = new ArrayList<>();
  private UnixDomainSocketAddress socket;
  private Server server;

  @BeforeEach
  void start() throws IOException {
    socket = UnixDomainSocketAddress.of(root.resolve("socket"));
    MmvWriter file = new MmvWriter(2).cluster(1);
    MmvWriter.InDom inDom = file.inDom(1);
    MmvWriter.Metric many = file.metric("many", 1, ValueType.I64).inDom(inDom);
    for (int i = 0; i < INSTANCES; i++) {
      inDom.instance(i, "i" + i);
      many.at(i, i);
    }
    file.metric("one", 2, ValueType.I32).value(42);
    file.write(Files.createDirectories(root.resolve("mmv")), "app");
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable resource : open.reversed()) {
      resource.close();
    }
  }

  private Collector serve(Access access, SocketAddress... addresses) throws IOException {
    PmcdClients clients = new PmcdClients();
    Limits patient = Limits.DEFAULT.with(Limit.WAIT, 60_000); // however busy the machine is
    Catalog catalog =
        new Catalog(
            new CatalogOptions(root.resolve("mmv"))
                .settings(new SettingsSource.Settings(patient, List.of(DirectorySettings.DEFAULT)))
                .domain(DOMAIN)
                .version("1.2.3")
                .debug(debug)
                .source(_ -> {
                  refreshes.incrementAndGet();
                  return null;
                })
                .pmcd(new PmcdFacts("here", "UTC0", Optional.empty(), "1.2.3", 7), clients));
    server = new Server(catalog, access);
    Collector collector =
        new Collector(
            server,
            clients,
            LabelParser.parse("{\"hostname\":\"here\"}", LabelType.CONTEXT),
            Optional.empty(),
            debug);
    open.add(collector);
    open.add(server);
    for (SocketAddress address : addresses) {
      server.listen(address, collector);
    }
    return collector;
  }

  private SocketAddress listen(Collector collector, SocketAddress at) throws IOException {
    return server.listen(at, collector);
  }

  private Collector serve() throws IOException {
    return serve(new Access(10, List.of()), socket);
  }

  private CollectorConnection client() throws IOException {
    CollectorConnection client = CollectorConnection.introduced(socket);
    open.add(client);
    return client;
  }

  /** Returns an address with any free port. */
  private static InetSocketAddress anyPort(String address) {
    return new InetSocketAddress(InetAddress.ofLiteral(address), 0);
  }

  /** Returns words in the network's byte order. */
  private static byte[] words(int... words) {
    return ByteBufUtil.getBytes(Unpooled.copyInt(words));
  }

  private static void assertError(PmError expected, Pdu reply) {
    assertEquals(new PduError(0, expected.code()), reply);
  }

  // ---------------------------------------------------------------- connections

  @Test
  void theGreetingOffersWhatTheCollectorHas() throws IOException {
    serve();
    Greeting greeting = client().greeting();
    assertEquals(0, greeting.status());
    assertEquals(0xe00, greeting.features());
  }

  @Test
  void pdusBeforeTheCredentialsEndTheConnection() throws IOException {
    serve();
    try (CollectorConnection client = CollectorConnection.connect(socket)) {
      client.send(new DescReq(0, ONE));
      assertTrue(client.isClosedInSilence());
    }
  }

  @Test
  void moreClientsThanTheLimitAreRefusedInTheGreeting() throws IOException {
    serve(new Access(2, List.of()), socket);
    client();
    CollectorConnection second = client();
    assertRefused(socket);
    second.close();
    CollectorConnection next = CollectorConnection.connect(socket);
    while (next.greeting().status() != 0) { // the collector notices the end of the second one later
      next.close();
      next = CollectorConnection.connect(socket);
    }
    open.add(next);
    next.introduce();
    assertEquals("42", text(next, ONE));
  }

  @Test
  void aUserWhoHasAllConnectionsLosesOneToAnotherUser() throws IOException {
    SocketAddress tcp = listen(serve(), anyPort("127.0.0.1"));
    CollectorConnection first = client();
    for (int i = 0; i < 8; i++) { // the collector admits 10 clients
      client();
    }
    CollectorConnection last = client();
    assertRefused(socket);
    try (CollectorConnection other = CollectorConnection.introduced(tcp)) {
      assertEquals("42", text(other, ONE));
      assertTrue(last.isClosedInSilence());
      assertEquals("42", text(first, ONE));
      assertRefused(socket);
    }
  }

  private static void assertRefused(SocketAddress address) throws IOException {
    try (CollectorConnection client = CollectorConnection.connect(address)) {
      assertEquals(-1043, client.greeting().status());
      assertTrue(client.isClosedInSilence());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  void clientsOnThisMachineAreAdmittedWhateverIsAllowed(String address) throws IOException {
    Access access = new Access(10, List.of(NETWORK));
    try (CollectorConnection client =
        CollectorConnection.introduced(listen(serve(access), anyPort(address)))) {
      assertEquals("42", text(client, ONE));
    }
  }

  @Test
  void clientsOfOtherHostsAreAdmittedFromAllowedNetworks() {
    Access access = new Access(1, List.of(NETWORK));
    assertTrue(access.isAllowed(InetAddress.ofLiteral("192.0.2.255")));
    assertFalse(access.isAllowed(InetAddress.ofLiteral("192.0.3.0")));
    assertTrue(new Access(1, List.of()).isAllowed(InetAddress.ofLiteral("192.0.3.0")));
  }

  @Test
  void aSocketThatWasLeftBehindIsReplacedAndDeletedAtTheEnd() throws IOException {
    ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(socket).close();
    assertTrue(Files.exists(socket.getPath()));
    serve();
    assertEquals("42", text(client(), ONE));
    server.close();
    assertFalse(Files.exists(socket.getPath()));
  }

  // ---------------------------------------------------------------- bad clients

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void aClientThatSendsHalfAPduIsClosedAndOthersAreServedMeanwhile() throws IOException {
    serve();
    CollectorConnection half = client();
    half.sendBytes(words(16, 0x7004, 0));
    assertEquals("42", text(client(), ONE));
    assertTrue(half.isClosedInSilence());
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void aClientThatDoesNotReadItsRepliesIsClosedAndOthersAreServedMeanwhile() throws IOException {
    serve();
    CollectorConnection deaf = client();
    Fetch fetch = Fetch.of(0, 0, MANY);
    deaf.send(Collections.nCopies(100, fetch).toArray(Pdu[]::new));
    assertEquals("42", text(client(), ONE));
    assertThrows(
        IOException.class,
        () -> {
          while (true) {
            deaf.send(Collections.nCopies(1000, fetch).toArray(Pdu[]::new));
          }
        });
  }

  @Test
  void aFloodOfRequestsIsAnsweredInOrderWithOthersInBetween() throws IOException {
    serve();
    CollectorConnection flood = client();
    List<Pdu> requests = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      requests.add(new PmnsTraverse(0, "mmv"));
      requests.add(new DescReq(0, i));
    }
    flood.send(requests.toArray(Pdu[]::new));
    assertEquals("42", text(client(), ONE));
    for (int i = 0; i < 2000; i++) {
      assertInstanceOf(PmnsNames.class, flood.receive());
      assertError(PmError.PMID, flood.receive());
    }
  }

  static Stream<Pdu> notRequests() {
    return Stream.of(
        new PduError(0, 0),
        new Attr(0, 15, "container"),
        new Desc(0, ONE, 0, 0, 0, 0),
        new Descs(0, List.of()));
  }

  @ParameterizedTest
  @MethodSource("notRequests")
  void aPduThatIsNoRequestIsAnsweredWithAnError(Pdu pdu) throws IOException {
    serve();
    CollectorConnection client = client();
    assertError(PmError.IPC, client.ask(pdu));
    assertEquals("42", text(client, ONE));
  }

  @Test
  void malformedAndUnknownPdusAreAnsweredWithAnError() throws IOException {
    serve();
    CollectorConnection client = client();
    client.sendBytes(words(12, 0x7003, 0, 12, 0x7777, 0));
    assertError(PmError.IPC, client.receive());
    assertError(PmError.IPC, client.receive());
    assertEquals("42", text(client, ONE));
  }

  @Test
  void malformedPdusAreLoggedOnlyWhileTheDebugOptionIsOn() throws IOException {
    serve();
    Logger logger = (Logger) LoggerFactory.getLogger(ClientRole.class);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.list = new CopyOnWriteArrayList<>(); // another thread adds to it
    log.start();
    logger.addAppender(log);
    logger.setLevel(Level.DEBUG);
    open.add(() -> {
      logger.detachAppender(log);
      logger.setLevel(null);
    });
    byte[] malformed = words(12, 0x7003, 0);
    byte[] wrongLength = words(0);
    for (String option : List.of("", "pdu")) {
      debug.set(option);
      assertEquals(List.of(), log.list);
      CollectorConnection client = client();
      client.sendBytes(malformed);
      assertError(PmError.IPC, client.receive());
      client.sendBytes(wrongLength);
      assertTrue(client.isClosedInSilence());
    }
    assertEquals(
        List.of(
            "malformed PDU FETCH: context missing at offset 12",
            "a client's connection ends: PDU length 0 is not within 12 to 65536"),
        log.list.stream().map(ILoggingEvent::getFormattedMessage).toList());
  }

  @ParameterizedTest
  @ValueSource(ints = {11, 0, -1, 65_537})
  void aLengthOutOfRangeEndsTheConnection(int length) throws IOException {
    serve();
    CollectorConnection client = client();
    client.sendBytes(words(length, 0x7003, 0));
    assertTrue(client.isClosedInSilence());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  void aTypeThatIsNotPositiveEndsTheConnection(int type) throws IOException {
    serve();
    CollectorConnection client = client();
    client.sendBytes(words(12, type, 0));
    assertTrue(client.isClosedInSilence());
  }

  /** The features are SECURE, CONTAINER and COMPRESS, the latter also with others. */
  @ParameterizedTest
  @CsvSource({"0x01020001, -12366", "0x01020040, -12366", "0x01020002, -95", "0x01020043, -95"})
  void credentialsThatAskForWhatIsNotOfferedAreAnsweredWithAnError(int credential, int error)
      throws IOException {
    serve();
    try (CollectorConnection client = CollectorConnection.connect(socket)) {
      assertEquals(new PduError(0, error), client.ask(new Creds(1, List.of(credential))));
      client.send(Profile.all(0, 0));
      assertEquals("42", text(client, ONE));
    }
  }

  // ---------------------------------------------------------------- values

  /** Returns the value of a singular metric. */
  private static String text(CollectorConnection client, int pmid) throws IOException {
    HighResResult result =
        assertInstanceOf(HighResResult.class, client.ask(Fetch.highRes(0, 0, pmid)));
    return result.sets().getFirst().values().getFirst().value().asText();
  }

  @Test
  void bothResultsHaveTheTimeOfDay() throws IOException {
    serve();
    CollectorConnection client = client();
    long before = System.currentTimeMillis() / 1000;
    Result result = (Result) client.ask(Fetch.of(0, 0, ONE));
    HighResResult highRes = (HighResResult) client.ask(Fetch.highRes(0, 0, ONE));
    assertEquals(result.sets(), highRes.sets());
    assertTrue(result.seconds() >= before && highRes.seconds() >= result.seconds());
    assertTrue(highRes.nanoseconds() < 1_000_000_000);
  }

  @Test
  void unknownMetricsHaveTheErrorOfTheirDomain() throws IOException {
    serve();
    int unknown = Pmid.build(DOMAIN, 1, 99);
    int foreign = Pmid.build(60, 0, 1);
    Result result = (Result) client().ask(Fetch.of(0, 0, unknown, foreign, Pmid.NULL));
    assertEquals(
        List.of(
            ValueSet.none(unknown, PmError.PMID.code()),
            ValueSet.none(foreign, PmError.NOAGENT.code()),
            ValueSet.none(Pmid.NULL, PmError.NOAGENT.code())),
        result.sets());
  }

  private static List<Integer> instances(Result result) {
    return result.sets().getFirst().values().stream().map(InstanceValue::instance).toList();
  }

  @Test
  void profilesBelongToTheContextAndTheConnection() throws IOException {
    serve();
    CollectorConnection one = client();
    one.send(new Profile(0, 1, true, List.of(new InDomProfile(IN_DOM, false, 3))));
    assertEquals(List.of(3), instances((Result) one.ask(Fetch.of(0, 1, MANY))));
    assertEquals(INSTANCES, ((Result) one.ask(Fetch.of(0, 0, MANY))).sets().getFirst().status());
    assertError(PmError.NOPROFILE, client().ask(Fetch.of(0, 1, MANY)));
  }

  @Test
  void everyClientIsToldOfAChangeOnceBeforeItsNextResult() throws IOException {
    serve();
    List<CollectorConnection> clients = List.of(client(), client());
    for (CollectorConnection client : clients) {
      assertEquals("42", text(client, ONE));
    }
    CollectorConnection silent = client(); // it has connected, and asked for nothing
    MmvWriter other = new MmvWriter(1);
    other.metric("x", 1, ValueType.I32).value(1);
    other.write(root.resolve("mmv"), "other");
    while (!(clients.getFirst().ask(new PmnsTraverse(0, "mmv.other")) instanceof PmnsNames)) {
      Thread.onSpinWait(); // a busy machine has had no time to load the file
    }
    CollectorConnection late = client();
    for (CollectorConnection client : List.of(clients.getFirst(), clients.getLast(), silent)) {
      assertEquals(new PduError(0, StateChange.NAMES), client.ask(Fetch.of(0, 0, ONE)));
      assertInstanceOf(Result.class, client.receive());
      assertEquals("42", text(client, ONE));
    }
    assertEquals("42", text(late, ONE));
  }

  @Test
  void storesAreAnsweredAndWhoamiIsTheClientsOwn() throws IOException {
    serve();
    int whoami = Pmid.build(2, 6, 0);
    CollectorConnection first = client();
    CollectorConnection second = client();
    for (CollectorConnection client : List.of(first, second)) {
      String text = client == first ? "first" : "second";
      ValueSet value = ValueSet.of(whoami, List.of(new InstanceValue(-1, Value.ofText(text))));
      assertEquals(new PduError(0, 0), client.ask(new Result(0, 0, 0, List.of(value))));
    }
    Result result = (Result) first.ask(Fetch.of(0, 0, whoami));
    assertEquals(
        List.of("first", "second"),
        result.sets().getFirst().values().stream().map(value -> value.value().asText()).toList());
    ValueSet one = ValueSet.of(ONE, List.of(new InstanceValue(-1, new Value.Word(1))));
    assertError(PmError.PERMISSION, first.ask(new Result(0, 0, 0, List.of(one))));
  }

  // ---------------------------------------------------------------- metadata

  @Test
  void theEmptyNameIsTheRoot() throws IOException {
    serve();
    CollectorConnection client = client();
    assertEquals(
        List.of("mmv", "pmcd"),
        ((PmnsNames) client.ask(new PmnsChild(0, false, ""))).names().stream().sorted().toList());
    List<String> all = ((PmnsNames) client.ask(new PmnsTraverse(0, ""))).names();
    assertTrue(all.containsAll(List.of("mmv.app.one", "pmcd.hostname")), all::toString);
  }

  private static PmnsNames names(String... names) {
    return new PmnsNames(0, List.of(names), List.of());
  }

  @Test
  void anyNumberOfNamesIsLookedUp() throws IOException {
    serve();
    CollectorConnection client = client();
    assertEquals(new PmnsIds(0, 1, List.of(ONE)), client.ask(names("mmv.app.one")));
    assertEquals(
        new PmnsIds(0, 1, List.of(ONE, Pmid.NULL)), client.ask(names("mmv.app.one", "no")));
    assertError(PmError.NONLEAF, client.ask(names("mmv.app")));
    assertError(PmError.NAME, client.ask(names("no")));
    assertError(PmError.TOOSMALL, client.ask(names()));
  }

  @Test
  void filesAreCheckedOncePerRequestForDescriptors() throws IOException {
    serve();
    CollectorConnection client = client();
    client.ask(new DescReq(0, ONE));
    int before = refreshes.get();
    client.ask(new DescIds(0, Collections.nCopies(1000, ONE)));
    assertEquals(before + 1, refreshes.get());
  }

  @Test
  void labelsOfTheContextIncludeTheUserOnAUnixSocketOnly() throws IOException {
    SocketAddress tcp = listen(serve(), anyPort("127.0.0.1"));
    LabelReq request = new LabelReq(0, -1, LabelType.CONTEXT);
    String local = ((Label) client().ask(request)).sets().getFirst().labels().json();
    assertTrue(local.contains("\"userid\":" + uid()), local);
    try (CollectorConnection client = CollectorConnection.introduced(tcp)) {
      assertEquals(
          "{\"hostname\":\"here\"}",
          ((Label) client.ask(request)).sets().getFirst().labels().json());
    }
  }

  private Object uid() throws IOException {
    return Files.getAttribute(root, "unix:uid");
  }
}
