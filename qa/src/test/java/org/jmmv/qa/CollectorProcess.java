package org.jmmv.qa;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code jmmv serve}, which listens on a Unix domain socket and on a free port of 127.0.0.1. */
final class CollectorProcess implements AutoCloseable {
  private static final String SOCKET = "collector.socket";
  private static final Pattern PORT =
      Pattern.compile("pminfo -h (?:pcps://)?127\\.0\\.0\\.1:(\\d+) mmv\n");

  private static final Pattern HTTP = Pattern.compile("(https?://127\\.0\\.0\\.1:\\d+/)\n");

  private final TemporaryPcp pcp;
  private final RunningProgram program;

  private CollectorProcess(TemporaryPcp pcp, RunningProgram program) {
    this.pcp = pcp;
    this.program = program;
  }

  /** Starts it over the directory of the MMV files, and waits until it listens. */
  static CollectorProcess start(TemporaryPcp pcp, String... options) {
    return start(pcp, Map.of(), options);
  }

  /**
   * Starts it as {@link #start(TemporaryPcp, String...)} does.
   *
   * @param environment further environment variables
   */
  static CollectorProcess start(
      TemporaryPcp pcp, Map<String, String> environment, String... options) {
    List<String> command =
        new ArrayList<>(
            List.of(
                AgentCommand.TOOL.toString(),
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--socket",
                pcp.file(SOCKET).toString(),
                pcp.mmv().toString()));
    command.addAll(List.of(options));
    Map<String, String> all = new HashMap<>(environment);
    all.put("XDG_STATE_HOME", pcp.file("state").toString());
    RunningProgram program = RunningProgram.start(pcp, "collector", all, command);
    program.await("it listens", () -> "", () -> PORT.matcher(program.output()).find());
    return new CollectorProcess(pcp, program);
  }

  /**
   * Starts it so that it also listens for HTTP.
   *
   * @param port of 127.0.0.1, 0 for any that is free
   */
  static CollectorProcess withHttp(TemporaryPcp pcp, int port) {
    return start(pcp, "--http", "127.0.0.1:" + port);
  }

  /** Returns the server as clients on its Unix domain socket see it. */
  PcpServer onSocket() {
    return new PcpServer(new ThisMachine(), pcp.environment(), "unix://" + pcp.file(SOCKET));
  }

  /** Returns the server as clients on TCP see it. */
  PcpServer onTcp() {
    return new PcpServer(new ThisMachine(), pcp.environment(), "127.0.0.1:" + port());
  }

  /** Returns its TCP port, which it has chosen and printed. */
  int port() {
    Matcher printed = PORT.matcher(output());
    if (!printed.find()) {
      throw new AssertionError("no port in " + output());
    }
    return Integer.parseInt(printed.group(1));
  }

  /** Returns where it listens for clients of HTTP, if it was started with {@code --http}. */
  URI http() {
    Matcher printed = HTTP.matcher(output());
    if (!printed.find()) {
      throw new AssertionError("no address for HTTP in " + output());
    }
    return URI.create(printed.group(1));
  }

  /** Returns its address on TCP. */
  SocketAddress tcpAddress() {
    return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port());
  }

  /** Returns the address of its Unix domain socket. */
  SocketAddress socketAddress() {
    return UnixDomainSocketAddress.of(pcp.file(SOCKET));
  }

  /** Returns whether it has not ended. */
  boolean isAlive() {
    return program.isRunning();
  }

  /** Returns its process ID. */
  long pid() {
    return program.process().pid();
  }

  /** Returns what it has written to standard output and standard error. */
  String output() {
    return program.output();
  }

  /** Ends it with SIGTERM, and returns its exit status. */
  int stop() {
    return program.stop();
  }

  /** Waits for its exit status. */
  int status() {
    return program.status();
  }

  /** Kills it, so that its socket stays behind. */
  @Override
  public void close() {
    program.close();
  }
}
