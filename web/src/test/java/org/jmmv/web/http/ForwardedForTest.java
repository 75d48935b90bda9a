package org.jmmv.web.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jmmv.pcp.Network;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Proxies connect from 127.0.0.1 and from 10.0.0.0/8. */
class ForwardedForTest {
  private static final SiteRules RULES =
      new SiteRules(
          Set.of(),
          Set.of(),
          Map.of(),
          List.of(
              new Network(InetAddress.ofLiteral("127.0.0.1"), 32),
              new Network(InetAddress.ofLiteral("10.0.0.0"), 8)));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "127.0.0.1 | 192.0.2.7 | 192.0.2.7",
        "127.0.0.1 | 192.0.2.7:4711 | 192.0.2.7",
        "127.0.0.1 | 2001:db8::1 | 2001:db8:0:0:0:0:0:1",
        "127.0.0.1 | [2001:db8::1] | 2001:db8:0:0:0:0:0:1",
        "127.0.0.1 | [2001:db8::1]:80 | 2001:db8:0:0:0:0:0:1",
        "127.0.0.1 | ::ffff:192.0.2.7 | 192.0.2.7",
        "127.0.0.1 | 198.51.100.1, 192.0.2.7 | 192.0.2.7", // a client writes what it likes
        "127.0.0.1 | 198.51.100.1,192.0.2.7 , 10.1.2.3 | 192.0.2.7",
        "127.0.0.1 | 10.9.9.9, 10.1.2.3 | 10.9.9.9",
        "127.0.0.1 | unknown, 192.0.2.7 | 192.0.2.7",
        "127.0.0.1 | | 127.0.0.1",
        "127.0.0.2 | 192.0.2.7 | 127.0.0.2", // is not trusted
      })
  void theClientIsTheLastOneThatIsNoProxy(String peer, String header, String expected)
      throws Failure {
    HttpHeaders headers = new DefaultHttpHeaders();
    if (header != null) {
      headers.add("X-Forwarded-For", header);
    }
    assertEquals(
        expected,
        ForwardedFor.client(InetAddress.ofLiteral(peer), headers, RULES).getHostAddress());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "unknown",
        "unix:",
        "192.0.2.7,",
        "[192.0.2.7",
        "192.0.2.7, unknown, 10.1.2.3"
      })
  void aProxyHasToNameAnAddress(String header) {
    HttpHeaders headers = new DefaultHttpHeaders().add("X-Forwarded-For", header);
    assertThrows(
        Failure.class,
        () -> ForwardedFor.client(InetAddress.ofLiteral("127.0.0.1"), headers, RULES));
  }

  /** As HAProxy does, behind what its client has written. */
  @Test
  void aProxyMayAddALine() throws Failure {
    HttpHeaders headers =
        new DefaultHttpHeaders()
            .add("X-Forwarded-For", "198.51.100.1")
            .add("X-Forwarded-For", "192.0.2.7");
    InetAddress peer = InetAddress.ofLiteral("127.0.0.1");
    assertEquals("192.0.2.7", ForwardedFor.client(peer, headers, RULES).getHostAddress());
  }
}
