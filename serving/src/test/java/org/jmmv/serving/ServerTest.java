package org.jmmv.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.Channel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogOptions;
import org.jmmv.core.LogCapture;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerTest {
  private static final Access ACCESS = new Access(1, List.of());

  /** Ends each connection. */
  private static final Clients.Face CLOSING =
      new Clients.Face() {
        @Override
        public void serve(Channel client, Peer peer) {
          client.close();
        }

        @Override
        public void refuse(Channel client, Peer peer, Clients.Refusal reason) {
          client.close();
        }
      };

  @TempDir private Path root;
  @AutoClose private final LogCapture log = new LogCapture();

  private Server server() {
    return new Server(new Catalog(new CatalogOptions(root).version("1.2.3")), ACCESS);
  }

  private static InetSocketAddress address(int port) {
    return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
  }

  private boolean isMapped(Path file) throws IOException {
    return Files.readString(Path.of("/proc/self/maps")).contains(file.toString());
  }

  @Test
  void theFilesAreLoadedAtTheStartAndUnmappedAtTheEnd() throws IOException {
    MmvWriter writer = new MmvWriter(2).cluster(1);
    writer.metric("m", 1, ValueType.U32).value(7);
    Path file = writer.write(root, "app");
    try (Server _ = server()) {
      assertEquals(
          List.of("version 1.2.3: 1 metric of 1 file in " + root + " are served"), log.messages());
      assertTrue(isMapped(file));
    }
    assertFalse(isMapped(file));
  }

  @Test
  void anErrorWhileFilesAreLoadedLeavesNoThread() throws InterruptedException {
    new MmvWriter(2).cluster(5000).write(root, "faulty");
    AtomicReference<Thread> loop = new AtomicReference<>();
    Catalog catalog =
        new Catalog(
            new CatalogOptions(root)
                .faults(_ -> {
                  loop.set(Thread.currentThread());
                  throw new OutOfMemoryError("a test");
                }));
    assertThrows(CompletionException.class, () -> new Server(catalog, ACCESS));
    assertTrue(loop.get().join(Duration.ofMinutes(5)));
  }

  @Test
  void anAddressThatIsTakenIsAnErrorAndOthersAreServed() throws IOException {
    try (Server one = server();
        Server other = server()) {
      InetSocketAddress taken = (InetSocketAddress) one.listen(address(0), CLOSING);
      IOException error = assertThrows(IOException.class, () -> other.listen(taken, CLOSING));
      assertEquals("Address already in use", error.getMessage());
      other.listen(address(0), CLOSING);
    }
  }

  @Test
  void aUnixSocketIsForEveryone() throws IOException {
    Path socket = root.resolve("socket");
    try (Server server = server()) {
      server.listen(UnixDomainSocketAddress.of(socket), CLOSING);
      assertEquals(
          "rw-rw-rw-", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
    }
  }
}
