package org.jmmv.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jmmv.core.LongestStep;
import org.jmmv.pcp.User;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ClientsTest {
  @TempDir private Path root;

  private final ServingLoop loop = new ServingLoop(() -> 0, new LongestStep(0), () -> {});
  private final CountDownLatch answer = new CountDownLatch(1); // of the directory service
  private final AtomicInteger accepted = new AtomicInteger();
  private final AtomicInteger lookUps = new AtomicInteger();
  private final List<SocketChannel> open = new ArrayList<>();

  /** Greets a client with the name of its user, or with the reason why it is refused. */
  private static final Clients.Face GREETING =
      new Clients.Face() {
        @Override
        public void serve(Channel client, Peer peer) {
          greet(client, peer.user().toString());
        }

        @Override
        public void refuse(Channel client, Peer peer, Clients.Refusal reason) {
          greet(client, reason.name());
        }

        private void greet(Channel client, String text) {
          client
              .pipeline()
              .addLast(
                  new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelActive(ChannelHandlerContext ctx) {
                      ctx.writeAndFlush(
                          Unpooled.wrappedBuffer(
                              (text + "\n").getBytes(StandardCharsets.US_ASCII)));
                    }
                  });
        }
      };

  @AfterEach
  void close() throws IOException {
    answer.countDown();
    for (SocketChannel client : open) {
      client.close();
    }
    loop.close();
  }

  private SocketAddress listen(SocketAddress address, Function<Channel, Peer> onUnixSocket)
      throws IOException {
    Clients clients = new Clients(new Access(10, List.of()), loop.executor(), onUnixSocket);
    ChannelInitializer<Channel> initializer = clients.initializer(GREETING);
    return loop.listen(
        address,
        SocketFile.OF_GROUP,
        new ChannelInitializer<>() {
          @Override
          protected void initChannel(Channel client) {
            accepted.incrementAndGet();
            client.pipeline().addLast(initializer);
          }
        });
  }

  private UnixDomainSocketAddress socket() {
    return UnixDomainSocketAddress.of(root.resolve("socket"));
  }

  private SocketChannel client(SocketAddress address) throws IOException {
    SocketChannel client = SocketChannel.open(address);
    open.add(client);
    return client;
  }

  /** Returns the line that a client receives. */
  private static String line(SocketChannel client) throws IOException {
    StringBuilder line = new StringBuilder();
    ByteBuffer one = ByteBuffer.allocate(1);
    while (client.read(one) == 1 && one.get(0) != '\n') {
      line.append((char) one.get(0));
      one.clear();
    }
    return line.toString();
  }

  private Peer slow(Channel channel) {
    lookUps.incrementAndGet();
    try {
      answer.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    if (!channel.isOpen()) {
      throw new IllegalStateException("closed");
    }
    return new Peer(User.of(1), OptionalInt.empty(), OptionalInt.empty());
  }

  @Test
  void aClientOnAUnixSocketIsTheUserOfItsProcess() throws IOException {
    SocketChannel client = client(listen(socket(), Peer::onUnixSocket));
    int uid = (int) Files.getAttribute(root, "unix:uid");
    assertEquals(User.of(uid).toString(), line(client));
  }

  @Test
  void aDirectoryServiceThatDoesNotAnswerDelaysOnlyNewClientsOnUnixSockets() throws IOException {
    SocketAddress unix = listen(socket(), this::slow);
    SocketAddress tcp = listen(anyPort(), this::slow);
    List<SocketChannel> waiting = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      waiting.add(client(unix));
    }
    client(unix).close(); // leaves while it waits
    while (lookUps.get() == 0) {
      Thread.onSpinWait();
    }
    assertEquals("localhost", line(client(tcp)));
    assertEquals(1, lookUps.get());
    answer.countDown();
    for (SocketChannel client : waiting) {
      assertEquals("user 1", line(client));
    }
    assertEquals("user 1", line(client(unix)));
  }

  @Test
  void noMoreClientsAreAcceptedWhileUsersAreLookedUp() throws IOException {
    SocketAddress unix = listen(socket(), this::slow);
    client(unix);
    while (lookUps.get() == 0) {
      Thread.onSpinWait();
    }
    for (int i = 0; i < 100; i++) {
      client(unix);
    }
    assertEquals("localhost", line(client(listen(anyPort(), this::slow))));
    assertTrue(accepted.get() < 20, accepted + " accepted");
  }

  private static SocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
  }
}
