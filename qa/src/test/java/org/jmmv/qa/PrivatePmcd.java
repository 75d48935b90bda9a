package org.jmmv.qa;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A pmcd that a test starts for itself, with one agent on a pipe, and others if a test asks for
 * them. Its clients connect to a Unix domain socket, so that they can't reach the machine's own
 * pmcd. It does not have to run as root.
 */
final class PrivatePmcd implements AutoCloseable {
  private static final Path PMCD = Path.of("/usr/lib/pcp/bin/pmcd");
  private static final String ACCESS = "\n[access]\nallow \"local:*\" : all;\n";

  /** How long pmcd waits for its agent. Its default of 5 s is short on a busy machine. */
  private static final int PATIENCE_SECONDS = 240;

  private static final int DEFAULT_SECONDS = 5;
  private static final Path ITS_METRICS = Path.of("/var/lib/pcp/pmdas/pmcd/pmda_pmcd.so");

  private final TemporaryPcp pcp;
  private final String name;
  private final int port = freePort();
  private final String ownAgents; // lines of the configuration
  private final RunningProgram program;

  private PrivatePmcd(TemporaryPcp pcp, AgentCommand agent, int seconds) {
    this.pcp = pcp;
    name = agent.name();
    ownAgents =
        "pmcd 2 dso pmcd_init %s\nmmv 70 pipe binary %s\n"
            .formatted(ITS_METRICS, line(agent.with("-d", "70", "-l", file("log").toString())));
    configure("");
    List<String> command = new ArrayList<>(List.of(PMCD.toString(), "-f", "-A"));
    command.addAll(List.of("-t", Integer.toString(seconds)));
    // for the first PDU of an agent, which comes when its process has started
    command.addAll(List.of("-q", Integer.toString(PATIENCE_SECONDS)));
    command.addAll(List.of("-c", file("conf").toString(), "-n", pcp.names().toString()));
    command.addAll(List.of("-s", file("socket").toString()));
    command.addAll(List.of("-i", "127.0.0.1", "-p", Integer.toString(port)));
    String log = file("pmcd.log").toString();
    command.addAll(List.of("-l", log, "-x", log));
    program = RunningProgram.start(pcp, name + ".pmcd", command);
    program.await(
        "pmcd and its agent answer",
        this::logs,
        () -> pminfo("-f", "mmv.control.reload").out().contains("value 0"));
  }

  /** Starts a pmcd with this agent and waits until the agent answers. */
  static PrivatePmcd start(TemporaryPcp pcp, AgentCommand agent) {
    Need.PCP.require();
    return new PrivatePmcd(pcp, agent, PATIENCE_SECONDS);
  }

  /** Starts a pmcd that drops the agent when it has not answered for 5 s, as by default. */
  static PrivatePmcd startImpatient(TemporaryPcp pcp, AgentCommand agent) {
    Need.PCP.require();
    return new PrivatePmcd(pcp, agent, DEFAULT_SECONDS);
  }

  private Path file(String suffix) {
    return pcp.file(name + "." + suffix);
  }

  private void configure(String otherAgent) {
    try {
      Files.writeString(file("conf"), ownAgents + otherAgent + ACCESS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Puts the line of one more agent into the configuration, in the place of the last such line. */
  void setOtherAgent(String line) {
    configure(line + '\n');
    Shell.run(Map.of(), List.of("kill", "-HUP", Long.toString(process().pid()))).outOfSuccess();
  }

  /** Returns the command of an agent as pmcd's configuration has it. */
  static String line(AgentCommand agent) {
    return agent.words().stream().map(word -> '"' + word + '"').collect(Collectors.joining(" "));
  }

  /** Returns a free TCP port. Pmcd needs one, but runs on if another process takes it first. */
  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns both logs, for messages. */
  String logs() {
    return "--- pmcd.log\n" + log() + "--- mmv.log\n" + agentLog();
  }

  /** Returns pmcd's log. */
  String log() {
    return TemporaryPcp.text(file("pmcd.log"));
  }

  /** Returns the agent's log. */
  String agentLog() {
    return TemporaryPcp.text(file("log"));
  }

  /** Returns pmcd's process. */
  ProcessHandle process() {
    return program.process();
  }

  /** Returns the agent's process. */
  ProcessHandle agent() {
    return process().children().findFirst().orElseThrow();
  }

  /** Returns the server as clients on its Unix domain socket see it. */
  PcpServer onSocket() {
    return new PcpServer(new ThisMachine(), pcp.environment(), "unix://" + file("socket"));
  }

  /** Returns the server as clients on TCP see it. */
  PcpServer onTcp() {
    return new PcpServer(new ThisMachine(), pcp.environment(), "127.0.0.1:" + port);
  }

  /** Runs one of PCP's clients against this pmcd. */
  Shell.Result client(String program, String... arguments) {
    return onSocket().client(program, arguments);
  }

  /** Returns the command that runs one of PCP's clients against this pmcd. */
  List<String> command(String program, String... arguments) {
    return onSocket().command(program, arguments);
  }

  Shell.Result pminfo(String... arguments) {
    return client("pminfo", arguments);
  }

  /** Ends pmcd with SIGTERM, and waits until pmcd and its agent have ended. */
  void stop() {
    List<ProcessHandle> agents = process().children().toList();
    program.stop();
    Await.until(
        "its agent ends", this::logs, () -> agents.stream().noneMatch(ProcessHandle::isAlive));
  }

  /** Kills pmcd and removes its socket, so that another one can start in its place. */
  void kill() {
    program.close();
    try {
      Files.delete(file("socket"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    List<ProcessHandle> agents = process().children().toList();
    try {
      stop();
    } finally {
      agents.forEach(ProcessHandle::destroyForcibly);
      program.close();
    }
  }
}
