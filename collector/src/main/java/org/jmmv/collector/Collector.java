package org.jmmv.collector;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.jmmv.core.Catalog;
import org.jmmv.core.PmcdClients;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.PmError;
import org.jmmv.protocol.Greeting;
import org.jmmv.protocol.LabelSet;
import org.jmmv.reader.Labels;
import org.jmmv.replies.PduService;
import org.jmmv.replies.Replies;
import org.jmmv.serving.Access;
import org.jmmv.serving.Accounts;
import org.jmmv.serving.Certificate;
import org.jmmv.serving.ConnectionQuota;
import org.jmmv.serving.Maintenance;
import org.jmmv.serving.ServingLoop;
import org.jmmv.serving.SocketFile;
import org.jmmv.serving.Timeouts;
import org.jmmv.serving.Tls;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a catalogue to the clients of PCP as pmcd(1) does, on an event loop that owns the
 * catalogue.
 */
public final class Collector implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Collector.class);

  private final Access access;
  private final ConnectionQuota quota;
  private final Labels hostLabels;
  private final Accounts traffic = new Accounts(Runtime.getRuntime().maxMemory() / 4);
  private final ServingLoop loop;
  private final PduService service;
  private final ClientRole.Shared shared;

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
    Optional<SslContext> context =
        certificate.isPresent() ? Optional.of(certificate.get().load()) : Optional.empty();
    loop = new ServingLoop();
    Optional<Tls> tls = context.map(one -> new Tls(one, loop.executor()));
    this.hostLabels = hostLabels;
    this.access = access;
    quota = new ConnectionQuota(access.maxClients());
    shared = new ClientRole.Shared(catalog, clients, tls, debug);
    Maintenance maintenance = new Maintenance(catalog, loop.executor());
    service = new PduService(catalog, maintenance, debug);
    inLoop(() -> {
      maintenance.load();
      LOG.info(catalog.summary());
    });
  }

  private void inLoop(Runnable action) {
    try {
      loop.executor().submit(action).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) { // nobody interrupts the main thread
      throw new IllegalStateException(e);
    }
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
    return loop.listen(
        address,
        SocketFile.OF_EVERYONE,
        new ChannelInitializer<>() {
          @Override
          protected void initChannel(Channel client) {
            serve(client);
          }
        });
  }

  private void serve(Channel client) {
    InetAddress address =
        client.remoteAddress() instanceof InetSocketAddress ip ? ip.getAddress() : null;
    if (address != null && !access.isAllowed(address)) {
      LOG.warn(
          "the client {} is refused: its address is not one of --allow", address.getHostAddress());
      client.pipeline().addLast(service.encoder(), new Refusal(PmError.PERMISSION));
      return;
    }
    String peer = ConnectionQuota.peer(client);
    if (!quota.take(peer)) {
      client.pipeline().addLast(service.encoder(), new Refusal(PmError.CONNLIMIT));
      return;
    }
    Labels labels = address == null ? PeerUser.labels(client, hostLabels) : hostLabels;
    LabelSet contextLabels = Replies.labelSet(Instance.NULL, labels, LabelType.CONTEXT);
    boolean mayStore = address == null || address.isLoopbackAddress();
    ClientRole role =
        new ClientRole(shared, peer, contextLabels, mayStore, () -> quota.leave(peer));
    service.serve(client.pipeline(), role, peer);
    PduService.controlFlow(
        client.pipeline(), loop.scheduler(), peer, new Timeouts(client, traffic, peer));
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
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ReferenceCountUtil.release(message);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }
  }

  /**
   * Stops listening and deletes the files of sockets. Connections are closed at the end of the
   * process at the latest, and the catalogue is left to it, as with the agent.
   */
  @Override
  public void close() {
    loop.close();
    service.close();
  }
}
