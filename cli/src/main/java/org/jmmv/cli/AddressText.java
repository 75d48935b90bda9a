package org.jmmv.cli;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import org.jmmv.serving.ThisHost;

/** Texts for addresses at which {@code jmmv serve} listens. */
final class AddressText {
  private AddressText() {}

  /** Returns an address with its port, or the absolute path of a socket. */
  static String shown(SocketAddress address) {
    return switch (address) {
      case UnixDomainSocketAddress socket -> socket.getPath().toAbsolutePath().toString();
      case InetSocketAddress ip -> shown(ip.getAddress().getHostAddress()) + ":" + ip.getPort();
      default -> throw new IllegalStateException(address.toString());
    };
  }

  private static String shown(String ip) {
    return ip.contains(":") ? "[" + ip.replaceFirst("(^|:)0(:0)+(:|$)", "::") + "]" : ip;
  }

  /**
   * Returns what clients of PCP call an address: by the name of this host if others can connect.
   */
  static String toAsk(SocketAddress address, boolean hasTls) {
    if (!(address instanceof InetSocketAddress ip)) {
      return "unix://" + shown(address);
    }
    return (hasTls ? "pcps://" : "") + reachable(ip);
  }

  /** Returns how to ask with HTTP. */
  static String toBrowse(SocketAddress address, boolean hasTls) {
    String scheme = hasTls ? "https" : "http";
    return address instanceof InetSocketAddress ip
        ? scheme + "://" + reachable(ip) + "/"
        : "curl --unix-socket %s %s://localhost/".formatted(shown(address), scheme);
  }

  /** Returns an address at which other hosts can connect, if any can. */
  private static String reachable(InetSocketAddress ip) {
    return ip.getAddress().isAnyLocalAddress()
        ? ThisHost.hostname() + ":" + ip.getPort()
        : shown(ip);
  }
}
