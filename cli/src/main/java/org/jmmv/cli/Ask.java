package org.jmmv.cli;

import static org.jmmv.pcp.Printable.printable;

import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Collection;
import org.jmmv.cli.command.Command;
import org.jmmv.web.Probe;

/** The option {@code --ask} of {@code jmmv serve}, for the probes of containers. */
final class Ask {
  private Ask() {}

  /**
   * Asks a server, and prints its answer.
   *
   * @param what the last part of a path below {@code /-/}
   * @param addresses where the server listens for clients of HTTP
   * @param hasTls whether it speaks HTTPS
   * @throws IOException if the addresses do not say where it can be asked
   */
  static int run(String what, Collection<SocketAddress> addresses, boolean hasTls, Writer out)
      throws IOException {
    SocketAddress server =
        addresses.stream()
            .filter(address -> !(address instanceof InetSocketAddress ip) || ip.getPort() != 0)
            .findFirst()
            .orElseThrow(() ->
                new IOException(
                    "--ask needs to know where the server listens: the same --http as that of the"
                        + " server, not with port 0, or http.listen in jmmv.toml"));
    try {
      Probe.Answer answer = Probe.get(local(server), hasTls, "/-/" + what);
      out.write(printable(answer.text()) + "\n");
      return answer.isGood() ? Command.GOOD : Command.FAULTY;
    } catch (IOException e) {
      out.write("no answer: " + printable(String.valueOf(e.getMessage())) + "\n");
      return Command.FAULTY; // not another one: to Docker, that is the only one
    }
  }

  /** Returns a loopback address for one that stands for all; [::] includes IPv4. */
  private static SocketAddress local(SocketAddress address) {
    return address instanceof InetSocketAddress ip && ip.getAddress().isAnyLocalAddress()
        ? new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), ip.getPort())
        : address;
  }
}
