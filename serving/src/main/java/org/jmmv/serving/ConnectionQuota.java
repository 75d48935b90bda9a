package org.jmmv.serving;

import io.netty.channel.Channel;
import io.netty.channel.socket.nio.NioChannelOption;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections that clients may have. Nobody can take all of them: a peer that has more
 * connections than are free gets no further one. So the first peer can take half of them, the next
 * one half of the others, and so on.
 *
 * <p>On a Unix domain socket, each user is a peer. Otherwise each IPv4 address is one, and so is
 * each IPv6 network of 64 bits, because a single host can use all addresses of such a network. All
 * loopback addresses together are one peer.
 */
public final class ConnectionQuota {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionQuota.class);

  private static final int NETWORK_GROUPS = 4; // groups of 16 bits of an IPv6 address

  private final int max;
  private final Map<String, Integer> takenByPeer = new HashMap<>();
  private int taken;

  /**
   * Creates an object without connections.
   *
   * @param max the maximum number of connections
   */
  public ConnectionQuota(int max) {
    this.max = max;
  }

  /** Returns the peer at the other end of a connection. */
  public static String peer(Channel channel) {
    if (channel.remoteAddress() instanceof InetSocketAddress address) {
      return peer(address.getAddress());
    }
    UnixDomainPrincipal user = user(channel);
    return user == null ? "an unknown user" : "user " + user.user().getName();
  }

  /**
   * Returns the user at the other end of a Unix domain socket (SO_PEERCRED of socket(7)), or null
   * if it is not known. In place of a name it may have an ID.
   */
  public static UnixDomainPrincipal user(Channel channel) {
    return channel.config().getOption(NioChannelOption.of(ExtendedSocketOptions.SO_PEERCRED));
  }

  /** Returns the peer that an address belongs to. */
  static String peer(InetAddress address) {
    if (address.isLoopbackAddress()) {
      return "localhost";
    }
    String text = address.getHostAddress();
    return address instanceof Inet6Address
        ? String.join(":", Arrays.asList(text.split(":", -1)).subList(0, NETWORK_GROUPS)) + "::/64"
        : text;
  }

  /** Adds a connection of a peer, and returns true, unless the peer gets none. */
  public boolean take(String peer) {
    int takenByIt = takenByPeer.getOrDefault(peer, 0);
    int free = max - taken;
    if (free <= 0 || takenByIt > free) {
      LOG.warn(
          "{} gets no more connections: it has {}, and {} are free (--max-clients)",
          peer,
          takenByIt,
          free);
      return false;
    }
    takenByPeer.put(peer, takenByIt + 1);
    taken++;
    return true;
  }

  /** Removes a connection of a peer. */
  public void leave(String peer) {
    takenByPeer.computeIfPresent(peer, (_, count) -> count == 1 ? null : count - 1);
    taken--;
  }
}
