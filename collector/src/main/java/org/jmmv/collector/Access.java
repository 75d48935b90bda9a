package org.jmmv.collector;

import java.net.InetAddress;
import java.util.List;

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

  /**
   * A network.
   *
   * @param address an address in the network
   * @param bits the length of the prefix that all of its addresses share
   */
  public record Network(InetAddress address, int bits) {
    boolean contains(InetAddress other) {
      byte[] mine = address.getAddress();
      byte[] theirs = other.getAddress();
      if (mine.length != theirs.length) {
        return false;
      }
      for (int bit = 0; bit < bits; bit++) {
        int mask = 0x80 >>> (bit % Byte.SIZE);
        if (((mine[bit / Byte.SIZE] ^ theirs[bit / Byte.SIZE]) & mask) != 0) {
          return false;
        }
      }
      return true;
    }
  }

  boolean isAllowed(InetAddress peer) {
    return allowed.isEmpty()
        || peer.isLoopbackAddress()
        || allowed.stream().anyMatch(network -> network.contains(peer));
  }
}
