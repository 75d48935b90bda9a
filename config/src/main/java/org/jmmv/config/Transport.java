package org.jmmv.config;

import java.nio.file.Path;

/**
 * The kind of connection between pmcd and the agent. pmcd(1) describes how a line of pmcd.conf
 * selects it.
 */
public sealed interface Transport {

  /**
   * A pipe: requests on standard input, replies on descriptor 3, where the launcher puts its own
   * standard output.
   */
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

  /**
   * A Unix domain socket.
   *
   * @param path the path of the socket's file
   */
  record Unix(Path path) implements Transport {}
}
