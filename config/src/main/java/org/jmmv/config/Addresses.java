package org.jmmv.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jmmv.pcp.Network;
import org.jmmv.posix.PosixProcess;

/** Converts addresses, hosts and networks, as {@link Converters} does. */
public final class Addresses {
  private static final int MAX_PORT = 65_535; // of TCP
  private static final String NOWHERE = "none";
  private static final String LOCALHOST = "localhost";
  private static final String UNIX = "unix:";
  private static final InetAddress IPV6_LOOPBACK = InetAddress.ofLiteral("::1");
  private static final Pattern HOST = Pattern.compile("[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?|\\*");
  private static final Pattern IPV4 = Pattern.compile("(0|[1-9]\\d*)(\\.(0|[1-9]\\d*)){3}");

  /** Without the zone of an IPv6 address, which {@link Network} does not compare. */
  private static final Pattern NETWORK = Pattern.compile("([0-9a-fA-F:.]+)(?:/([0-9]{1,3}))?");

  private Addresses() {}

  /** Returns a port of an address, given as a number or as the name of a TCP service. */
  static SocketAddress ofPort(String address, String text) {
    OptionalInt number = Converters.number(text, MAX_PORT);
    int port =
        (number.isPresent() ? number : PosixProcess.servicePort(text))
            .orElseThrow(() ->
                Converters.wrong("a port from 1 to " + MAX_PORT + ", or a TCP service", text));
    return new InetSocketAddress(InetAddress.ofLiteral(address), port);
  }

  /** Returns the addresses for clients of PCP that a text stands for: none, one or several. */
  public static List<SocketAddress> pcp(String text) {
    return text.equals(NOWHERE)
        ? List.of()
        : inet(
            text,
            "an IP address and port such as 0.0.0.0:44321, localhost:44321 or :44321, or none");
  }

  /** Returns the addresses for clients of HTTP that a text stands for, at least one. */
  public static List<SocketAddress> http(String text) {
    return text.startsWith(UNIX)
        ? List.of(UnixDomainSocketAddress.of(Converters.file(text.substring(UNIX.length()))))
        : inet(
            text,
            "an address and port such as 127.0.0.1:9464, localhost:9464 or :9464, or unix: and a"
                + " path");
  }

  private static List<SocketAddress> inet(String text, String wanted) {
    int colon = text.lastIndexOf(':');
    String host = text.substring(0, Math.max(0, colon));
    String port = text.substring(colon + 1);
    if (host.equals(LOCALHOST)) {
      return localhost(port(port));
    }
    InetAddress address;
    try {
      address = colon == 0 ? anyAddress() : literal(host);
    } catch (IllegalArgumentException e) {
      throw Converters.wrong(wanted, text);
    }
    return List.of(new InetSocketAddress(address, port(port)));
  }

  /**
   * Returns a port of the loopback addresses that this machine has: a container may be without
   * IPv6.
   */
  public static List<SocketAddress> localhost(int port) {
    return Stream.of(InetAddress.ofLiteral("127.0.0.1"), IPV6_LOOPBACK)
        .filter(Addresses::isOfThisMachine)
        .<SocketAddress>map(loopback -> new InetSocketAddress(loopback, port))
        .toList();
  }

  /** Returns the address that stands for all of this machine: that of IPv6 includes IPv4. */
  private static InetAddress anyAddress() {
    return InetAddress.ofLiteral(isOfThisMachine(IPV6_LOOPBACK) ? "::" : "0.0.0.0");
  }

  private static boolean isOfThisMachine(InetAddress address) {
    try {
      return NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return false;
    }
  }

  private static int port(String text) {
    return text.equals("0")
        ? 0
        : Converters.number(text, MAX_PORT)
            .orElseThrow(() ->
                Converters.wrong(
                    "a port from 1 to %d, or 0 for a free one".formatted(MAX_PORT), text));
  }

  /** Returns a name of this host for {@link HttpSettings#hosts}. */
  public static String host(String text) {
    String name = text.toLowerCase(Locale.ROOT);
    if (!HOST.matcher(name).matches()) {
      throw Converters.wrong(
          "a name of this host such as metrics.example.com, without a port, or * for any", text);
    }
    return name;
  }

  /** Returns a network, or that of a single address. */
  public static Network network(String text) {
    Matcher parts = NETWORK.matcher(text);
    if (parts.matches()) {
      try {
        InetAddress address = literal(parts.group(1));
        int max = address.getAddress().length * Byte.SIZE;
        int bits = parts.group(2) == null ? max : Integer.parseInt(parts.group(2));
        if (bits <= max) {
          return new Network(address, bits);
        }
      } catch (IllegalArgumentException e) {
        // rejected below
      }
    }
    throw Converters.wrong(
        "a network such as 192.0.2.0/24 or 2001:db8::/32, or an address in full", text);
  }

  /**
   * Returns an address. Unlike {@link InetAddress#ofLiteral}, it does not accept short forms of
   * IPv4 addresses, such as 1.2.3 for 1.2.0.3, and no leading zeros, which mean octal elsewhere.
   *
   * @throws IllegalArgumentException if it is no address
   */
  private static InetAddress literal(String text) {
    if (!text.contains(":") && !IPV4.matcher(text).matches()) {
      throw new IllegalArgumentException(text);
    }
    return InetAddress.ofLiteral(text);
  }
}
