package org.jmmv.serving;

import io.netty.channel.Channel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clients of all faces of a process: who is admitted, and what is kept for whom. All methods
 * are called in the event loop.
 */
public final class Clients {
  private static final Logger LOG = LoggerFactory.getLogger(Clients.class);

  private final Access access;
  private final ConnectionQuota quota;
  private final Accounts traffic = new Accounts(Runtime.getRuntime().maxMemory() / 4);

  /** Why a client is not admitted. */
  public enum Refusal {
    /** Its address is in none of the networks from which clients may connect. */
    ADDRESS,

    /** Its user or address has as many connections as it can get. */
    QUOTA
  }

  /** Creates an object without clients. */
  public Clients(Access access) {
    this.access = access;
    quota = new ConnectionQuota(access.maxClients());
  }

  /**
   * Admits a client that has connected, until its connection ends.
   *
   * @return empty, or why it is not admitted
   */
  public Optional<Refusal> admit(Channel client) {
    Optional<InetAddress> address = address(client);
    if (address.isPresent() && !access.isAllowed(address.get())) {
      LOG.warn(
          "the client {} is refused: its address is not one of --allow",
          address.get().getHostAddress());
      return Optional.of(Refusal.ADDRESS);
    }
    String peer = ConnectionQuota.peer(client);
    if (!quota.take(peer)) {
      return Optional.of(Refusal.QUOTA);
    }
    client.closeFuture().addListener(_ -> quota.leave(peer));
    return Optional.empty();
  }

  /** Returns the address of a client; empty if it is on a Unix domain socket. */
  private static Optional<InetAddress> address(Channel client) {
    return client.remoteAddress() instanceof InetSocketAddress ip
        ? Optional.of(ip.getAddress())
        : Optional.empty();
  }

  /** Returns whether a client is on a Unix domain socket, and so a user of this machine. */
  public static boolean isOnUnixSocket(Channel client) {
    return address(client).isEmpty();
  }

  /** Returns whether a client is on this machine: such a client of PCP may store values. */
  public static boolean isLocal(Channel client) {
    return address(client).map(InetAddress::isLoopbackAddress).orElse(true);
  }

  /** Returns what is kept of requests and replies, of all clients. */
  public Accounts traffic() {
    return traffic;
  }
}
