package org.jmmv.serving;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clients of all faces of a process: who is admitted, and what is kept for each user. All
 * methods are called in the event loop.
 */
public final class Clients {
  private static final Logger LOG = LoggerFactory.getLogger(Clients.class);

  private final Access access;
  private final ConnectionQuota quota;
  private final Accounts accounts;
  private final Function<Channel, Peer> onUnixSocket;
  private final Executor lookUps =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("users").factory());

  /** Why a client is not admitted. */
  public enum Refusal {
    /** Its address is in none of the networks from which clients may connect. */
    ADDRESS,

    /** All connections are taken, and its user is not entitled to one of another user. */
    QUOTA
  }

  /** What serves the clients that connect to an address, by one protocol. */
  public interface Face {
    /** Adds the handlers of a client that is admitted, before anything is read from it. */
    void serve(Channel client, Peer peer);

    /** Ends the connection of a client that is not admitted, perhaps after an answer. */
    void refuse(Channel client, Peer peer, Refusal reason);
  }

  /**
   * Creates an object without clients.
   *
   * @param loop the event loop
   * @param onUnixSocket returns who is at the other end of a Unix domain socket, and may wait
   */
  Clients(Access access, Executor loop, Function<Channel, Peer> onUnixSocket) {
    this.access = access;
    this.onUnixSocket = onUnixSocket;
    quota = new ConnectionQuota(access.maxClients());
    accounts = new Accounts(Runtime.getRuntime().maxMemory() / 4, loop);
  }

  /** Returns what initializes the connections of one listening socket, for a face. */
  ChannelInitializer<Channel> initializer(Face face) {
    return new Admission(face);
  }

  private final class Admission extends ChannelInitializer<Channel> {
    private final Face face;
    private int waiting; // until their users are known

    Admission(Face face) {
      this.face = face;
    }

    @Override
    protected void initChannel(Channel client) {
      if (client.remoteAddress() instanceof InetSocketAddress ip) {
        admit(client, ip.getAddress());
      } else {
        findUser(client);
      }
    }

    private void admit(Channel client, InetAddress address) {
      if (access.isAllowed(address)) {
        admit(client, Peer.of(address));
      } else {
        LOG.warn(
            "the client {} is refused: its address is not one of --allow",
            address.getHostAddress());
        face.refuse(client, Peer.of(address), Refusal.ADDRESS);
      }
    }

    private void admit(Channel client, Peer peer) {
      if (quota.take(peer.user(), client)) {
        face.serve(client, peer);
      } else {
        face.refuse(client, peer, Refusal.QUOTA);
      }
    }

    /**
     * Admits a client when its user is known, which may take long. Until then, no more clients are
     * accepted from this socket: they wait in the kernel.
     */
    private void findUser(Channel client) {
      waiting++;
      client.config().setAutoRead(false);
      client.parent().config().setAutoRead(false);
      CompletableFuture.supplyAsync(() -> onUnixSocket.apply(client), lookUps)
          .exceptionally(_ -> Peer.UNKNOWN) // it has left
          .thenAccept(peer -> client.eventLoop().execute(() -> goOn(client, peer)));
    }

    private void goOn(Channel client, Peer peer) {
      waiting--;
      client.parent().config().setAutoRead(waiting == 0);
      if (client.isActive()) {
        client.config().setAutoRead(true);
        admit(client, peer);
        client.pipeline().fireChannelActive(); // again, for the handlers that were added
      }
    }
  }

  /** Returns which clients are served. */
  public Access access() {
    return access;
  }

  /** Returns whether a client is on a Unix domain socket, and so a user of this machine. */
  public static boolean isOnUnixSocket(Channel client) {
    return !(client.remoteAddress() instanceof InetSocketAddress);
  }

  /** Returns whether a client is on this machine: such a client of PCP may store values. */
  public static boolean isLocal(Channel client) {
    return !(client.remoteAddress() instanceof InetSocketAddress ip)
        || ip.getAddress().isLoopbackAddress();
  }

  /** Returns what is kept of requests, replies, contexts of HTTP and TLS, and in caches for all. */
  public Accounts accounts() {
    return accounts;
  }
}
