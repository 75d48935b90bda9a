package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A pmproxy that a test starts for itself. */
final class Pmproxy implements AutoCloseable {
  private static final Path PMPROXY = Path.of("/usr/lib/pcp/bin/pmproxy");
  private static final String WITHOUT_KEY_SERVER =
      """
      [pmproxy]
      http.enabled = true
      redis.enabled = false
      [redis]
      enabled = false
      [resp]
      enabled = false
      """;

  private final Machine machine;
  private final int port;
  private final RunningProgram program;

  private Pmproxy(Machine machine, int port, RunningProgram program) {
    this.machine = machine;
    this.port = port;
    this.program = program;
  }

  /** Starts it without the key server that it keeps series in, and waits until it answers. */
  static Pmproxy start(Machine machine, TemporaryPcp pcp) {
    return start(machine, pcp, pcp.environment(), WITHOUT_KEY_SERVER);
  }

  /**
   * Starts it, and waits until it answers.
   *
   * @param lines its configuration
   */
  static Pmproxy start(
      Machine machine, TemporaryPcp pcp, Map<String, String> environment, String lines) {
    int port = PrivatePmcd.freePort();
    Path log = pcp.file("pmproxy.log");
    try {
      Path configuration = Files.writeString(pcp.file("pmproxy.conf"), lines);
      List<String> command =
          new ArrayList<>(List.of(PMPROXY.toString(), "-f", "-A", "-i", "127.0.0.1"));
      command.addAll(List.of("-c", configuration.toString(), "-p", Integer.toString(port)));
      command.addAll(List.of("-s", pcp.file("pmproxy.socket").toString(), "-l", log.toString()));
      machine.require(Need.PCP);
      machine.require(Need.PYTHON); // for requests
      RunningProgram program =
          RunningProgram.start(pcp, "pmproxy", machine.command(environment, command));
      program.await(
          "pmproxy answers",
          () -> TemporaryPcp.text(log),
          () -> LocalHttp.print(machine, port, List.of("/pmapi/")).status() == 0);
      return new Pmproxy(machine, port, program);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long pid() {
    return program.process().pid();
  }

  /** Returns the TCP port of 127.0.0.1 on which it listens. */
  int port() {
    return port;
  }

  /**
   * Sends a request of the REST API about a server, and prints the reply.
   *
   * @param request the path below {@code /pmapi/}, with at least one parameter
   */
  Shell.Result print(PcpServer server, String request) {
    return LocalHttp.print(machine, port, List.of(path(server, request)));
  }

  /** Sends the same, and returns the reply. */
  LocalHttp.Reply get(PcpServer server, String request) {
    return LocalHttp.get(machine, port, path(server, request));
  }

  private static String path(PcpServer server, String request) {
    return "/pmapi/" + request + "&hostspec=" + URLEncoder.encode(server.host(), UTF_8);
  }

  @Override
  public void close() {
    program.close();
  }
}
