package org.jmmv.serving;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jmmv.posix.Reason;

/**
 * A certificate for TLS.
 *
 * @param chain a PEM file with the certificate, followed by those of its issuers
 * @param key a PEM file with the private key, in the format PKCS #8 and not encrypted
 * @param clientCa a PEM file with the certificates of issuers, one of which must have issued that
 *     of a client; empty: clients need none
 */
public record Certificate(Path chain, Path key, Optional<Path> clientCa) {
  /** The sessions that can be resumed; by default 20,480, which clients could fill with garbage. */
  private static final int MAX_SESSIONS = 256;

  private static final Pattern PEM_KEY =
      Pattern.compile("-----BEGIN ((?:[A-Z]+ )?)PRIVATE KEY-----([^-]*)-----END");

  /**
   * Reads the files.
   *
   * @throws IOException if they can't be read, are not what they should be, or do not belong
   *     together
   */
  public SslContext load() throws IOException {
    X509Certificate[] certificates = certificates(chain);
    PublicKey publicKey = certificates[0].getPublicKey();
    byte[] encoded = encodedKey();
    try {
      PrivateKey privateKey =
          KeyFactory.getInstance(publicKey.getAlgorithm())
              .generatePrivate(new PKCS8EncodedKeySpec(encoded));
      if (belongTogether(privateKey, publicKey)) {
        SslContextBuilder context =
            SslContextBuilder.forServer(privateKey, certificates)
                .sslProvider(SslProvider.JDK)
                .sessionCacheSize(MAX_SESSIONS);
        if (clientCa.isPresent()) {
          context.trustManager(certificates(clientCa.get())).clientAuth(ClientAuth.REQUIRE);
        }
        return context.build();
      }
    } catch (GeneralSecurityException e) {
      // also a key for another algorithm
    }
    throw new IOException(key + " is not the key of the certificate in " + chain);
  }

  /** Returns what changes when one of the files is replaced or written. */
  List<Object> status() {
    List<Object> status = new ArrayList<>();
    for (Path file : Stream.concat(Stream.of(chain, key), clientCa.stream()).toList()) {
      try {
        status.addAll(Files.readAttributes(file, "size,lastModifiedTime,fileKey").values());
      } catch (IOException e) {
        status.add(e.getMessage());
      }
    }
    return status;
  }

  private static X509Certificate[] certificates(Path file) throws IOException {
    try {
      X509Certificate[] certificates =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(read(file)))
              .toArray(X509Certificate[]::new);
      if (certificates.length > 0) {
        return certificates;
      }
    } catch (CertificateException e) {
      // as without a certificate
    }
    throw new IOException(file + ": no certificate in PEM format");
  }

  private static byte[] read(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IOException(file + " is a directory, not a file in PEM format");
    }
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new IOException(file + ": " + Reason.of(e), e);
    }
  }

  private byte[] encodedKey() throws IOException {
    Matcher pem = PEM_KEY.matcher(new String(read(key), StandardCharsets.ISO_8859_1));
    if (!pem.find()) {
      throw new IOException(key + ": no private key in PEM format");
    }
    if (!pem.group(1).isEmpty()) {
      throw new IOException(
          "%s: the key is encrypted, or not in the format PKCS #8; to convert it: openssl pkcs8 -topk8 -nocrypt -in %s -out NEW"
              .formatted(key, key));
    }
    try {
      return Base64.getMimeDecoder().decode(pem.group(2));
    } catch (IllegalArgumentException e) {
      throw new IOException(key + ": the private key is damaged", e);
    }
  }

  private static boolean belongTogether(PrivateKey privateKey, PublicKey publicKey)
      throws GeneralSecurityException {
    String algorithm = publicKey.getAlgorithm();
    Signature signature =
        Signature.getInstance(
            switch (algorithm) {
              case "RSA", "DSA" -> "SHA256with" + algorithm;
              case "EC" -> "SHA256withECDSA";
              default -> algorithm;
            });
    byte[] text = {1};
    signature.initSign(privateKey);
    signature.update(text);
    byte[] signed = signature.sign();
    signature.initVerify(publicKey);
    signature.update(text);
    return signature.verify(signed);
  }
}
