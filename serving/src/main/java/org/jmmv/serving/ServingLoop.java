package org.jmmv.serving;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MessageSizeEstimator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jmmv.core.LongestStep;
import org.jmmv.posix.PosixProcess;

/** An event loop of one thread, which owns a catalogue, and the sockets on which it listens. */
public final class ServingLoop implements AutoCloseable {
  /** How long the end waits for replies: a peer that does not read them must not prevent it. */
  private static final long DRAIN_NANOS = 2_000_000_000;

  /**
   * The size of what waits to be written is what it keeps: a short reply may be in a large buffer.
   */
  private static final MessageSizeEstimator KEPT =
      () -> message -> message instanceof ByteBuf bytes ? bytes.capacity() : 0;

  private final EventLoopGroup loop;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final Scheduler scheduler;
  private final List<Channel> listening = new ArrayList<>();
  private final ChannelGroup connections;

  /**
   * Starts the loop.
   *
   * @param shared as that of {@link Scheduler}
   * @param steps as that of {@link Scheduler}
   * @param atEnd the last action of the loop's thread, after all connections and tasks: closes the
   *     catalogue, whose mappings belong to this thread
   */
  public ServingLoop(LongSupplier shared, LongestStep steps, Runnable atEnd) {
    ThreadFactory threads = new DefaultThreadFactory("serving");
    ThreadFactory closing =
        body ->
            threads.newThread(() -> {
              try {
                body.run();
              } finally {
                atEnd.run();
                ended.complete(null);
              }
            });
    loop =
        new MultiThreadIoEventLoopGroup(
            1,
            closing,
            NioIoHandler.newFactory(SelectorProvider.provider(), () -> new Spinning(1).ofLoop()));
    scheduler = new Scheduler(loop.next(), shared, steps);
    connections = new DefaultChannelGroup(loop.next(), true);
  }

  /** Returns what runs tasks in the loop. */
  public ScheduledExecutorService executor() {
    return loop.next();
  }

  /** Returns what decides whose requests are served next. */
  public Scheduler scheduler() {
    return scheduler;
  }

  /**
   * Starts to listen at an address.
   *
   * @param address a local IP address and port, or the path of a Unix domain socket; port 0 stands
   *     for a free one
   * @param file who may connect to a Unix domain socket
   * @param pipeline initializes the pipelines of connections
   * @return the same address, with the port that is used
   * @throws IOException if the address can't be bound
   */
  public SocketAddress listen(
      SocketAddress address, SocketFile file, ChannelInitializer<Channel> pipeline)
      throws IOException {
    ServerBootstrap server =
        new ServerBootstrap()
            .group(loop)
            .childHandler(tracked(pipeline))
            .childOption(ChannelOption.MESSAGE_SIZE_ESTIMATOR, KEPT)
            // so that the end of the stream is never read together with requests
            .childOption(
                ChannelOption.RECVBUF_ALLOCATOR,
                new AdaptiveRecvByteBufAllocator().maxMessagesPerRead(1));
    if (address instanceof UnixDomainSocketAddress unix) {
      file.deleteOther(unix);
      int umask = PosixProcess.setUmask(SocketFile.UMASK);
      try {
        bind(server.channel(NioServerDomainSocketChannel.class), address);
      } finally {
        PosixProcess.setUmask(umask);
      }
      file.setPermissions(unix);
      return address;
    }
    // One family only: by default an IPv4 address is bound as one of IPv6.
    SocketProtocolFamily family =
        ((InetSocketAddress) address).getAddress() instanceof Inet6Address
            ? SocketProtocolFamily.INET6
            : SocketProtocolFamily.INET;
    return bind(
        server
            .channelFactory(() -> new NioServerSocketChannel(SelectorProvider.provider(), family))
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true), // else a peer that is gone stays
        address);
  }

  /**
   * Connects to a server.
   *
   * @param pipeline initializes the pipeline of the connection
   */
  ChannelFuture connect(InetSocketAddress server, ChannelInitializer<Channel> pipeline) {
    return new Bootstrap()
        .group(loop)
        .channel(NioSocketChannel.class)
        .option(ChannelOption.SO_KEEPALIVE, true)
        .option(ChannelOption.MESSAGE_SIZE_ESTIMATOR, KEPT)
        .handler(tracked(pipeline))
        .connect(server);
  }

  /** Has the end of the loop close the connections. */
  private ChannelInitializer<Channel> tracked(ChannelInitializer<Channel> pipeline) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel connection) {
        connections.add(connection);
        connection.pipeline().addLast(pipeline);
      }
    };
  }

  private SocketAddress bind(ServerBootstrap server, SocketAddress address) throws IOException {
    ChannelFuture bound = server.bind(address).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException(bound.cause().getMessage(), bound.cause());
    }
    listening.add(bound.channel());
    return bound.channel().localAddress();
  }

  /**
   * Closes the listening sockets that are open, and deletes their files. A socket that was closed
   * before has no file any more: one at the same path is another's.
   */
  public void stopListening() {
    listening.forEach(channel -> channel.close().awaitUninterruptibly(1, TimeUnit.SECONDS));
  }

  /**
   * Stops listening, waits up to two seconds until the replies that are being written are complete,
   * and ends the loop and all connections. Returns after the loop's last action.
   */
  @Override
  public void close() {
    if (loop.isTerminated()) {
      return; // closed before
    }
    stopListening();
    long end = System.nanoTime() + DRAIN_NANOS;
    while (loop.next().submit(scheduler::isReplying).awaitUninterruptibly().getNow()
        && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(DRAIN_NANOS / 100);
    }
    // not left to the loop, which ends without closing its channels if it is running tasks
    connections.close().awaitUninterruptibly(1, TimeUnit.SECONDS);
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    ended.join();
  }
}
