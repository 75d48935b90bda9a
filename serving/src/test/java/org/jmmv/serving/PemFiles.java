package org.jmmv.serving;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Certificates that are their own issuers, made by the JDK's keytool. */
final class PemFiles {
  private static final char[] PASSWORD = "password".toCharArray();

  private PemFiles() {}

  /** Writes {@code NAME.pem} and {@code NAME.key}. */
  static Certificate write(Path directory, String name) throws Exception {
    Path store = directory.resolve(name + ".p12");
    Files.deleteIfExists(store);
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    String options = "-genkeypair -keyalg EC -alias a -dname CN=localhost -keystore";
    ProcessBuilder command = new ProcessBuilder(keytool);
    command.command().addAll(List.of(options.split(" ")));
    command.command().addAll(List.of(store.toString(), "-storepass", new String(PASSWORD)));
    if (command.redirectErrorStream(true).start().waitFor() != 0) {
      throw new AssertionError("keytool has failed");
    }
    Certificate files =
        new Certificate(
            directory.resolve(name + ".pem"), directory.resolve(name + ".key"), Optional.empty());
    export(KeyStore.getInstance(store.toFile(), PASSWORD), files);
    return files;
  }

  private static void export(KeyStore store, Certificate files)
      throws GeneralSecurityException, IOException {
    Files.writeString(files.chain(), pem("CERTIFICATE", store.getCertificate("a").getEncoded()));
    Files.writeString(files.key(), pem("PRIVATE KEY", store.getKey("a", PASSWORD).getEncoded()));
  }

  private static String pem(String what, byte... bytes) {
    String text = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(bytes);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, text, what);
  }
}
