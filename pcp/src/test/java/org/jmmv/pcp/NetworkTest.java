package org.jmmv.pcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetworkTest {
  @ParameterizedTest
  @CsvSource({
    "192.0.2.0, 24, 192.0.2.255, true",
    "192.0.2.0, 24, 192.0.3.0, false",
    "192.0.2.1, 32, 192.0.2.1, true",
    "192.0.2.1, 32, 192.0.2.0, false",
    "2001:db8::, 33, 2001:db8:7fff::1, true",
    "2001:db8::, 33, 2001:db8:8000::1, false",
    "::, 0, ::2, true",
    "::, 0, 1.2.3.4, false"
  })
  void containsTheAddressesWithItsPrefix(
      String address, int bits, String other, boolean isContained) {
    Network network = new Network(InetAddress.ofLiteral(address), bits);
    assertEquals(isContained, network.contains(InetAddress.ofLiteral(other)));
  }
}
