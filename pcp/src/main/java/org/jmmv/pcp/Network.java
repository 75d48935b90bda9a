package org.jmmv.pcp;

import java.math.BigInteger;
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
    BigInteger difference = new BigInteger(1, mine).xor(new BigInteger(1, theirs));
    return mine.length == theirs.length && difference.bitLength() <= mine.length * Byte.SIZE - bits;
  }
}
