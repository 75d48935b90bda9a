package org.jmmv.qa;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Certificates of this host in files, each signed by its own key. */
final class PemFiles {
  private PemFiles() {}

  /** Makes {@code NAME.pem} and {@code NAME-key.pem}. */
  static void make(Path directory, String name) {
    String command =
        ("cd %1$s && openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -addext"
                + " subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout %2$s-key.pem -out %2$s.pem")
            .formatted(directory, name);
    Shell.run(Map.of(), List.of("sh", "-c", command)).outOfSuccess();
  }
}
