package org.jmmv.pmda;

import static org.jmmv.core.TestCatalog.pmid;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jmmv.core.LogCapture;
import org.jmmv.core.LongestStep;
import org.jmmv.pcp.PmError;
import org.jmmv.protocol.Creds;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.PmnsIds;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.replies.ServiceTester;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SocketTransportTest {

  @TempDir Path root;
  private final LogCapture log = new LogCapture();
  private CompletableFuture<Boolean> end;

  @BeforeEach
  void write() {
    Peer.writeFile(root);
  }

  @AfterEach
  void close() {
    log.close();
  }

  private SocketAddress unix() {
    return UnixDomainSocketAddress.of(root.resolve("socket"));
  }

  private static SocketAddress inet(String address) {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.ofLiteral(address))) {
      return free.getLocalSocketAddress();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Starts an agent at an address. Returns its action that ends it. */
  private Runnable listen(SocketAddress address) throws Exception {
    CompletableFuture<Runnable> bound = new CompletableFuture<>();
    SocketTransport transport = new SocketTransport(address);
    end =
        Peer.start(() ->
            transport.serve(Peer.pipeline(root), new LongestStep(0), () -> {}, bound::complete));
    return bound.get();
  }

  /** Starts an agent at an address, and connects to it. */
  private SocketChannel connect(SocketAddress address) throws Exception {
    listen(address);
    SocketChannel pmcd = SocketChannel.open(address);
    assertInstanceOf(Creds.class, Peer.receive(pmcd));
    return pmcd;
  }

  private void assertServes(SocketAddress address) throws Exception {
    try (SocketChannel pmcd = connect(address)) {
      Peer.send(pmcd, new DescReq(0, pmid(9, 9)), new PmnsIds(0, 0, List.of(pmid(1, 2))));
      assertEquals(new PduError(0, PmError.PMID.code()), Peer.receive(pmcd));
      assertEquals(new PmnsNames(0, List.of("mmv.app.one"), List.of()), Peer.receive(pmcd));

      pmcd.shutdownOutput();

      assertTrue(end.get());
      assertEquals(List.of(), log.warnings());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  void servesAnInternetSocketUntilThePeerIsGone(String address) throws Exception {
    assertServes(inet(address));
  }

  @Test
  void servesAUnixSocketUntilThePeerIsGone() throws Exception {
    assertServes(unix());
  }

  @Test
  void aResetIsTheEndAsWell() throws Exception {
    try (SocketChannel pmcd = connect(inet("127.0.0.1"))) {
      pmcd.setOption(StandardSocketOptions.SO_LINGER, 0); // close sends a reset
    }

    assertTrue(end.get());
    assertEquals(List.of(), log.warnings());
  }

  /** Whatever part of the replies the socket's buffer has room for. */
  @Test
  void aPeerThatHasShutDownItsSideReceivesAllReplies() throws Exception {
    for (int count = 1; count <= 30; count++) {
      try (SocketChannel pmcd = connect(unix())) {
        Pdu[] fetches = new Pdu[count];
        Arrays.fill(fetches, Fetch.of(0, 0, pmid(1, 1)));
        Peer.send(pmcd, fetches);
        pmcd.shutdownOutput();
        byte[] replies = Channels.newInputStream(pmcd).readAllBytes();

        assertEquals(count * Peer.REPLY_BYTES, replies.length);
        assertTrue(end.get());
      }
    }
  }

  @Test
  void repliesThatCanNotBeWrittenAreAnError() throws Exception {
    try (SocketChannel pmcd = connect(unix())) {
      Pdu[] fetches = new Pdu[100];
      Arrays.fill(fetches, Fetch.of(0, 0, pmid(1, 1)));
      Peer.send(pmcd, fetches);
      pmcd.read(ByteBuffer.allocate(1));
    }

    ExecutionException failure = assertThrows(ExecutionException.class, () -> end.get());

    assertInstanceOf(IOException.class, failure.getCause());
    assertTrue(
        failure.getCause().getMessage().contains("the replies can't be written"),
        failure::toString);
  }

  @Test
  void theActionForTheEndEndsItBeforeAConnectionAndDeletesTheSocket() throws Exception {
    Runnable action = listen(unix());
    assertTrue(Files.exists(root.resolve("socket")));

    action.run();

    assertTrue(end.get());
    assertFalse(Files.exists(root.resolve("socket")));
  }

  @Test
  void theActionForTheEndEndsTheConnectionAndLeavesTheSocketOfAnother() throws Exception {
    Path socket = root.resolve("socket");
    Runnable action = listen(unix());
    try (SocketChannel pmcd = SocketChannel.open(unix())) {
      assertInstanceOf(Creds.class, Peer.receive(pmcd));
      assertFalse(Files.exists(socket));
      try (ServerSocketChannel next = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        next.bind(unix());

        action.run();

        assertTrue(end.get());
        assertEquals(-1, pmcd.read(ByteBuffer.allocate(1)));
        assertTrue(Files.exists(socket));
      }
    }
  }

  @Test
  void nobodyElseIsLetIn() throws Exception {
    SocketAddress address = inet("127.0.0.1");
    try (SocketChannel pmcd = connect(address)) {
      Peer.send(pmcd, new PmnsIds(0, 0, List.of(pmid(1, 2))));
      Peer.receive(pmcd); // so the listening socket has been closed

      assertThrows(IOException.class, () -> SocketChannel.open(address).close());
    }
  }

  @Test
  void aStreamThatCanNotBeTrustedIsClosedAfterTheRepliesBeforeIt() throws Exception {
    try (SocketChannel pmcd = connect(unix())) {
      pmcd.write(
          Unpooled.wrappedBuffer(
                  ServiceTester.encode(new PmnsIds(0, 0, List.of(pmid(1, 2)))),
                  Unpooled.copyInt(3, 0x7003, 0))
              .nioBuffer());

      assertInstanceOf(PmnsNames.class, Peer.receive(pmcd));
      assertEquals(-1, Channels.newInputStream(pmcd).read());
      assertFalse(end.get());
    }
  }

  @Test
  void repliesDoNotPileUpWhileThePeerSendsOnly() throws Exception {
    byte[] request = new byte[32];
    ServiceTester.encode(Fetch.of(0, 0, pmid(1, 1))).readBytes(request);
    int count = 10_000; // 320 KB, with 200 MB of replies
    try (SocketChannel pmcd = connect(unix())) {
      var out = Channels.newOutputStream(pmcd);
      CompletableFuture<Boolean> flood =
          Peer.start(() -> {
            for (int i = 0; i < count; i++) {
              out.write(request);
            }
            return true;
          });
      var replies = Channels.newInputStream(pmcd);
      byte[] first = replies.readNBytes(Peer.REPLY_BYTES);
      long most = 0;
      for (int i = 1; i < count; i++) {
        assertArrayEquals(first, replies.readNBytes(Peer.REPLY_BYTES));
        most = Math.max(most, UnpooledByteBufAllocator.DEFAULT.metric().usedDirectMemory());
      }
      assertTrue(flood.get());
      assertTrue(most < 4 << 20, most + " bytes in buffers");
    }
  }

  @Test
  void onlyTheOwnerAndTheGroupCanConnectToAUnixSocket() throws Exception {
    CompletableFuture<String> permissions = new CompletableFuture<>();
    Path socket = root.resolve("socket");
    SocketTransport transport = new SocketTransport(unix());
    end =
        Peer.start(() ->
            transport.serve(
                Peer.pipeline(root),
                new LongestStep(0),
                () -> {},
                _ -> permissions.complete(permissionsOf(socket))));

    assertEquals("rw-rw----", permissions.get());
    SocketChannel.open(unix()).close();
    assertTrue(end.get());
    assertFalse(Files.exists(socket));
  }

  private static String permissionsOf(Path file) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  void aSocketThatAnAgentLeftBehindIsReplaced() throws Exception {
    ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(unix()).close();
    assertTrue(Files.exists(root.resolve("socket")));

    assertServes(unix());
  }
}
