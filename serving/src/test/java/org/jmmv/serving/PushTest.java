package org.jmmv.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogOptions;
import org.jmmv.core.LogCapture;
import org.jmmv.core.Turn;
import org.jmmv.pcp.User;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The embedded channel has a clock that a test moves. Only the server's loop uses it. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PushTest {
  private static final Duration PERIOD = Duration.ofSeconds(20);

  @TempDir private Path root;
  private final LogCapture log = new LogCapture();
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private Server server;
  private int pieces; // that were written
  private int ends; // of the stream
  private int bytesOfPiece;
  private long kept;

  /** Writes a piece in each period. */
  private final class Stream implements LongReply {
    private final Channel to;

    Stream(Channel to) {
      this.to = to;
    }

    @Override
    public Progress writePiece(Turn turn) {
      pieces++;
      to.write(Unpooled.buffer().writeZero(bytesOfPiece));
      return Progress.WAITING;
    }

    @Override
    public long bytes() {
      return kept;
    }

    @Override
    public void close() {
      ends++;
    }
  }

  @BeforeEach
  void start() {
    server = new Server(new Catalog(new CatalogOptions(root)), new Access(1, List.of()));
  }

  @AfterEach
  void close() {
    server.close();
    channel.finishAndReleaseAll();
    log.close();
  }

  /** Does something in the loop, and awaits the turns that follow. */
  private void inLoop(Runnable step) {
    CompletableFuture<Void> done = CompletableFuture.runAsync(step, server.loop().executor());
    Scheduler scheduler = server.loop().scheduler();
    while (done.thenApplyAsync(_ -> scheduler.doRequestsWait(), server.loop().executor()).join()) {
      Thread.onSpinWait();
    }
  }

  private void connect() {
    inLoop(() -> {
      channel.freezeTime();
      channel.pipeline().addLast(new Push(server, User.of(1), PERIOD, Stream::new));
      channel.pipeline().fireChannelActive();
    });
  }

  private void pass(int seconds) {
    inLoop(() -> {
      channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
      channel.runScheduledPendingTasks();
    });
  }

  @Test
  void theStreamGoesOnOncePerPeriod() {
    connect();
    assertEquals(1, pieces);
    pass(19);
    assertEquals(1, pieces);
    pass(1);
    assertEquals(2, pieces);
    pass(20);
    assertEquals(3, pieces);
  }

  @Test
  void aServerThatReadsNothingForTenSecondsLosesTheConnection() {
    bytesOfPiece = 100_000; // more than a writable channel has
    connect();
    pass(9);
    assertTrue(channel.isOpen());
    pass(1);
    assertFalse(channel.isOpen());
  }

  @Test
  void aConnectionThatEndsLeavesNoTimer() {
    connect();
    inLoop(channel.pipeline()::close); // not the embedded channel's close, which drops all timers
    inLoop(() -> assertEquals(-1, channel.runScheduledPendingTasks(), "none is scheduled"));
    assertEquals(1, ends);
  }

  /** Has the server send to a socket, and returns the socket's end of the connection. */
  private Socket accept() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      server.push((InetSocketAddress) socket.getLocalSocketAddress(), PERIOD, Stream::new);
      return socket.accept();
    }
  }

  @Test
  void theUserOfTheAddressIsChargedForWhatTheStreamKeeps() throws IOException {
    kept = Long.MAX_VALUE / 2;
    try (Socket accepted = accept()) {
      assertEquals(-1, accepted.getInputStream().read());
    }
    server.close();
    String warning = log.warnings().getFirst();
    assertTrue(warning.startsWith("a connection of localhost ends: it has most of "), warning);
  }

  @Test
  void theEndOfTheServerIsSeenBehindWhatItHasSent() throws IOException {
    try (Socket accepted = accept()) {
      accepted.getOutputStream().write(1);
    }
    AtomicInteger seen = new AtomicInteger();
    while (seen.get() == 0) {
      inLoop(() -> seen.set(ends));
    }
  }

  @Test
  void theEndOfTheLoopEndsTheConnection() throws IOException {
    try (Socket accepted = accept()) {
      server.close();
      assertEquals(-1, accepted.getInputStream().read());
    }
  }
}
