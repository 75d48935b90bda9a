package org.jmmv.qa;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jmmv.client.CollectorConnection;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PduError;
import org.jmmv.testkit.MmvType;
import org.jmmv.testkit.MmvWriter;
import org.jmmv.testkit.UniformFile;

/** What a {@link ClientAttack} uses: files, clients on TCP, and threads. */
final class ClientSite implements AutoCloseable {
  /** A metric with two instances, 0 and 1, and their values 41 and 42. */
  static final int GOOD = Pmid.build(70, 5, 1);

  static final int GOOD_IN_DOM = InDom.build(70, 5 << 11 | 1);

  /** A metric with 50,000 instances. */
  static final int LARGE = Pmid.build(70, 6, 1);

  static final int LARGE_IN_DOM = InDom.build(70, 6 << 11 | 1);

  private static final long LAST_USER = 29_999;

  private final TemporaryPcp pcp;
  private final boolean isFull;
  private final List<String> options = new ArrayList<>();
  private final Deque<Runnable> closing = new ConcurrentLinkedDeque<>(); // connections
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Future<?>> inBackground = new ArrayList<>();
  private final AtomicLong replies = new AtomicLong();
  private SSLContext tls;
  private SocketAddress socket; // once the collector has been started
  private InetSocketAddress address; // once the collector has been started
  private InetSocketAddress http; // once it has been started, without TLS

  /** What may fail, because the collector ends a connection. */
  interface Action {
    void run() throws IOException;
  }

  /**
   * Creates the site of one attack.
   *
   * @param isFull whether the attack has its full size
   */
  ClientSite(TemporaryPcp pcp, boolean isFull) {
    this.pcp = pcp;
    this.isFull = isFull;
    MmvWriter good = new MmvWriter(2).cluster(5);
    MmvWriter.InDom inDom = good.inDom(1).instance(0, "left").instance(1, "right");
    good.metric("good", 1, ValueType.I32).inDom(inDom).at(0, 41).at(1, 42);
    good.write(pcp.mmv(), "good");
  }

  /** Chooses a number for the size of the attack. */
  int size(int full, int small) {
    return isFull ? full : small;
  }

  /** Writes the file with {@link #LARGE}. */
  void writeLarge() {
    new UniformFile(2, 1, 50_000, MmvType.I32).writer(1).cluster(6).write(pcp.mmv(), "large");
  }

  /** Writes a file of cluster 7, whose values are in random order of 95,000 instances. */
  void writeRandom(int metrics, int values) {
    HostileImages.randomValues(7, 95_000, metrics, values).write(pcp.mmv(), "random");
  }

  /** Has that file be read again. */
  void changeRandom() {
    MmvWriter.settle(pcp.mmv().resolve("random"), System.nanoTime());
  }

  /** Has the collector serve further directories, with a link to the good file in each. */
  void addDirectories(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      Path directory = Files.createDirectory(pcp.file("directory" + i));
      Files.createSymbolicLink(directory.resolve("good" + i), pcp.mmv().resolve("good"));
      options.add(directory.toString());
    }
  }

  /**
   * Writes the files of a catalogue. As root, it gives them to another user than that of the good
   * file, who so keeps a part of the limits.
   */
  void write(WorstCatalogue files, int parts) throws IOException {
    files.write(pcp.mmv(), parts);
    if (AgentCommand.isRoot()) {
      try (Stream<Path> all = Files.list(pcp.mmv())) {
        for (Path file : (Iterable<Path>) all::iterator) {
          Files.setAttribute(
              file, "unix:uid", file.endsWith("good") ? 0 : (int) LAST_USER, NOFOLLOW_LINKS);
        }
      }
    }
  }

  /** Writes a file with a new metric, has the collector find it, and removes it. */
  void comeAndGo(int number) throws IOException {
    MmvWriter file = new MmvWriter(3).cluster(200 + number);
    file.metric("count" + System.nanoTime(), 1, ValueType.U64).value(1);
    Path written = file.write(pcp.mmv(), "comes" + number);
    pause(50);
    Files.delete(written);
  }

  /** Gives the collector time. */
  void pause(int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Has the collector offer TLS. */
  void addCertificate() throws IOException {
    Path key = pcp.file("key.pem");
    Path certificate = pcp.file("cert.pem");
    String openssl =
        "openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost"
            + " -addext subjectAltName=DNS:localhost -keyout %s -out %s"
                .formatted(key, certificate);
    Shell.run(Map.of(), List.of(openssl.split(" "))).outOfSuccess();
    options.addAll(List.of("--cert", certificate.toString(), "--key", key.toString()));
    try {
      tls = SSLContext.getInstance("TLS");
      tls.init(null, new TrustManager[] {new Trusting()}, null);
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private static final class Trusting implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  /** Starts the collector. Without TLS, it also listens for HTTP. */
  CollectorProcess start() {
    boolean hasHttp = tls == null;
    if (hasHttp) {
      options.addAll(List.of("--http", "127.0.0.1:0", "--http", "unix:" + httpSocket()));
    }
    CollectorProcess collector = CollectorProcess.start(pcp, options.toArray(String[]::new));
    socket = collector.socketAddress();
    address = (InetSocketAddress) collector.tcpAddress();
    if (hasHttp) {
      http = new InetSocketAddress(address.getAddress(), collector.http().getPort());
    }
    return collector;
  }

  /** Returns the path of the Unix domain socket on which the collector listens for HTTP. */
  Path httpSocket() {
    return pcp.file("http.socket");
  }

  InetSocketAddress address() {
    return address;
  }

  /** Connects a number of clients. */
  List<CollectorConnection> clients(int count) throws IOException {
    List<CollectorConnection> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      clients.add(opened(CollectorConnection.admitted(address)));
    }
    return clients;
  }

  /** Connects a number of clients of HTTP. */
  List<HttpConnection> httpClients(int count) throws IOException {
    List<HttpConnection> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      HttpConnection client = new HttpConnection(http);
      closing.add(client::close);
      clients.add(client);
    }
    return clients;
  }

  /**
   * Connects a client that does not look into replies.
   *
   * @param user its user ID on a Unix domain socket, or -1 with TCP
   */
  ByteClient connect(long user, boolean isHttp) throws IOException {
    SocketChannel channel =
        user < 0
            ? SocketChannel.open(isHttp ? http : address)
            : OtherUser.connect(user, isHttp ? UnixDomainSocketAddress.of(httpSocket()) : socket);
    ByteClient client = isHttp ? new ByteClient(channel) : ByteClient.ofPcp(channel);
    closing.add(client::close);
    return client;
  }

  /** Returns the number of a new context of PCP's web API, of the user of TCP. */
  String newContext() throws IOException {
    try (HttpConnection client = new HttpConnection(http)) {
      return contextOf(client);
    }
  }

  /** Creates a context of PCP's web API, and returns its number. */
  static String contextOf(HttpConnection client) throws IOException {
    String created = client.get("/pmapi/context?polltimeout=60").body();
    return created.replaceAll("(?s)\\{\"context\":(\\d+),.*", "$1");
  }

  /** Counts a reply of which something has come. */
  void countBytes(long bytes) {
    replies.addAndGet(bytes > 0 ? 1 : 0);
  }

  /** Checks that another user, who has no connection yet, gets one. */
  void checkOthersGetIn() throws IOException {
    try (ByteClient client = connect(LAST_USER, false)) {
      if (client.isRefused()) {
        throw new AssertionError("other users get no connection");
      }
    }
  }

  /** Tries to connect a number of clients, and returns those that are admitted. */
  List<CollectorConnection> admitted(int count) throws IOException {
    List<CollectorConnection> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      CollectorConnection client = opened(CollectorConnection.introduced(address));
      if (client.greeting().status() == 0) {
        clients.add(client);
      }
    }
    return clients;
  }

  /** Checks how many clients are admitted. */
  void checkAdmitted(int clients, int min, int max) {
    if (clients < min || clients > max) {
      throw new AssertionError(clients + " clients are admitted");
    }
  }

  /** Connects a client with TLS. */
  CollectorConnection secured() throws IOException {
    return opened(CollectorConnection.secured(address, tls));
  }

  private CollectorConnection opened(CollectorConnection client) {
    closing.add(client::close);
    return client;
  }

  /** Has all clients ask at once, and then waits for their replies. */
  void askAll(List<CollectorConnection> clients, Pdu request) throws IOException {
    for (CollectorConnection client : clients) {
      client.send(request);
    }
    for (CollectorConnection client : clients) {
      count(client.receive());
    }
  }

  /** Counts a reply. */
  void count(Pdu reply) {
    replies.addAndGet(reply == null ? 0 : 1);
  }

  /** Counts a reply, which must be complete although it is that of an attacker. */
  void count(Pdu reply, Predicate<Pdu> isRight) {
    if (!isRight.test(reply)) {
      throw new AssertionError(
          "wrong reply to an attacker: " + (reply instanceof PduError ? reply : reply.type()));
    }
    count(reply);
  }

  /** Counts a response, which must be right. */
  void check(boolean isRight, HttpConnection.Response response) {
    check(isRight, response.status() + ", " + response.body().length() + " bytes");
  }

  /** Counts a reply, which must be right. */
  void check(boolean isRight, Object reply) {
    if (!isRight) {
      throw new AssertionError("wrong reply to an attacker: " + reply);
    }
    replies.incrementAndGet();
  }

  /** Returns the number of replies. */
  long replies() {
    return replies.get();
  }

  /** Does something in a thread of its own. */
  void inBackground(Action action) {
    inBackground.add(
        threads.submit(() -> {
          action.run();
          return null;
        }));
  }

  /** Waits for what is done in threads, and closes all connections. */
  void endRound() throws IOException {
    try {
      for (Future<?> each : inBackground) {
        each.get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AssertionError wrong) {
        throw wrong;
      }
      throw new IOException(e.getCause());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      inBackground.clear();
      closeClients();
    }
  }

  private void closeClients() {
    closing.forEach(Runnable::run);
    closing.clear();
  }

  @Override
  public void close() {
    closeClients();
    threads.close();
  }
}
