package org.jmmv.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.List;
import org.jmmv.pcp.Network;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessTest {
  private final Access access =
      new Access(1, List.of(network("192.0.2.0", 24), network("2001:db8::", 32)));

  private static Network network(String address, int bits) {
    return new Network(InetAddress.ofLiteral(address), bits);
  }

  @ParameterizedTest
  @CsvSource({"192.0.2.7, true", "2001:db8::7, true", "192.0.3.7, false", "2001:db9::7, false"})
  void anAddressMayBeInAnyOfTheNetworks(String address, boolean isAllowed) {
    assertEquals(isAllowed, access.isAllowed(InetAddress.ofLiteral(address)));
    assertEquals(isAllowed, access.includes(InetAddress.ofLiteral(address)));
  }

  /** A proxy on another host may forward any address: only the peer's own shows where it is. */
  @Test
  void aLoopbackAddressIsAllowedAsThePeersOnly() {
    InetAddress loopback = InetAddress.ofLiteral("127.1.2.3");
    assertTrue(access.isAllowed(loopback));
    assertFalse(access.includes(loopback));
  }
}
