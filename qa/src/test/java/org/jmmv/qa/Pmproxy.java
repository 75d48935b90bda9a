package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A pmproxy that a test starts for itself, without the key server that it keeps series in. */
final class Pmproxy implements AutoCloseable {
  private static final Path PMPROXY = Path.of("/usr/lib/pcp/bin/pmproxy");

  // Python, because the containers do not have curl. To a client that asks it to close the
  // connection,
  // as urllib does, pmproxy does not send all of a long reply.
  private static final String GET =
      """
      import http.client, sys
      connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=10)
      connection.request("GET", sys.argv[2])
      reply = connection.getresponse()
      sys.stdout.buffer.write(b"%d %s\\n" % (reply.status, reply.read()))
      """;

  private final Machine machine;
  private final int port;
  private final Path log;
  private final Process process;

  private Pmproxy(Machine machine, int port, Path log, Process process) {
    this.machine = machine;
    this.port = port;
    this.log = log;
    this.process = process;
  }

  /** Starts it, and waits until it answers. */
  static Pmproxy start(Machine machine, TemporaryPcp pcp) {
    int port = PrivatePmcd.freePort();
    Path log = pcp.file("pmproxy.log");
    try {
      Path configuration =
          Files.writeString(
              pcp.file("pmproxy.conf"),
              """
              [pmproxy]
              http.enabled = true
              redis.enabled = false
              [redis]
              enabled = false
              [resp]
              enabled = false
              """);
      List<String> command =
          new ArrayList<>(List.of(PMPROXY.toString(), "-f", "-A", "-i", "127.0.0.1"));
      command.addAll(List.of("-c", configuration.toString(), "-p", Integer.toString(port)));
      command.addAll(List.of("-s", pcp.file("pmproxy.socket").toString(), "-l", log.toString()));
      machine.require(Need.PCP);
      machine.require(Need.PYTHON); // for requests
      Process process =
          new ProcessBuilder(machine.command(pcp.environment(), command))
              .redirectErrorStream(true)
              .redirectOutput(pcp.file("pmproxy.out").toFile())
              .start();
      Pmproxy pmproxy = new Pmproxy(machine, port, log, process);
      pmproxy.awaitAnswer();
      return pmproxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitAnswer() {
    try {
      Await.until(
          "pmproxy answers", () -> TemporaryPcp.text(log), () -> get("/pmapi/").status() == 0);
    } catch (AssertionError e) {
      close();
      throw e;
    }
  }

  long pid() {
    return process.pid();
  }

  /** Returns the TCP port of 127.0.0.1 on which it listens. */
  int port() {
    return port;
  }

  private Shell.Result get(String path) {
    return get(machine, port, path);
  }

  /** Sends a request to a server on 127.0.0.1, and returns the status and the body of the reply. */
  static Shell.Result get(Machine machine, int port, String path) {
    return machine.run("/usr/bin/python3", "-c", GET, Integer.toString(port), path);
  }

  /**
   * Sends a request of the REST API about a server.
   *
   * @param request the path below {@code /pmapi/}, with at least one parameter
   */
  Shell.Result get(PcpServer server, String request) {
    return get("/pmapi/" + request + "&hostspec=" + URLEncoder.encode(server.host(), UTF_8));
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
