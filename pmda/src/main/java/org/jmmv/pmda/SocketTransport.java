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
 * Listens on a socket and serves the first connection, on an event loop of its own. The listening
 * socket is closed when that connection is accepted; any further connection is closed at once.
 */
public final class SocketTransport {
  /**
   * The umask that gives a Unix domain socket mode 0660 when it is bound. If the mode was set after
   * the bind, other users could connect in between.
   */
  private static final int NOT_FOR_OTHERS = 0117;

  private static final int FILE_TYPE = 0xf000; // bits of st_mode: stat(2)
  private static final int SOCKET = 0xc000;

  private final SocketAddress address;

  /**
   * Creates a transport that is not bound yet.
   *
   * @param address a local IP address and port, or the path of a Unix domain socket; an existing
   *     socket file at that path is replaced
   */
  public SocketTransport(SocketAddress address) {
    this.address = address;
  }

  /** Initializes the first connection and closes all others. */
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

    /**
     * Detects that a handler of the pipeline closes the channel. If the peer closes the connection,
     * Netty does not call this method.
     */
    private final class CloseWatch extends ChannelOutboundHandlerAdapter {
      @Override
      public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
        isBroken = true;
        ctx.close(promise);
      }
    }
  }

  /**
   * Serves until the peer or the pipeline closes the connection.
   *
   * @param pipeline initializes the pipeline of the connection
   * @param bound called when the socket accepts connections
   * @return true if the peer has closed the connection, false if the pipeline has closed it
   * @throws IOException if the socket can't be created or bound
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
