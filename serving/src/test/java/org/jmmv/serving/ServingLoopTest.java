package org.jmmv.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jmmv.core.LongestStep;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ServingLoopTest {
  @TempDir private Path root;

  private static final class Initializer extends ChannelInitializer<Channel> {
    private final CompletableFuture<Channel> accepted = new CompletableFuture<>();

    @Override
    protected void initChannel(Channel connection) {
      accepted.complete(connection);
    }
  }

  /** Keeps the loop busy until it shuts down. */
  private static void keepBusy(EventLoop loop) {
    if (!loop.isShuttingDown()) {
      loop.execute(() -> keepBusy(loop));
    }
  }

  /** A laptop that is taken away would keep its connection. */
  @Test
  void whetherAClientIsStillThereIsAsked() throws Exception {
    Initializer pipeline = new Initializer();
    try (ServingLoop loop = new ServingLoop(() -> 0, new LongestStep(0), () -> {})) {
      SocketAddress address =
          loop.listen(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
              SocketFile.OF_EVERYONE,
              pipeline);
      try (SocketChannel client = SocketChannel.open(address)) {
        assertTrue(client.isConnected());
        assertTrue(pipeline.accepted.get().config().getOption(ChannelOption.SO_KEEPALIVE));
      }
    }
  }

  @Test
  void aBusyLoopClosesItsConnectionsBeforeItsLastAction() throws Exception {
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(root.resolve("socket"));
    AtomicBoolean ended = new AtomicBoolean();
    Initializer pipeline = new Initializer();
    ServingLoop loop = new ServingLoop(() -> 0, new LongestStep(0), () -> ended.set(true));
    loop.listen(address, SocketFile.OF_GROUP, pipeline);
    try (SocketChannel client = SocketChannel.open(address)) {
      keepBusy(pipeline.accepted.get().eventLoop());

      loop.close();

      assertTrue(ended.get());
      assertEquals(-1, client.read(ByteBuffer.allocate(1)));
    }
  }
}
