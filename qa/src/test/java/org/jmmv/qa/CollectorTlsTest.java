package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** PCP's own client over TLS. */
final class CollectorTlsTest {
  private final TemporaryPcp pcp = new TemporaryPcp();
  private CollectorProcess collector;

  @BeforeEach
  void start() throws IOException {
    String openssl =
        "openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost"
            + " -addext subjectAltName=DNS:localhost"
            + " -keyout %s -out %s".formatted(pcp.file("key.pem"), pcp.file("cert.pem"));
    Shell.Result made = Shell.run(Map.of(), List.of(openssl.split(" ")));
    assertEquals(0, made.status(), made::err);
    MmvWriter file = new MmvWriter(2).cluster(1);
    file.metric("answer", 1, ValueType.I32).value(42);
    file.write(pcp.mmv(), "shop");
    collector =
        CollectorProcess.start(
            pcp,
            "--cert",
            pcp.file("cert.pem").toString(),
            "--key",
            pcp.file("key.pem").toString());
  }

  @AfterEach
  void tidyUp() {
    if (collector != null) {
      collector.close();
    }
    pcp.close();
  }

  /** Runs pminfo with the TLS configuration of a file that has these lines. */
  private Shell.Result pminfo(String host, String... lines) throws IOException {
    Files.write(pcp.file("tls.conf"), List.of(lines));
    Map<String, String> environment = new HashMap<>(PcpServer.PATIENCE);
    environment.put("PCP_TLSCONF_PATH", pcp.file("tls.conf").toString());
    Need.PCP.require();
    return Shell.run(environment, List.of("pminfo", "-h", host, "-f", "mmv.shop.answer"));
  }

  @Test
  void clientsAreServedWithTlsAndWithout() throws IOException {
    String secure = "pcps://localhost:" + collector.port();
    String served = pminfo(secure, "tls-ca-cert-file = " + pcp.file("cert.pem")).outOfSuccess();
    assertTrue(served.contains("value 42"), served);
    String plain = pminfo("localhost:" + collector.port()).outOfSuccess();
    assertTrue(plain.contains("value 42"), plain);
  }

  @Test
  void withoutACertificateClientsThatAskForTlsGiveUp() throws IOException {
    collector.close();
    collector = CollectorProcess.start(pcp);
    Shell.Result refused = pminfo("pcps://localhost:" + collector.port());
    assertFalse(refused.out().contains("value 42"), refused.out());
  }
}
