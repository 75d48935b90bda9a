package org.jmmv.collector;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.Optional;
import org.jmmv.core.PmcdClients;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.PmError;
import org.jmmv.protocol.Greeting;
import org.jmmv.protocol.LabelSet;
import org.jmmv.replies.PduService;
import org.jmmv.replies.Replies;
import org.jmmv.serving.Clients;
import org.jmmv.serving.ConnectionQuota;
import org.jmmv.serving.Server;
import org.jmmv.serving.SocketFile;
import org.jmmv.serving.Timeouts;
import org.jmmv.serving.Tls;

/** Serves a catalogue to the clients of PCP as pmcd(1) does. */
public final class Collector implements AutoCloseable {
  private final Labels hostLabels;
  private final Server server;
  private final PduService service;
  private final ClientRole.Shared shared;

  /**
   * Creates a collector that does not listen yet.
   *
   * @param server has the catalogue
   * @param clients the clients that the catalogue shows in {@code pmcd.*}
   * @param hostLabels the labels of all contexts
   * @param tls empty: TLS is not offered
   * @param debug the debug options: {@code pdu} logs PDUs, and why a connection ends
   */
  public Collector(
      Server server,
      PmcdClients clients,
      Labels hostLabels,
      Optional<Tls> tls,
      DebugOptions debug) {
    this.server = server;
    this.hostLabels = hostLabels;
    shared = new ClientRole.Shared(server.catalog(), clients, tls, debug);
    service = new PduService(server.catalog(), server.maintenance(), debug);
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
    return server
        .loop()
        .listen(
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
    Optional<Clients.Refusal> refusal = server.clients().admit(client);
    if (refusal.isPresent()) {
      PmError reason =
          switch (refusal.get()) {
            case ADDRESS -> PmError.PERMISSION;
            case QUOTA -> PmError.CONNLIMIT;
          };
      client.pipeline().addLast(service.encoder(), new Refusal(reason));
      return;
    }
    String peer = ConnectionQuota.peer(client);
    Labels labels = PeerUser.labels(client, hostLabels);
    LabelSet contextLabels = Replies.labelSet(Instance.NULL, labels, LabelType.CONTEXT);
    ClientRole role = new ClientRole(shared, peer, contextLabels, Clients.isLocal(client));
    service.serve(client.pipeline(), role, peer);
    PduService.controlFlow(
        client.pipeline(),
        server.loop().scheduler(),
        peer,
        new Timeouts(client, server.clients().traffic(), peer));
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

  /** Releases the memory for replies, after the server was closed. */
  @Override
  public void close() {
    service.close();
  }
}
