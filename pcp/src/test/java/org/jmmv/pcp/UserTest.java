package org.jmmv.pcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UserTest {
  /** User IDs are unsigned. */
  @ParameterizedTest
  @CsvSource({
    "0, user 0",
    "1000, user 1000",
    "99999, user 99999",
    "100000, users 100000 to 165535",
    "165535, users 100000 to 165535",
    "165536, users 165536 to 231071",
    "2147483648, users 2147452576 to 2147518111",
    "4294967295, users 4294936224 to 4294967295"
  })
  void userIdsOfANamespaceAreOneUser(long uid, String name) {
    assertEquals(name, User.of((int) uid).toString());
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, localhost",
    "127.1.2.3, localhost",
    "::1, localhost",
    "::2, 0:0:0::/48",
    "192.0.2.1, 192.0.2.1",
    "192.0.2.2, 192.0.2.2",
    "2001:db8::1, 2001:db8:0::/48",
    "2001:db8:0:ffff:8000::2, 2001:db8:0::/48",
    "2001:db8:1::1, 2001:db8:1::/48",
    "fe80::1, fe80:0:0::/48",
    "::ffff:192.0.2.1, 192.0.2.1"
  })
  void addressesThatOneSiteCanUseAreOneUser(String address, String name) {
    assertEquals(name, User.of(InetAddress.ofLiteral(address)).toString());
  }
}
