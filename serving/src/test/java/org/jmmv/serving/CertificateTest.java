package org.jmmv.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateTest {
  @TempDir Path directory;
  private Certificate certificate;

  @BeforeEach
  void write() throws Exception {
    certificate = PemFiles.write(directory, "one");
  }

  private void assertRefused(String reason, Certificate refused) {
    String message = assertThrows(IOException.class, refused::load).getMessage();
    assertEquals(reason, message.replace(directory + "/", ""));
  }

  private Certificate withKey(String contents) throws IOException {
    Path key = Files.writeString(directory.resolve("key"), contents);
    return new Certificate(certificate.chain(), key, Optional.empty());
  }

  @Test
  void clientsNeedACertificateIfThereAreIssuersForThem() throws IOException {
    Certificate withClients =
        new Certificate(certificate.chain(), certificate.key(), Optional.of(certificate.chain()));
    for (Certificate each : List.of(certificate, withClients)) {
      assertEquals(
          each.clientCa().isPresent(),
          each.load().newEngine(UnpooledByteBufAllocator.DEFAULT).getNeedClientAuth());
    }
  }

  @Test
  void theKeyIsThatOfTheCertificate() throws Exception {
    Path other = PemFiles.write(directory, "two").key();
    assertRefused(
        "two.key is not the key of the certificate in one.pem",
        new Certificate(certificate.chain(), other, Optional.empty()));
  }

  @Test
  void whatIsNoKeyIsRefusedWithTheReason() throws IOException {
    assertRefused("key: no private key in PEM format", withKey("no key"));
    String begin = "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n";
    assertRefused("key: the private key is damaged", withKey(begin.formatted("A")));
    assertRefused(
        "key: the key is encrypted, or not in the format PKCS #8; to convert it:"
            + " openssl pkcs8 -topk8 -nocrypt -in key -out NEW",
        withKey(begin.replace("PRIVATE", "RSA PRIVATE").formatted("")));
  }

  @Test
  void filesThatCanNotBeReadAreNamed() {
    Path missing = directory.resolve("missing");
    Optional<Path> none = Optional.empty();
    assertRefused(
        "missing: No such file or directory", new Certificate(missing, certificate.key(), none));
    assertRefused(
        directory + " is a directory, not a file in PEM format",
        new Certificate(directory, certificate.key(), none));
    assertRefused(
        "one.key: no certificate in PEM format",
        new Certificate(certificate.key(), certificate.key(), none));
  }

  @Test
  void theStatusChangesWithEachFile() throws Exception {
    List<Object> before = certificate.status();
    assertEquals(before, certificate.status());
    Files.writeString(certificate.key(), Files.readString(certificate.key()) + "\n");
    List<Object> written = certificate.status();
    assertNotEquals(before, written);
    Files.delete(certificate.chain());
    assertNotEquals(written, certificate.status());
  }
}
