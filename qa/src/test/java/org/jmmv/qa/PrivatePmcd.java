package org.jmmv.qa;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
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

  private final Map<String, String> environment;
  private final Path socket;
  private final int port;
  private final Path configuration;
  private final String ownAgents; // lines of the configuration
  private final Path log;
  private final Path agentLog;
  private final Process process;

  private PrivatePmcd(
      Map<String, String> environment,
      Path socket,
      int port,
      Path configuration,
      String ownAgents,
      Path log,
      Path agentLog,
      Process process) {
    this.environment = environment;
    this.socket = socket;
    this.port = port;
    this.configuration = configuration;
    this.ownAgents = ownAgents;
    this.log = log;
    this.agentLog = agentLog;
    this.process = process;
  }

  /** Starts a pmcd with this agent and waits until the agent answers. */
  static PrivatePmcd start(TemporaryPcp pcp, AgentCommand agent) {
    return start(pcp, agent, Map.of());
  }

  /** Does the same with additions to the environment of both processes. */
  static PrivatePmcd start(TemporaryPcp pcp, AgentCommand agent, Map<String, String> more) {
    return start(pcp, agent, more, PATIENCE_SECONDS);
  }

  /** Starts a pmcd that drops the agent when it has not answered for 5 s, as by default. */
  static PrivatePmcd startImpatient(TemporaryPcp pcp, AgentCommand agent) {
    return start(pcp, agent, Map.of(), DEFAULT_SECONDS);
  }

  private static PrivatePmcd start(
      TemporaryPcp pcp, AgentCommand agent, Map<String, String> more, int seconds) {
    Need.PCP.require();
    Path socket = pcp.file(agent.name() + ".socket");
    int port = freePort();
    Path log = pcp.file(agent.name() + ".pmcd.log");
    Path agentLog = pcp.file(agent.name() + ".log");
    try {
      String ownAgents =
          "pmcd 2 dso pmcd_init %s\nmmv 70 pipe binary %s\n"
              .formatted(ITS_METRICS, line(agent.with("-d", "70", "-l", agentLog.toString())));
      Path configuration = Files.writeString(pcp.file(agent.name() + ".conf"), ownAgents + ACCESS);
      ProcessBuilder builder =
          new ProcessBuilder(
                  PMCD.toString(),
                  "-f",
                  "-A",
                  "-t",
                  Integer.toString(seconds),
                  "-q", // for the first PDU of an agent, which comes when its process has started
                  Integer.toString(PATIENCE_SECONDS),
                  "-c",
                  configuration.toString(),
                  "-n",
                  pcp.names().toString(),
                  "-s",
                  socket.toString(),
                  "-i",
                  "127.0.0.1",
                  "-p",
                  Integer.toString(port),
                  "-l",
                  log.toString(),
                  "-x",
                  log.toString())
              .redirectErrorStream(true)
              .redirectOutput(pcp.file(agent.name() + ".pmcd.out").toFile());
      builder.environment().putAll(pcp.environment());
      builder.environment().putAll(more);
      PrivatePmcd pmcd =
          new PrivatePmcd(
              pcp.environment(),
              socket,
              port,
              configuration,
              ownAgents,
              log,
              agentLog,
              builder.start());
      pmcd.awaitAgent();
      return pmcd;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Puts the line of one more agent into the configuration, in the place of the last such line. */
  void setOtherAgent(String line) {
    try {
      Files.writeString(configuration, ownAgents + line + '\n' + ACCESS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Shell.run(Map.of(), List.of("kill", "-HUP", Long.toString(process.pid()))).outOfSuccess();
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

  private void awaitAgent() {
    try {
      Await.until(
          "pmcd and its agent answer",
          this::logs,
          () -> {
            if (!process.isAlive()) {
              throw new AssertionError("pmcd has ended\n" + logs());
            }
            return pminfo("-f", "mmv.control.reload").out().contains("value 0");
          });
    } catch (AssertionError e) {
      close();
      throw e;
    }
  }

  /** Returns both logs, for messages. */
  String logs() {
    return "--- pmcd.log\n" + log() + "--- mmv.log\n" + agentLog();
  }

  /** Returns pmcd's log. */
  String log() {
    return TemporaryPcp.text(log);
  }

  /** Returns the agent's log. */
  String agentLog() {
    return TemporaryPcp.text(agentLog);
  }

  /** Returns pmcd's process. */
  ProcessHandle process() {
    return process.toHandle();
  }

  /** Returns the agent's process. */
  ProcessHandle agent() {
    return process.children().findFirst().orElseThrow();
  }

  /** Returns the server as clients on its Unix domain socket see it. */
  PcpServer onSocket() {
    return new PcpServer(new ThisMachine(), environment, "unix://" + socket);
  }

  /** Returns the server as clients on TCP see it. */
  PcpServer onTcp() {
    return new PcpServer(new ThisMachine(), environment, "127.0.0.1:" + port);
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
    List<ProcessHandle> agents = process.children().toList();
    process.destroy();
    Await.until(
        "pmcd and its agent end",
        this::logs,
        () -> !process.isAlive() && agents.stream().noneMatch(ProcessHandle::isAlive));
  }

  /** Kills pmcd and removes its socket, so that another one can start in its place. */
  void kill() {
    process.destroyForcibly().onExit().join();
    try {
      Files.delete(socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    List<ProcessHandle> agents = process.children().toList();
    try {
      stop();
    } finally {
      agents.forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
