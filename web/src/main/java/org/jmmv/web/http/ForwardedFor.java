package org.jmmv.web.http;

import io.netty.handler.codec.http.HttpHeaders;
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
   * Returns the address of the client: the last one that is not that of a trusted proxy, or that of
   * the proxy that does not name its client.
   *
   * @param peer the other end of the connection
   */
  static InetAddress client(InetAddress peer, HttpHeaders headers, SiteRules rules) {
    InetAddress client = peer;
    List<String> before = List.of(String.join(",", headers.getAll(HEADER)).split(",", -1));
    for (int i = before.size() - 1; i >= 0 && rules.trusts(client); i--) {
      Optional<InetAddress> named = address(before.get(i).strip());
      if (named.isEmpty()) {
        break;
      }
      client = named.get();
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
