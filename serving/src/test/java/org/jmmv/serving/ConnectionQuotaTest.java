package org.jmmv.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which clients get a connection. */
class ConnectionQuotaTest {
  private final ConnectionQuota quota = new ConnectionQuota(1000);

  /** Takes connections for a peer until it gets no more, and returns their number. */
  private int takeAll(String peer) {
    int taken = 0;
    while (quota.take(peer)) {
      taken++;
    }
    return taken;
  }

  @Test
  void severalPeersTogetherDoNotKeepOutOthers() {
    assertEquals(501, takeAll("user 1"));
    assertEquals(250, takeAll("localhost"));
    assertEquals(125, takeAll("192.0.2.1"));
    assertTrue(quota.take("user 2"));
  }

  @Test
  void aConnectionThatEndsMakesRoom() {
    takeAll("user 1");
    quota.leave("user 1");
    assertTrue(quota.take("user 1"));
    assertFalse(quota.take("user 1"));
    for (int i = 0; i < 501; i++) {
      quota.leave("user 1");
    }
    assertEquals(501, takeAll("user 2"));
  }

  @Test
  void manyPeersWithFewConnectionsGetAllOfThem() {
    for (int i = 0; i < 1000; i++) {
      assertTrue(quota.take("user " + i / 2));
    }
    assertFalse(quota.take("another user"));
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, ::1, true",
    "127.0.0.1, 127.1.2.3, true",
    "192.0.2.1, 192.0.2.1, true",
    "192.0.2.1, 192.0.2.2, false",
    "2001:db8::1, 2001:db8:0:0:8000::2, true",
    "2001:db8::1, 2001:db8:0:1::1, false",
    "fe80::1, fe80::2, true",
    "::1, ::2, false"
  })
  void addressesThatOneHostCanUseAreOnePeer(String one, String other, boolean isSame) {
    String peer = ConnectionQuota.peer(InetAddress.ofLiteral(one));
    if (isSame) {
      assertEquals(peer, ConnectionQuota.peer(InetAddress.ofLiteral(other)));
    } else {
      assertNotEquals(peer, ConnectionQuota.peer(InetAddress.ofLiteral(other)));
    }
  }
}
