package org.jmmv.pmda;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jmmv.reader.posix.PosixProcess;

/**
 * Waits for pmcd at a socket and serves that one connection on an event loop of its own; nobody
 * else is let in.
 */
public final class SocketTransport {
  /** Leaves a new file with mode 0660. Set after the bind, somebody might come in before. */
  private static final int NOT_FOR_OTHERS = 0117;

  private static final int FILE_TYPE = 0xf000; // of st_mode
  private static final int SOCKET = 0xc000;

  private final SocketAddress address;

  /**
   * A transport that is not bound yet.
   *
   * @param address a local internet address, or the path of a Unix domain socket; a socket's file
   *     that an agent left behind is replaced
   */
  public SocketTransport(SocketAddress address) {
    this.address = address;
  }

  /** The first connection: its pipeline, and whether that has closed it. */
  private static final class Connection extends ChannelInitializer<Channel> {
    private final ChannelInitializer<Channel> pipeline;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private Channel channel;
    private volatile boolean isBroken;

    Connection(ChannelInitializer<Channel> pipeline) {
      this.pipeline = pipeline;
    }

    @Override
    protected void initChannel(Channel accepted) {
      accepted.parent().close();
      if (channel != null) {
        accepted.close();
        return;
      }
      channel = accepted;
      accepted.closeFuture().addListener(_ -> end.complete(null));
      accepted.pipeline().addLast(new CloseWatch(), pipeline);
    }

    /** Notices that the pipeline closes the channel; Netty's own closes do not come this way. */
    private final class CloseWatch extends ChannelOutboundHandlerAdapter {
      @Override
      public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
        isBroken = true;
        ctx.close(promise);
      }
    }
  }

  /**
   * Serves until the peer closes the connection, or the pipeline does.
   *
   * @param bound called when pmcd can connect
   * @return whether it was the peer
   * @throws IOException if there can't be such a socket
   */
  boolean serve(ChannelInitializer<Channel> pipeline, Runnable bound) throws IOException {
    EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    try {
      Connection connection = new Connection(pipeline);
      bind(loop, connection);
      bound.run();
      connection.end.join();
      return !connection.isBroken;
    } catch (IOException e) {
      throw new IOException(address + ": " + e.getMessage(), e);
    } finally {
      loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
  }

  private void bind(EventLoopGroup loop, Connection connection) throws IOException {
    ServerBootstrap server =
        new ServerBootstrap()
            .group(loop)
            .childHandler(connection)
            .option(ChannelOption.SO_BACKLOG, 1);
    if (address instanceof UnixDomainSocketAddress unix) {
      deleteSocket(unix.getPath());
      int umask = PosixProcess.setUmask(NOT_FOR_OTHERS);
      try {
        bind(server.channel(NioServerDomainSocketChannel.class));
      } finally {
        PosixProcess.setUmask(umask);
      }
    } else {
      // One family only: by default an IPv4 address is bound as one of IPv6.
      SocketProtocolFamily family =
          ((InetSocketAddress) address).getAddress() instanceof Inet6Address
              ? SocketProtocolFamily.INET6
              : SocketProtocolFamily.INET;
      bind(
          server
              .channelFactory(() -> new NioServerSocketChannel(SelectorProvider.provider(), family))
              .childOption(ChannelOption.TCP_NODELAY, true));
    }
  }

  private void bind(ServerBootstrap server) throws IOException {
    var bound = server.bind(address).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException(bound.cause().getMessage(), bound.cause());
    }
  }

  private static void deleteSocket(Path path) throws IOException {
    if (Files.exists(path)
        && Files.readAttributes(path, "unix:mode").get("mode") instanceof Integer mode
        && (mode & FILE_TYPE) == SOCKET) {
      Files.delete(path);
    }
  }
}
