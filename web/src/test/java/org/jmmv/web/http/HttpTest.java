package org.jmmv.web.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import at.favre.lib.crypto.bcrypt.BCrypt;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogOptions;
import org.jmmv.core.Turn;
import org.jmmv.pcp.Network;
import org.jmmv.pcp.User;
import org.jmmv.serving.Access;
import org.jmmv.serving.LongReply.Progress;
import org.jmmv.serving.Peer;
import org.jmmv.serving.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HttpTest {
  private static final String HASH = "$2a$04$" + "x".repeat(53);
  private static final int LARGE = 3_000_000;
  private static final int CLIENTS = 10;
  private static final Network LOOPBACK = new Network(InetAddress.ofLiteral("127.0.0.0"), 8);
  private static final Network DOCUMENTATION = new Network(InetAddress.ofLiteral("192.0.2.0"), 24);

  @TempDir Path root;
  private Server server;
  private InetSocketAddress address;
  private volatile SiteRules rules =
      new SiteRules(
          Set.of("localhost"), Set.of("https://grafana.example.com"), Map.of(), List.of());

  @BeforeEach
  void serve() throws IOException {
    server =
        new Server(
            new Catalog(new CatalogOptions(root)), new Access(CLIENTS, List.of(DOCUMENTATION)));
    Site site = new Site(() -> rules);
    site.add("/hello", _ -> Response.text(HttpResponseStatus.OK, "hello"));
    site.add(
        "/echo/",
        request ->
            Response.text(
                HttpResponseStatus.OK, request.path() + request.all("c") + request.all("e")));
    site.addUrgent("/urgent", _ -> Response.text(HttpResponseStatus.OK, "urgent"));
    site.add(
        "/client", request -> Response.text(HttpResponseStatus.OK, request.client().toString()));
    site.add("/large", _ -> Response.ok("text/plain", new Zeros(LARGE)));
    site.add("/broken", _ -> Response.ok("text/plain", new Zeros(-1)));
    site.add("/late", _ -> Response.ok("text/plain", new LateFailure()));
    site.add("/api/late", _ -> Response.ok("text/plain", new LateFailure()));
    site.addErrors("/api/", JsonBody::error);
    site.add("/stream", request -> Response.ok("text/plain", new Ticks(3, request.resume())));
    site.add(
        "/endless",
        request -> Response.ok("text/plain", new Ticks(Integer.MAX_VALUE, request.resume())));
    site.add(
        "/fails",
        _ -> {
          throw new IllegalStateException("as the test wants it");
        });
    address =
        (InetSocketAddress)
            server.listen(
                new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0),
                new HttpPipeline(server, site, Optional.empty()));
  }

  @AfterEach
  void close() {
    server.close();
  }

  /** Zeros; if there are to be fewer than none, an exception after the first piece. */
  private static final class Zeros implements Body {
    private final int size;
    private int written;

    Zeros(int size) {
      this.size = size;
    }

    @Override
    public Progress write(Catalog catalog, ByteBuf out, Turn turn) {
      if (size < written && written > 0) {
        throw new IllegalStateException("as the test wants it");
      }
      int length = size < 0 ? PIECE : Math.min(PIECE, size - written);
      out.writeZero(length);
      written += length;
      return written == size ? Progress.END : Progress.MORE;
    }

    @Override
    public long bytes() {
      return 0;
    }
  }

  /** A body that looks for something before it begins, and does not find it. */
  private static final class LateFailure implements Body {
    private int steps;

    @Override
    public Progress write(Catalog catalog, ByteBuf out, Turn turn) throws Failure {
      if (++steps == 3) {
        out.writeZero(PIECE);
        throw new Failure(HttpResponseStatus.NOT_FOUND, "not found by a step");
      }
      return Progress.MORE;
    }

    @Override
    public long bytes() {
      return 0;
    }
  }

  @ParameterizedTest
  @CsvSource({"GET, not found by a step", "HEAD, ''"})
  void aBodyMayFailBeforeItBegins(String method, String content) throws IOException {
    rules = new SiteRules(Set.of("localhost"), Set.of("https://a.example"), Map.of(), List.of());
    String response =
        exchange(
            method
                + " /late HTTP/1.1\r\nHost: localhost\r\nOrigin: https://a.example\r\n"
                + "Connection: close\r\n\r\n");
    assertStatus(404, response);
    assertEquals(content, body(response).strip());
    assertTrue(response.contains("content-type: text/plain; charset=utf-8\r\n"), response);
    assertTrue(response.contains("access-control-allow-origin: https://a.example\r\n"), response);
  }

  private static Stream<Arguments> errors() {
    return Stream.of(
        Arguments.of("GET /api/none", "Host: localhost", 404),
        Arguments.of("GET /api/none", "Host: other.example", 421),
        Arguments.of("POST /api/none", "Host: localhost", 405),
        Arguments.of("GET /api/none?x=%", "Host: localhost", 400),
        Arguments.of("GET /api/none", "X-Forwarded-For: unknown", 403),
        Arguments.of("GET /api/none", "Content-Length: 5", 413),
        Arguments.of("GET /api/none?x=" + "x".repeat(9_000), "Host: localhost", 414),
        Arguments.of("GET /api/none?x=" + "x".repeat(20_000), "Host: localhost", 414),
        Arguments.of("GET /api/none", "Host: localhost\r\nX: " + "x".repeat(17_000), 431),
        Arguments.of("GET /api/none", "X: y\r\n".repeat(100) + "X: y", 431));
  }

  @ParameterizedTest
  @MethodSource("errors")
  void errorsBelowAPathAreDocuments(String line, String header, int status) throws IOException {
    rules = new SiteRules(Set.of("localhost"), rules.origins(), Map.of(), List.of(LOOPBACK));
    String response =
        exchange(
            "%s HTTP/1.1\r\nOrigin: https://grafana.example.com\r\n%s\r\nConnection: close\r\n\r\n"
                .formatted(line, header));
    assertStatus(status, response);
    assertIsDocument(response);
    assertTrue(
        response.contains("access-control-allow-origin: https://grafana.example.com\r\n"),
        response);
  }

  private static void assertIsDocument(String response) {
    assertTrue(response.contains("content-type: application/json\r\n"), response);
    assertTrue(body(response).startsWith("{\"message\":\""), response);
  }

  @Test
  void aMissingPasswordIsReportedAsADocument() throws IOException {
    rules =
        new SiteRules(
            Set.of("localhost"), Set.of(), Map.of("user", "$2y$10$" + "x".repeat(53)), List.of());
    String response =
        exchange("GET /api/none HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assertStatus(401, response);
    assertTrue(response.contains("www-authenticate: Basic"), response);
    assertIsDocument(response);
  }

  @Test
  void aResponseHasADateAndSaysThatItsCodingVaries() throws IOException {
    Instant before = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    String response =
        exchange("GET /hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    String date = response.replaceFirst("(?s).*\r\ndate: ([^\r]*)\r\n.*", "$1");
    Instant given = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date));
    assertFalse(given.isBefore(before) || given.isAfter(Instant.now()), response);
    assertTrue(response.contains("vary: accept-encoding\r\n"), response);
  }

  /** Lines, each some time after the other. */
  private final class Ticks implements Body {
    private final int count;
    private final Runnable resume;
    private int ticks;
    private ScheduledFuture<?> next;

    Ticks(int count, Runnable resume) {
      this.count = count;
      this.resume = resume;
    }

    @Override
    public Progress write(Catalog catalog, ByteBuf out, Turn turn) {
      out.writeCharSequence("tick " + ticks + "\n", ISO_8859_1);
      ticks++;
      if (ticks == count) {
        return Progress.END;
      }
      next = server.loop().executor().schedule(resume, 10, TimeUnit.MILLISECONDS);
      return Progress.WAITING;
    }

    @Override
    public long bytes() {
      return 0;
    }

    @Override
    public void close() {
      next.cancel(false);
    }
  }

  /** Sends bytes, and returns all that is received until the server closes the connection. */
  private String exchange(String sent) throws IOException {
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      socket.getOutputStream().write(sent.getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  private String get(String path, String... headers) throws IOException {
    StringBuilder request =
        new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
    for (String header : headers) {
      request.append(header).append("\r\n");
    }
    return exchange(request.append("\r\n").toString());
  }

  private static String body(String response) {
    return response.substring(response.indexOf("\r\n\r\n") + 4);
  }

  /** Returns the content of chunks. */
  private static String joined(String chunks) {
    StringBuilder content = new StringBuilder();
    for (int at = 0; ; ) {
      int end = chunks.indexOf("\r\n", at);
      int length = Integer.parseInt(chunks.substring(at, end), 16);
      if (length == 0) {
        assertEquals(chunks.length(), end + 4);
        return content.toString();
      }
      content.append(chunks, end + 2, end + 2 + length);
      at = end + 2 + length + 2;
    }
  }

  private static void assertStatus(int expected, String response) {
    String line = response.lines().findFirst().orElse("");
    assertTrue(line.matches("HTTP/1[.][01] " + expected + " .*"), line);
  }

  @Test
  void aShortBodyHasALength() throws IOException {
    String response = get("/hello");
    assertStatus(200, response);
    assertTrue(response.contains("content-length: 6\r\n"), response);
    assertTrue(response.contains("x-content-type-options: nosniff\r\n"), response);
    assertEquals("hello\n", body(response));
  }

  @Test
  void aLongBodyIsSentInChunks() throws IOException {
    String response = get("/large");
    assertTrue(response.contains("transfer-encoding: chunked\r\n"));
    assertEquals("\0".repeat(LARGE), joined(body(response)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Accept-Encoding: gzip\r\n"})
  void aClientOfHttp10GetsALongBodyWithoutChunks(String headers) throws IOException {
    String response = exchange("GET /large HTTP/1.0\r\n" + headers + "\r\n");
    assertTrue(response.startsWith("HTTP/1.0 200 OK\r\n"), response.substring(0, 300));
    assertEquals("\0".repeat(LARGE), body(response));
  }

  @Test
  void aBodyIsCompressedIfTheClientWantsIt() throws IOException {
    String response = get("/large", "Accept-Encoding: gzip");
    assertTrue(response.contains("content-encoding: gzip\r\n"), response.substring(0, 300));
    byte[] compressed = joined(body(response)).getBytes(ISO_8859_1);
    assertTrue(compressed.length < LARGE / 10);
    byte[] content = new GZIPInputStream(new ByteArrayInputStream(compressed)).readAllBytes();
    assertEquals("\0".repeat(LARGE), new String(content, ISO_8859_1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gzip | true",
        "GZIP | true",
        "x-gzip | true",
        "deflate, gzip;q=0.5 | true",
        "gzip ; Q=1.0, identity;q=0.5 | true",
        "* | true",
        "br, *;q=0.1 | true",
        "bugzipped | false",
        "gzip-not | false",
        "deflate, br, zstd | false",
        "gzip;q=0 | false",
        "gzip;q=0.000, * | false",
        "*;q=0 | false",
        "gzip;q=x | false",
        "identity, gzip;q=0.5 | false",
        "'' | false",
      })
  void aCodingIsATokenWithAQuality(String accepted, boolean isCompressed) throws IOException {
    String response = get("/large", "Accept-Encoding: " + accepted);
    assertEquals(isCompressed, response.contains("content-encoding: gzip\r\n"));
  }

  @ParameterizedTest
  @CsvSource({
    "http://localhost/hello, 200",
    "HTTP://LOCALHOST:9464/hello?x, 200",
    "https://127.0.0.1/hello, 200",
    "http://evil.example/hello, 421",
    "http://user@localhost/hello, 421",
    "http://localhost, 404",
    "http://localhost?x, 404",
    "ftp://localhost/hello, 404",
  })
  void aRequestLineMayHaveAWholeUriWhichNamesTheHost(String uri, int status) throws IOException {
    assertStatus(
        status,
        exchange("GET " + uri + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "OPTIONS / HTTP/1.0\r\n\r\n", // the check of HAProxy
        "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        "OPTIONS /hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
      })
  void optionsAreAnsweredAlsoWithoutAPassword(String request) throws IOException {
    for (Map<String, String> users : List.of(Map.<String, String>of(), Map.of("ann", HASH))) {
      rules = new SiteRules(Set.of("localhost"), Set.of(), users, List.of());
      String response = exchange(request);
      assertStatus(204, response);
      assertTrue(response.contains("allow: GET, HEAD, OPTIONS\r\n"), response);
      assertFalse(response.contains("content-length"), response);
      assertFalse(response.contains("access-control"), response);
      assertEquals("", body(response));
    }
  }

  @Test
  void aBrowserMayAskBeforeItSendsARequestOfAPermittedPage() throws IOException {
    String preflight =
        """
        OPTIONS /hello HTTP/1.1\r
        Host: localhost\r
        Origin: %s\r
        Access-Control-Request-Method: GET\r
        Access-Control-Request-Headers: authorization,content-type\r
        Connection: close\r
        \r
        """;
    String response = exchange(preflight.formatted("https://grafana.example.com"));
    assertStatus(204, response);
    for (String header :
        List.of(
            "access-control-allow-origin: https://grafana.example.com",
            "access-control-allow-methods: GET, HEAD",
            "access-control-allow-headers: authorization, content-type",
            "access-control-allow-credentials: true",
            "access-control-max-age: 600",
            "vary: origin")) {
      assertTrue(response.contains(header + "\r\n"), response);
    }
    response = exchange(preflight.formatted("https://evil.example"));
    assertStatus(204, response);
    assertFalse(response.contains("access-control"), response);
  }

  @Test
  void aConnectionIsKeptForTwoMinutes() {
    EmbeddedChannel connection = new EmbeddedChannel();
    new HttpPipeline(server, new Site(() -> rules), Optional.empty())
        .serve(connection, new Peer(User.of(0), OptionalInt.of(0), OptionalInt.of(0)));
    connection.freezeTime();
    connection.advanceTimeBy(119, TimeUnit.SECONDS);
    connection.runScheduledPendingTasks();
    assertTrue(connection.isOpen());
    connection.advanceTimeBy(2, TimeUnit.SECONDS);
    connection.runScheduledPendingTasks();
    assertFalse(connection.isOpen());
  }

  @Test
  void pipelinedRequestsAreAnsweredInTheirOrder() throws IOException {
    String hello = "GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n";
    String large = hello.replace("hello", "large");
    String last = hello.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
    String responses = exchange(hello + large + hello + last);
    assertEquals(4, responses.split("HTTP/1.1 200 OK", -1).length - 1);
    int first = responses.indexOf("hello\n");
    int zeros = responses.indexOf('\0');
    assertTrue(0 < first && first < zeros && responses.indexOf("hello\n", zeros) > 0);
  }

  @Test
  void aHeadMayArriveInPieces() throws IOException {
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      for (char c :
          "GET /hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".toCharArray()) {
        socket.getOutputStream().write(c);
        socket.getOutputStream().flush();
      }
      assertEquals("hello\n", body(new String(socket.getInputStream().readAllBytes(), ISO_8859_1)));
    }
  }

  @Test
  void aHeadThatNeverEndsEndsTheConnection() throws IOException {
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      socket.getOutputStream().write("GET /hello HTTP/1.1\r\nHost: lo".getBytes(ISO_8859_1));
      assertEquals(-1, socket.getInputStream().read());
    }
  }

  @Test
  void aResponseThatIsBeingWrittenIsCompleteBeforeTheServerEnds() throws Exception {
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      socket.setReceiveBufferSize(100_000); // so that not all is sent before it is read
      socket
          .getOutputStream()
          .write(
              "GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                  .getBytes(ISO_8859_1));
      String begin = new String(socket.getInputStream().readNBytes(1000), ISO_8859_1);
      Thread closing = Thread.ofPlatform().start(server::close);
      String response = begin + new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      assertEquals(LARGE, joined(body(response)).length());
      closing.join();
    }
  }

  @Test
  void aStreamGoesOnWhenItIsResumed() throws IOException {
    assertEquals("tick 0\ntick 1\ntick 2\n", joined(body(get("/stream"))));
  }

  @Test
  void aStreamEndsWhenOthersMayAsk() throws IOException {
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      socket.setSoTimeout(60_000);
      socket
          .getOutputStream()
          .write("GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(ISO_8859_1));
      assertTrue(socket.getInputStream().read() > 0);
      rules = new SiteRules(Set.of("localhost"), Set.of(), Map.of("ann", HASH), List.of());
      assertTrue(socket.getInputStream().readAllBytes().length > 0); // returns at the end
    }
  }

  @ParameterizedTest
  @CsvSource({"'', 1.1, 400", "'Host: localhost\r\nHost: localhost\r\n', 1.1, 400", "'', 1.0, 200"})
  void aRequestOfHttp11HasOneHost(String hosts, String version, int status) throws IOException {
    assertStatus(
        status,
        exchange("GET /hello HTTP/%s\r\n%sConnection: close\r\n\r\n".formatted(version, hosts)));
  }

  @Test
  void aClientThatLeavesAStreamIsForgotten() throws IOException {
    for (int i = 0; i < 10 * CLIENTS; i++) {
      try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
        socket
            .getOutputStream()
            .write("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(ISO_8859_1));
        socket.getInputStream().read();
      }
    }
    assertStatus(200, get("/hello"));
  }

  @Test
  void headHasNoBody() throws IOException {
    String response =
        exchange("HEAD /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assertStatus(200, response);
    assertEquals("", body(response));
  }

  @Test
  void parametersAreDecodedAndASlashStandsForAllPathsBelow() throws IOException {
    assertEquals("/echo/a b[%, d][]\n", body(get("/echo/a%20b?c=%25&c=d&e")));
  }

  @ParameterizedTest
  @CsvSource({
    "GET /none HTTP/1.1, 404",
    "GET /echo/%zz HTTP/1.1, 400",
    "GET /../hello HTTP/1.1, 404",
    "POST /hello HTTP/1.1, 405",
    "TRACE /hello HTTP/1.1, 405",
    "GET /fails HTTP/1.1, 500",
    "nonsense, 400",
    "GET /hello JUNK/1.1, 400",
  })
  void otherRequestsAreAnsweredWithAnError(String line, int status) throws IOException {
    assertStatus(status, exchange(line + "\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
  }

  @Test
  void aRequestWithABodyIsRefused() throws IOException {
    assertStatus(413, get("/hello", "Content-Length: 5"));
    assertStatus(413, get("/hello", "Transfer-Encoding: chunked"));
  }

  @Test
  void aRequestThatIsTooLongIsRefused() throws IOException {
    assertStatus(200, get("/hello?" + "x".repeat(8_185)));
    assertStatus(414, get("/hello?" + "x".repeat(8_186)));
    assertStatus(414, get("/" + "x".repeat(100_000)));
    assertStatus(431, get("/hello", "X: " + "x".repeat(17_000)));
    String[] headers = Collections.nCopies(99, "X: y").toArray(String[]::new); // beside two others
    assertStatus(431, get("/hello", headers));
    assertStatus(200, get("/hello", Arrays.copyOf(headers, 98)));
    assertStatus(431, exchange("GET /hello HTTP/1.1\r\nX: " + "x".repeat(30_000)));
  }

  @Test
  void aFailureAfterTheHeadersCutsTheResponseOff() throws IOException {
    String response = get("/broken");
    assertStatus(200, response);
    assertFalse(response.endsWith("0\r\n\r\n"));
  }

  @ParameterizedTest
  @CsvSource({
    "localhost, 200",
    "LocalHost:9464, 200",
    "127.0.0.1:80, 200",
    "[::1]:80, 200",
    "192.0.2.1, 200",
    "evil.example, 421",
    "127.0.0.1.evil.example:80, 421"
  })
  void onlyKnownNamesOfThisHostAreServed(String host, int status) throws IOException {
    assertStatus(
        status, exchange("GET /hello HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"));
  }

  @Test
  void anyNameIsServedIfTheRulesSaySo() throws IOException {
    rules = new SiteRules(Set.of("*"), Set.of(), Map.of(), List.of());
    assertStatus(
        200, exchange("GET /hello HTTP/1.1\r\nHost: jmmv:9464\r\nConnection: close\r\n\r\n"));
  }

  @Test
  void aNameThatIsRefusedIsLoggedOnceAndOnlySome() throws IOException {
    Logger logger = (Logger) LoggerFactory.getLogger(Site.class);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.addAppender(log);
    try {
      for (int i = 0; i < 100; i++) {
        for (int j = 0; j < 2; j++) {
          get("http://jmmv" + i + "\u00e9" + ":9464/hello");
        }
      }
      get("http://" + "x".repeat(5000) + "/hello");
    } finally {
      logger.detachAppender(log);
    }
    List<String> lines = log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    assertEquals(
        "requests to the host \"jmmv0\\xe9\" are refused: it is not known to be a name of this"
            + " host; --http-host jmmv0\\xe9, or http.hosts in jmmv.toml, permits it",
        lines.getFirst());
    assertTrue(lines.get(1).contains("jmmv1"), lines.get(1));
    assertEquals(20, lines.size());
    assertTrue(lines.getLast().endsWith("; further names are not logged"), lines.getLast());
  }

  @Test
  void onlyThePagesOfConfiguredSitesMayReadResponses() throws IOException {
    String header = "access-control-allow-origin: https://grafana.example.com\r\n";
    String response = get("/hello", "Origin: https://grafana.example.com");
    assertTrue(response.contains(header), response);
    assertTrue(response.contains("access-control-allow-credentials: true\r\n"), response);
    assertFalse(response.contains("access-control-allow-methods"), response);
    assertFalse(get("/hello", "Origin: https://evil.example").contains("access-control"));
  }

  @Test
  void whenAllConnectionsAreTakenClientsAreToldSoAndGetWhatIsUrgent() throws IOException {
    List<Socket> taken = new ArrayList<>();
    try {
      for (int i = 0; i < CLIENTS; i++) {
        taken.add(new Socket(address.getAddress(), address.getPort()));
      }
      for (int i = 0; i < 10 * CLIENTS; i++) { // those that are over make room for others
        String refused = get("/hello");
        assertStatus(503, refused);
        assertTrue(refused.contains("retry-after: 2\r\n"), refused);
        assertIsDocument(get("/api/none"));
        String urgent = exchange("GET /urgent HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertStatus(200, urgent);
        assertTrue(urgent.contains("connection: close\r\n"), urgent);
      }
      for (int i = 0; i < 8; i++) {
        taken.add(new Socket(address.getAddress(), address.getPort()));
      }
      assertEquals("", exchange("GET /urgent HTTP/1.1\r\nHost: localhost\r\n\r\n"));
      for (Socket spare : taken.subList(CLIENTS, taken.size())) {
        assertEquals(-1, spare.getInputStream().read()); // after five seconds
      }
      assertStatus(503, get("/hello"));
    } finally {
      for (Socket one : taken) {
        one.close();
      }
    }
    while (!get("/hello").startsWith("HTTP/1.1 200 ")) {
      Thread.onSpinWait(); // the server has not seen yet that they are closed
    }
  }

  @Test
  void aTrustedProxySaysForWhomItAsks() throws IOException {
    assertEquals("localhost\n", body(get("/client", "X-Forwarded-For: 192.0.2.7")));
    rules = new SiteRules(Set.of("localhost"), Set.of(), Map.of(), List.of(LOOPBACK));
    assertEquals("localhost\n", body(get("/client")));
    assertEquals("192.0.2.7\n", body(get("/client", "X-Forwarded-For: 192.0.2.7")));
    for (String refused : List.of("198.51.100.1", "::1", "unknown")) {
      assertStatus(403, get("/client", "X-Forwarded-For: " + refused));
    }
    String responses =
        exchange(
            """
            GET /client HTTP/1.1\r
            Host: localhost\r
            X-Forwarded-For: 192.0.2.1\r
            \r
            GET /client HTTP/1.1\r
            Host: localhost\r
            X-Forwarded-For: 192.0.2.2\r
            \r
            GET /client HTTP/1.1\r
            Host: localhost\r
            Connection: close\r
            \r
            """);
    assertEquals(
        List.of("192.0.2.1", "192.0.2.2", "localhost"),
        responses.lines().filter(line -> line.matches("192.*|localhost")).toList());
  }

  private static String basic(String text) {
    return "Authorization: Basic " + Base64.getEncoder().encodeToString(text.getBytes(ISO_8859_1));
  }

  @Test
  void ifThereAreUsersARequestNeedsTheirPassword() throws IOException {
    String hash = BCrypt.withDefaults().hashToString(4, "secret".toCharArray());
    rules = new SiteRules(Set.of("localhost"), rules.origins(), Map.of("ann", hash), List.of());
    assertStatus(401, get("/hello"));
    assertTrue(get("/hello").contains("www-authenticate: Basic realm=\"jmmv\""));
    for (int i = 0; i < 3; i++) { // later ones are known
      assertEquals("hello\n", body(get("/hello", basic("ann:secret"))));
      assertStatus(401, get("/hello", basic("ann:wrong")));
    }
    assertStatus(401, get("/hello", basic("bob:secret")));
    assertStatus(401, get("/hello", basic("ann")));
    assertEquals("a user and a password are required\n", body(get("/hello", basic("ann:wrong"))));
    assertTrue(get("/hello", "Origin: https://grafana.example.com").contains("access-control"));
    assertStatus(401, get("/hello", "Authorization: Basic ???"));
    assertStatus(401, get("/hello", "Authorization: Bearer x"));
    rules =
        new SiteRules(
            Set.of("localhost"),
            Set.of(),
            Map.of("ann", hash.substring(0, 50) + "abcdefghij"),
            List.of());
    assertStatus(401, get("/hello", basic("ann:secret")));
  }

  @Test
  void aPasswordOfWhichBcryptWouldIgnoreAPartIsRefusedWithTheReason() throws IOException {
    String longest = "x".repeat(72);
    rules =
        new SiteRules(
            Set.of("localhost"),
            Set.of(),
            Map.of("ann", BCrypt.withDefaults().hashToString(4, longest.toCharArray())),
            List.of());
    assertStatus(200, get("/hello", basic("ann:" + longest)));
    String response = get("/hello", basic("ann:" + longest + "y"));
    assertStatus(401, response);
    assertTrue(body(response).startsWith("the password has more than 72 bytes,"), response);
  }
}
