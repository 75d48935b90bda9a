package org.jmmv.serving;

import java.net.InetAddress;
import java.util.List;
import org.jmmv.pcp.Network;

/**
 * Which clients are served.
 *
 * @param maxClients the maximum number of clients
 * @param allowed the networks from which clients may connect; empty: from everywhere. Clients on
 *     this machine may always connect
 */
public record Access(int maxClients, List<Network> allowed) {
  public Access {
    allowed = List.copyOf(allowed);
  }

  /** Returns whether a client that connects from an address is served. */
  public boolean isAllowed(InetAddress peer) {
    return peer.isLoopbackAddress() || includes(peer);
  }

  /** Returns whether an address is in one of the networks, wherever it was read. */
  public boolean includes(InetAddress address) {
    return allowed.isEmpty() || allowed.stream().anyMatch(network -> network.contains(address));
  }
}
