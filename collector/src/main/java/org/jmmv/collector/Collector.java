package org.jmmv.collector;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.util.List;
import java.util.Map;
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
import org.jmmv.serving.Clients;
import org.jmmv.serving.Peer;
import org.jmmv.serving.Server;
import org.jmmv.serving.Timeouts;
import org.jmmv.serving.Tls;

/** Serves a catalogue to the clients of PCP as pmcd(1) does. */
public final class Collector implements Clients.Face, AutoCloseable {
  private final Labels hostLabels;
  private final Server server;
  private final PduService service;
  private final ClientRole.Shared shared;

  /**
   * Creates a collector, which {@link Server#listen} makes listen.
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
    service =
        new PduService(server.catalog(), server.maintenance(), server.loop().executor(), debug);
  }

  @Override
  public void refuse(Channel client, Peer peer, Clients.Refusal reason) {
    PmError error =
        switch (reason) {
          case ADDRESS -> PmError.PERMISSION;
          case QUOTA -> PmError.CONNLIMIT;
        };
    client.pipeline().addLast(service.encoder(), new Refusal(error));
  }

  @Override
  public void serve(Channel client, Peer peer) {
    LabelSet labels = new LabelSet(Instance.NULL, labels(peer));
    ClientRole role = new ClientRole(shared, peer.user(), labels, Clients.isLocal(client));
    service.serve(client.pipeline(), role, peer.user());
    PduService.controlFlow(
        client.pipeline(),
        server.loop().scheduler(),
        peer.user(),
        new Timeouts(client, server.clients().accounts(), peer.user()));
  }

  /** Returns the labels of the context of a client: those of the host, its group and its user. */
  private Labels labels(Peer peer) {
    if (peer.uid().isEmpty() || peer.gid().isEmpty()) {
      return hostLabels;
    }
    Map<String, Long> values =
        Map.of(
            "groupid", Integer.toUnsignedLong(peer.gid().getAsInt()),
            "userid", Integer.toUnsignedLong(peer.uid().getAsInt()));
    return Labels.merge(
        List.of(hostLabels, Labels.of(values, LabelType.CONTEXT | LabelType.OPTIONAL)));
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
