package org.jmmv.serving;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Path;
import javax.net.ssl.SSLException;

/**
 * A certificate for TLS.
 *
 * @param chain a PEM file with the certificate, followed by those of its issuers
 * @param key a PEM file with the private key, in the format PKCS #8 and not encrypted
 */
public record Certificate(Path chain, Path key) {
  /** The sessions that can be resumed; by default 20,480, which clients could fill with garbage. */
  private static final int MAX_SESSIONS = 256;

  /**
   * Reads the files.
   *
   * @throws IOException if they can't be read, or are not what they should be
   */
  public SslContext load() throws IOException {
    try {
      return SslContextBuilder.forServer(chain.toFile(), key.toFile())
          .sslProvider(SslProvider.JDK)
          .sessionCacheSize(MAX_SESSIONS)
          .build();
    } catch (SSLException | IllegalArgumentException e) {
      Throwable reason = e.getCause() == null ? e : e.getCause();
      throw new IOException(chain + ", " + key + ": " + reason.getMessage(), e);
    }
  }
}
