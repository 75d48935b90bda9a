package org.jmmv.config;

import java.nio.file.Path;

/** How the agent and pmcd talk: the second half of a line in pmcd.conf. */
public sealed interface Transport {

  /** Standard input, and the output that the launcher kept safe. */
  record Pipe() implements Transport {}

  /**
   * An IPv4 socket on the loopback address.
   *
   * @param port 1 to 65535
   */
  record Inet(int port) implements Transport {}

  /**
   * An IPv6 socket on the loopback address.
   *
   * @param port 1 to 65535
   */
  record Inet6(int port) implements Transport {}

  /** A Unix domain socket. */
  record Unix(Path path) implements Transport {}
}
