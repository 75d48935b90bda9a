package org.jmmv.pcp;

import java.net.InetAddress;
import java.util.Arrays;

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
    int whole = bits / Byte.SIZE;
    int rest = Byte.SIZE - bits % Byte.SIZE; // bits of the next byte that may differ
    return mine.length == theirs.length
        && Arrays.equals(mine, 0, whole, theirs, 0, whole)
        && (rest == Byte.SIZE || ((mine[whole] ^ theirs[whole]) & 0xff) >> rest == 0);
  }
}
