package org.jmmv.web.http;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says who asks, if a proxy passes on the request: each proxy appends the address of its client to
 * the header X-Forwarded-For. The header Forwarded (RFC 7239) does not count: a proxy that does not
 * know it passes on what its client has written.
 */
final class ForwardedFor {
  private static final String HEADER = "x-forwarded-for";

  /** An address; some proxies add the port. */
  private static final Pattern ADDRESS =
      Pattern.compile("\\[([^]]*)](?::\\d+)?|([\\d.]+)(?::\\d+)?|([^\\[\\]]+)");

  private ForwardedFor() {}

  /**
   * Returns the address of the client: the last one that is not that of a trusted proxy. A proxy
   * that does not write the header asks for itself.
   *
   * @param peer the other end of the connection
   * @throws Failure if a trusted proxy names no address
   */
  static InetAddress client(InetAddress peer, HttpHeaders headers, SiteRules rules) throws Failure {
    InetAddress client = peer;
    List<String> lines = headers.getAll(HEADER); // each proxy may have added one
    List<String> before = lines.isEmpty() ? lines : List.of(String.join(",", lines).split(",", -1));
    for (int i = before.size() - 1; i >= 0 && rules.trusts(client); i--) {
      client =
          address(before.get(i).strip())
              .orElseThrow(() ->
                  new Failure(
                      HttpResponseStatus.FORBIDDEN,
                      "a proxy does not say in X-Forwarded-For at which address its client is"));
    }
    return client;
  }

  private static Optional<InetAddress> address(String text) {
    Matcher parts = ADDRESS.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    String literal =
        parts.group(1) != null
            ? parts.group(1)
            : parts.group(2) != null ? parts.group(2) : parts.group(3);
    byte[] bytes = NetUtil.createByteArrayFromIpAddressString(literal);
    try {
      return bytes == null ? Optional.empty() : Optional.of(InetAddress.getByAddress(bytes));
    } catch (UnknownHostException e) { // not of 4 or 16 bytes
      return Optional.empty();
    }
  }
}
