package org.jmmv.collector;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jmmv.core.Catalog;
import org.jmmv.core.PmcdClients;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.PmError;
import org.jmmv.protocol.Greeting;
import org.jmmv.protocol.LabelSet;
import org.jmmv.protocol.PduDecoder;
import org.jmmv.protocol.PduPipeline;
import org.jmmv.reader.Labels;
import org.jmmv.replies.Maintenance;
import org.jmmv.replies.Profiles;
import org.jmmv.replies.Replies;
import org.jmmv.replies.ReplyBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a catalogue to the clients of PCP as pmcd(1) does, on an event loop that owns the
 * catalogue.
 */
public final class Collector implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Collector.class);

  private static final int FILE_TYPE = 0xf000; // bits of st_mode: stat(2)
  private static final int SOCKET = 0xc000;

  private final Catalog catalog;
  private final PmcdClients clients;
  private final ConnectionQuota quota;
  private final Profiles profiles = new Profiles();
  private final Replies replies;
  private final ClientReplies clientReplies;
  private final Labels hostLabels;
  private final LabelSet contextLabels; // of clients whose user is unknown
  private final Access access;
  private final Optional<SslContext> tls;
  private final DebugOptions debug;
  private final ReplyBuffer replyBuffer = new ReplyBuffer();
  private final UnreadReplies unreadReplies = new UnreadReplies();
  private final EventLoopGroup loop =
      new MultiThreadIoEventLoopGroup(
          1, NioIoHandler.newFactory(SelectorProvider.provider(), AttentiveSelect.FACTORY));
  private final Maintenance maintenance;
  private final List<Channel> listening = new ArrayList<>();

  /**
   * Creates a collector that does not listen yet, and loads the catalogue.
   *
   * @param catalog the catalogue, which nothing else may use from now on
   * @param clients the clients that the catalogue shows in {@code pmcd.*}
   * @param hostLabels the labels of all contexts
   * @param access which clients are served
   * @param certificate the certificate for TLS; empty: TLS is not offered
   * @param debug the debug options: {@code pdu} logs PDUs, and why a connection ends
   * @throws IOException if the certificate can't be used
   */
  public Collector(
      Catalog catalog,
      PmcdClients clients,
      Labels hostLabels,
      Access access,
      Optional<Certificate> certificate,
      DebugOptions debug)
      throws IOException {
    tls = certificate.isPresent() ? Optional.of(certificate.get().load()) : Optional.empty();
    this.catalog = catalog;
    this.clients = clients;
    this.hostLabels = hostLabels;
    this.access = access;
    quota = new ConnectionQuota(access.maxClients());
    contextLabels = labelSet(hostLabels);
    this.debug = debug;
    replies = new Replies(catalog, pmid -> ClientReplies.unknown(catalog, pmid));
    clientReplies = new ClientReplies(catalog, replies);
    maintenance = new Maintenance(catalog, loop.next());
    inLoop(this::load);
  }

  private void inLoop(Runnable action) {
    try {
      loop.submit(action).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) { // nobody interrupts the main thread
      throw new IllegalStateException(e);
    }
  }

  private void load() {
    maintenance.load();
    LOG.info(catalog.summary());
  }

  Catalog catalog() {
    return catalog;
  }

  DebugOptions debug() {
    return debug;
  }

  Replies replies() {
    return replies;
  }

  ClientReplies clientReplies() {
    return clientReplies;
  }

  ReplyBuffer replyBuffer() {
    return replyBuffer;
  }

  /** Returns what TLS needs; empty: it is not offered. */
  Optional<SslContext> tls() {
    return tls;
  }

  UnreadReplies unreadReplies() {
    return unreadReplies;
  }

  PmcdClients clients() {
    return clients;
  }

  ConnectionQuota quota() {
    return quota;
  }

  Profiles profiles() {
    return profiles;
  }

  Maintenance maintenance() {
    return maintenance;
  }

  /**
   * Starts to listen at an address.
   *
   * @param address a local IP address and port, or the path of a Unix domain socket; port 0 stands
   *     for a free one
   * @return the same address, with the port that is used
   * @throws IOException if the address can't be bound
   */
  public SocketAddress listen(SocketAddress address) throws IOException {
    ServerBootstrap server =
        new ServerBootstrap()
            .group(loop)
            .childHandler(pipeline())
            .childOption(
                ChannelOption.RECVBUF_ALLOCATOR,
                new AdaptiveRecvByteBufAllocator().maxMessagesPerRead(1));
    if (address instanceof UnixDomainSocketAddress unix) {
      deleteStale(unix);
      bind(server.channel(NioServerDomainSocketChannel.class), address);
      Files.setPosixFilePermissions(
          unix.getPath(), PosixFilePermissions.fromString("rw-rw-rw-")); // as pmcd's
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
            .childOption(ChannelOption.TCP_NODELAY, true),
        address);
  }

  private SocketAddress bind(ServerBootstrap server, SocketAddress address) throws IOException {
    ChannelFuture bound = server.bind(address).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException(bound.cause().getMessage(), bound.cause());
    }
    listening.add(bound.channel());
    return bound.channel().localAddress();
  }

  private ChannelInitializer<Channel> pipeline() {
    return PduPipeline.ofCollector(debug::pdu, LOG::debug, this::handler);
  }

  private ChannelHandler handler(Channel channel, PduDecoder requests) {
    InetAddress address =
        channel.remoteAddress() instanceof InetSocketAddress ip ? ip.getAddress() : null;
    if (address != null && !access.isAllowed(address)) {
      LOG.warn("the client {} is refused: its address is not one of --allow", address);
      return new Refusal(PmError.PERMISSION);
    }
    boolean mayStore = address == null || address.isLoopbackAddress();
    LabelSet labels =
        address == null ? labelSet(PeerUser.labels(channel, hostLabels)) : contextLabels;
    String peer = address == null ? PeerUser.peer(channel) : ConnectionQuota.peer(address);
    return quota.take(peer)
        ? new ClientHandler(this, labels, mayStore, peer, channel, requests)
        : new Refusal(PmError.CONNLIMIT);
  }

  private static LabelSet labelSet(Labels labels) {
    return Replies.labelSet(Instance.NULL, labels, LabelType.CONTEXT);
  }

  /** Greets a client with the reason why it is not served, and closes the connection. */
  private static final class Refusal extends ChannelInboundHandlerAdapter {
    private final PmError reason;

    Refusal(PmError reason) {
      this.reason = reason;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      ctx.writeAndFlush(Greeting.refuse(reason.code())).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {}

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }
  }

  /** Deletes a socket on which no process listens any more. */
  private static void deleteStale(UnixDomainSocketAddress address) throws IOException {
    Path path = address.getPath();
    if (!Files.exists(path)
        || !(Files.readAttributes(path, "unix:mode").get("mode") instanceof Integer mode)
        || (mode & FILE_TYPE) != SOCKET) {
      return;
    }
    try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      probe.connect(address);
    } catch (IOException e) {
      Files.delete(path);
      return;
    }
    throw new IOException("another process listens on this socket");
  }

  /**
   * Stops listening and deletes the files of sockets. Connections are closed at the end of the
   * process at the latest, and the catalogue is left to it, as with the agent.
   */
  @Override
  public void close() {
    if (loop.isTerminated()) {
      return; // closed before
    }
    // first, because a loop that is running tasks at this moment ends without closing its channels
    listening.forEach(channel -> channel.close().awaitUninterruptibly(1, TimeUnit.SECONDS));
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    replyBuffer.release();
  }
}
