package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jmmv.client.CollectorConnection;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.DescIds;
import org.jmmv.protocol.Descs;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.InDomProfile;
import org.jmmv.protocol.InstanceReq;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.Instances;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Result;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Clients of {@code jmmv serve} that cost it as much memory, time and log as they can. Meanwhile
 * good clients, one on the same address and one on the socket, are answered, and keep their
 * profiles.
 */
@Tag("hostile")
@Timeout(300)
final class HostileClientsTest {
  private static final int SHOP = 5;
  private static final int STALL = Pmid.build(70, SHOP, 1);
  private static final int STALLS = InDom.build(70, SHOP << 11 | 1);

  /** It only shows that nothing hangs; on an idle machine, no request takes a second. */
  private static final long REQUEST_MILLIS = 5_000;

  private static final long MEMORY_KILOBYTES = 400_000;
  private static final int LOG_BYTES = 1_000_000;

  private final TemporaryPcp pcp = new TemporaryPcp();
  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<CollectorConnection> goods = new ArrayList<>();
  private CollectorProcess collector;

  @BeforeEach
  void writeShop() {
    MmvWriter shop = new MmvWriter(2).cluster(SHOP);
    MmvWriter.InDom stalls = shop.inDom(1).instance(0, "left").instance(1, "right");
    shop.metric("stall", 1, ValueType.I32).inDom(stalls).at(0, 41).at(1, 42);
    shop.write(pcp.mmv(), "shop");
  }

  @AfterEach
  void tidyUp() throws Exception {
    for (AutoCloseable each : open.reversed()) {
      each.close();
    }
    pcp.close();
  }

  private void start(String... directories) throws IOException {
    collector = CollectorProcess.start(pcp, directories);
    open.add(collector);
    for (SocketAddress address : List.of(collector.socketAddress(), collector.tcpAddress())) {
      CollectorConnection good = client(address);
      good.send(new Profile(0, 0, false, List.of(new InDomProfile(STALLS, false, 1))));
      goods.add(good);
    }
  }

  private CollectorConnection client(SocketAddress address) throws IOException {
    CollectorConnection client = CollectorConnection.admitted(address);
    open.add(client);
    return client;
  }

  private List<CollectorConnection> clients(int count) throws IOException {
    List<CollectorConnection> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      clients.add(client(collector.tcpAddress()));
    }
    return clients;
  }

  private interface Attack {
    void run() throws IOException;
  }

  /** Asks for the good clients during an attack, and checks what it has cost. */
  private void withstand(Attack attack) throws Exception {
    RequestTimes times = new RequestTimes();
    try (MemoryWatch memory = new MemoryWatch(collector.pid());
        ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<?> attacking =
          thread.submit(() -> {
            attack.run();
            return null;
          });
      while (!attacking.isDone()) {
        askForGoods(times);
        Thread.sleep(20);
      }
      attacking.get();
      askForGoods(times);
      long logged = collector.output().length();
      String figures =
          "%d requests, at most %d ms; %d kB of memory, %d with files; %d bytes in the log"
              .formatted(
                  times.count(),
                  times.longestMillis(),
                  memory.peakKilobytes(),
                  memory.peakWithFilesKilobytes(),
                  logged);
      assertTrue(times.longestMillis() <= REQUEST_MILLIS, figures);
      assertTrue(memory.peakKilobytes() <= MEMORY_KILOBYTES, figures);
      assertTrue(logged <= LOG_BYTES, figures);
    }
    client(collector.tcpAddress()); // a new one is admitted
    assertEquals(0, collector.stop(), collector::output);
  }

  private void askForGoods(RequestTimes times) throws IOException {
    for (CollectorConnection good : goods) {
      times.take(() -> {
        List<InstanceValue> values = good.fetch(STALL).result().sets().getFirst().values();
        assertEquals(
            List.of("1: 42"),
            values.stream()
                .map(value -> value.instance() + ": " + value.value().asText())
                .toList());
      });
    }
  }

  /** Each PDU is as long as one may be. */
  @Test
  void profilesOfManyInstanceDomainsDoNotUseUpTheHeap() throws Exception {
    start();
    List<InDomProfile> inDoms =
        IntStream.range(0, 3_270).mapToObj(i -> new InDomProfile(i, false, 1)).toList();
    withstand(() -> profile(clients(50), inDoms));
  }

  @Test
  void profilesOfManyInstancesDoNotUseUpTheHeap() throws Exception {
    start();
    int[] instances = IntStream.range(0, 16_370).toArray();
    withstand(() -> profile(clients(127), List.of(new InDomProfile(STALLS, false, instances))));
  }

  /** Sends a profile for 64 contexts of each client, and a fetch of the last one. */
  private static void profile(List<CollectorConnection> hostile, List<InDomProfile> inDoms)
      throws IOException {
    for (int context = 0; context < 64; context++) {
      for (CollectorConnection client : hostile) {
        client.send(new Profile(0, context, false, inDoms));
      }
    }
    for (CollectorConnection client : hostile) {
      assertInstanceOf(Result.class, client.ask(Fetch.of(0, 63, STALL)));
      assertEquals(new PduError(0, PmError.NOPROFILE.code()), client.ask(Fetch.of(0, 0, STALL)));
    }
  }

  @Test
  void idleClientsDoNotKeepTheirLargestReplies() throws Exception {
    MmvWriter large = new MmvWriter(2).cluster(6);
    MmvWriter.InDom inDom = large.inDom(1);
    for (int i = 0; i < 50_000; i++) {
      inDom.instance(i, "x".repeat(180) + i);
    }
    large.metric("m", 1, ValueType.I32).inDom(inDom).at(0, 1);
    large.write(pcp.mmv(), "large");
    start();
    InstanceReq request = new InstanceReq(0, InDom.build(70, 6 << 11 | 1), Instance.NULL, "");
    withstand(() -> {
      for (CollectorConnection client : clients(127)) {
        Instances reply = assertInstanceOf(Instances.class, client.ask(request));
        assertEquals(50_000, reply.instances().size());
      }
    });
  }

  /** Each reply is short, but a buffer of 64 KiB for each of them would be 64 MB a client. */
  @Test
  void unreadRepliesTakeTheMemoryThatTheyNeed() throws Exception {
    start();
    Pdu[] requests = Collections.nCopies(1_000, Fetch.of(0, 0, STALL)).toArray(Pdu[]::new);
    withstand(() -> {
      for (int i = 0; i < 50; i++) {
        CollectorConnection hostile = client(collector.socketAddress());
        hostile.send(requests);
      }
    });
  }

  @Test
  void malformedPdusAreNotLogged() throws Exception {
    start();
    ByteBuffer fetches = ByteBuffer.allocate(1_000 * 12);
    while (fetches.hasRemaining()) {
      fetches.putInt(12).putInt(0x7003).putInt(0); // without a body
    }
    PduError malformed = new PduError(0, PmError.IPC.code());
    withstand(() -> {
      CollectorConnection client = client(collector.tcpAddress());
      for (int i = 0; i < 50; i++) {
        client.sendBytes(fetches.array());
        for (int j = 0; j < 1_000; j++) {
          assertEquals(malformed, client.receive());
        }
      }
      for (int i = 0; i < 2_000; i++) {
        try (CollectorConnection closed = CollectorConnection.introduced(collector.tcpAddress())) {
          closed.sendBytes(new byte[4]); // a length that is too small
          assertTrue(closed.isClosedInSilence());
        }
      }
    });
  }

  @Test
  void descriptorsOfManyMetricsTakeTheTimeOfOneCheckOfAllDirectories() throws Exception {
    List<String> directories = new ArrayList<>();
    for (int i = 0; i < 99; i++) {
      Path directory = Files.createDirectory(pcp.file("directory" + i));
      Files.createSymbolicLink(directory.resolve("shop" + i), pcp.mmv().resolve("shop"));
      directories.add(directory.toString());
    }
    start(directories.toArray(String[]::new));
    Pdu request = new DescIds(0, Collections.nCopies(16_300, STALL));
    List<CollectorConnection> hostile = clients(400);
    withstand(() -> {
      for (CollectorConnection client : hostile) {
        client.send(request);
      }
      for (CollectorConnection client : hostile) {
        assertEquals(16_300, assertInstanceOf(Descs.class, client.receive()).descs().size());
      }
    });
  }
}
