package org.jmmv.qa;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Certificates of this host in files, each signed by its own key. */
final class PemFiles {
  private PemFiles() {}

  /** Returns what a client needs to trust a certificate in a file. */
  static SSLContext trusting(Path certificate) {
    try (InputStream pem = Files.newInputStream(certificate)) {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      trusted.setCertificateEntry(
          "server", CertificateFactory.getInstance("X.509").generateCertificate(pem));
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** Makes {@code NAME.pem} and {@code NAME-key.pem}. */
  static void make(Path directory, String name) {
    String command =
        ("cd %1$s && openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -addext"
                + " subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout %2$s-key.pem -out %2$s.pem")
            .formatted(directory, name);
    Shell.run(Map.of(), List.of("sh", "-c", command)).outOfSuccess();
  }
}
