package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** PCP's own client over TLS. */
final class CollectorTlsTest {
  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();
  private CollectorProcess collector;

  @BeforeEach
  void start() throws IOException {
    openssl(
        "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost"
            + " -addext subjectAltName=DNS:localhost -keyout key.pem -out cert.pem");
    MmvWriter file = new MmvWriter(2).cluster(1);
    file.metric("answer", 1, ValueType.I32).value(42);
    file.write(pcp.mmv(), "shop");
    collector = startWith("key.pem");
  }

  private void openssl(String words) {
    String command = "cd %s && openssl %s".formatted(pcp.file(""), words);
    Shell.run(Map.of(), List.of("sh", "-c", command)).outOfSuccess();
  }

  @Test
  void aKeyOfAnotherFormatIsRefusedWithTheCommandThatConvertsIt() {
    openssl("rsa -in key.pem -traditional -out pkcs1.pem");
    String command = "openssl pkcs8 -topk8 -nocrypt -in " + pcp.file("pkcs1.pem") + " -out ";
    collector.close();
    String said = assertThrows(AssertionError.class, () -> startWith("pkcs1.pem")).getMessage();
    assertTrue(said.contains(command + "NEW"), said);
    Shell.run(Map.of(), List.of((command + pcp.file("new.pem")).split(" "))).outOfSuccess();
    collector = startWith("new.pem");
  }

  @Test
  void keysOfOtherAlgorithmsAreServed() {
    for (String algorithm : List.of("ec -pkeyopt ec_paramgen_curve:P-256", "ed25519")) {
      collector.close();
      openssl(
          "req -x509 -newkey %s -nodes -days 1 -subj /CN=localhost -keyout key.pem -out cert.pem"
              .formatted(algorithm));
      collector = startWith("key.pem");
    }
    String said = collector.output();
    assertTrue(said.contains("; to ask: pminfo -h pcps://127.0.0.1:"), said);
  }

  private CollectorProcess startWith(String key) {
    return pcp.open(
        CollectorProcess.start(
            pcp, "--cert", pcp.file("cert.pem").toString(), "--key", pcp.file(key).toString()));
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
    collector = pcp.open(CollectorProcess.start(pcp));
    Shell.Result refused = pminfo("pcps://localhost:" + collector.port());
    assertFalse(refused.out().contains("value 42"), refused.out());
  }
}
