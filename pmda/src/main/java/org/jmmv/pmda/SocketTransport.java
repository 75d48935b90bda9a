package org.jmmv.pmda;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
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
import java.util.function.Consumer;
import org.jmmv.posix.PosixProcess;

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
    private volatile Throwable failure; // why replies could not be written

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
      accepted.pipeline().addLast(new EndWatch(), pipeline);
    }

    /**
     * Detects how the connection ends, and does not read while replies are pending: Netty closes
     * the channel when it reads the end of the stream, although a peer that has shut down only its
     * side still waits for the replies.
     */
    private final class EndWatch extends ChannelDuplexHandler {
      private ChannelFuture last; // write
      private boolean isAsked; // a peer that leaves without a request misses nothing

      @Override
      public void channelRead(ChannelHandlerContext ctx, Object bytes) {
        isAsked = true;
        ctx.fireChannelRead(bytes);
      }

      @Override
      public void write(ChannelHandlerContext ctx, Object reply, ChannelPromise promise) {
        ChannelPromise written = promise.unvoid();
        last = written;
        written.addListener(_ -> failure = isAsked ? written.cause() : null);
        ctx.write(reply, written);
      }

      @Override
      public void flush(ChannelHandlerContext ctx) {
        ctx.flush();
        ctx.channel().config().setAutoRead(isIdle());
        if (!isIdle()) {
          last.addListener(_ -> ctx.channel().config().setAutoRead(isIdle()));
        }
      }

      @Override
      public void read(ChannelHandlerContext ctx) {
        if (isIdle()) {
          ctx.read();
        }
      }

      private boolean isIdle() {
        return last == null || last.isDone();
      }

      /** A handler of the pipeline closes the channel. */
      @Override
      public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
        isBroken = true;
        ctx.close(promise);
      }

      /** The channel is closed, and all writes have succeeded or failed. */
      @Override
      public void channelUnregistered(ChannelHandlerContext ctx) {
        ctx.fireChannelUnregistered();
        end.complete(null);
      }
    }
  }

  /**
   * Serves until the peer or the pipeline closes the connection. If the peer shuts down its side
   * only, its requests are answered first.
   *
   * @param pipeline initializes the pipeline of the connection
   * @param bound called when the socket accepts connections. It receives an action for the end of
   *     the process: if the listening socket is still open, the action closes it and deletes the
   *     file of a Unix domain socket
   * @return true if the peer has closed the connection, false if the pipeline has closed it
   * @throws IOException if the socket can't be created or bound, or if replies can't be written
   */
  boolean serve(ChannelInitializer<Channel> pipeline, Consumer<Runnable> bound) throws IOException {
    EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    try {
      Connection connection = new Connection(pipeline);
      Channel listening = bind(loop, connection);
      bound.accept(() -> stopListening(listening));
      connection.end.join();
      if (connection.failure != null) {
        throw new IOException(
            "the answers can't be written: " + connection.failure.getMessage(), connection.failure);
      }
      return !connection.isBroken;
    } catch (IOException e) {
      throw new IOException(address + ": " + e.getMessage(), e);
    } finally {
      loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
  }

  /** Netty deletes the file when it closes the listening socket. Later it may be another's. */
  private static void stopListening(Channel listening) {
    if (listening.isOpen()) {
      listening.close().awaitUninterruptibly(1, TimeUnit.SECONDS);
    }
  }

  private Channel bind(EventLoopGroup loop, Connection connection) throws IOException {
    ServerBootstrap server =
        new ServerBootstrap()
            .group(loop)
            .childHandler(connection)
            // so that the end of the stream is never read together with requests
            .childOption(
                ChannelOption.RECVBUF_ALLOCATOR,
                new AdaptiveRecvByteBufAllocator().maxMessagesPerRead(1))
            .option(ChannelOption.SO_BACKLOG, 1);
    if (address instanceof UnixDomainSocketAddress unix) {
      deleteSocket(unix.getPath());
      int umask = PosixProcess.setUmask(NOT_FOR_OTHERS);
      try {
        return bind(server.channel(NioServerDomainSocketChannel.class));
      } finally {
        PosixProcess.setUmask(umask);
      }
    } else {
      // One family only: by default an IPv4 address is bound as one of IPv6.
      SocketProtocolFamily family =
          ((InetSocketAddress) address).getAddress() instanceof Inet6Address
              ? SocketProtocolFamily.INET6
              : SocketProtocolFamily.INET;
      return bind(
          server
              .channelFactory(() -> new NioServerSocketChannel(SelectorProvider.provider(), family))
              .childOption(ChannelOption.TCP_NODELAY, true));
    }
  }

  private Channel bind(ServerBootstrap server) throws IOException {
    ChannelFuture bound = server.bind(address).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException(bound.cause().getMessage(), bound.cause());
    }
    return bound.channel();
  }

  private static void deleteSocket(Path path) throws IOException {
    if (Files.exists(path)
        && Files.readAttributes(path, "unix:mode").get("mode") instanceof Integer mode
        && (mode & FILE_TYPE) == SOCKET) {
      Files.delete(path);
    }
  }
}
