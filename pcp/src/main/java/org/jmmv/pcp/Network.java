package org.jmmv.pcp;

import java.net.InetAddress;

/**
 * An IP network, such as PCP's access control has: all addresses with the same prefix.
 *
 * @param address any of the addresses
 * @param bits the length of the prefix
 */
public record Network(InetAddress address, int bits) {
  /** Returns whether an address is one of this network. */
  public boolean contains(InetAddress other) {
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
