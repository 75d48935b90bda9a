package org.jmmv.config;

import java.nio.file.Path;

/** The connection between pmcd and the agent, as a line of pmcd.conf names it: pmcd(1). */
public sealed interface Transport {

  /** Requests on standard input, replies on the descriptor that the launcher passes. */
  record Pipe() implements Transport {}

  /**
   * A TCP port of the IPv4 loopback address.
   *
   * @param port 1 to 65535
   */
  record Inet(int port) implements Transport {}

  /**
   * A TCP port of the IPv6 loopback address.
   *
   * @param port 1 to 65535
   */
  record Inet6(int port) implements Transport {}

  /** A Unix domain socket. */
  record Unix(Path path) implements Transport {}
}
