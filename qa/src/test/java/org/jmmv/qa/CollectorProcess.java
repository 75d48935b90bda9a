package org.jmmv.qa;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code jmmv serve}, which listens on a Unix domain socket and on a free port of 127.0.0.1. */
final class CollectorProcess implements AutoCloseable {
  private static final Pattern PORT =
      Pattern.compile("pminfo -h (?:pcps://)?127\\.0\\.0\\.1:(\\d+) mmv\n");

  private static final Pattern HTTP = Pattern.compile("(https?://127\\.0\\.0\\.1:\\d+/)\n");

  private final TemporaryPcp pcp;
  private final Path socket;
  private final Path output;
  private final Process process;

  private CollectorProcess(TemporaryPcp pcp, Path socket, Path output, Process process) {
    this.pcp = pcp;
    this.socket = socket;
    this.output = output;
    this.process = process;
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
    Path socket = pcp.file("collector.socket");
    Path output = pcp.file("collector.out");
    List<String> command =
        new ArrayList<>(
            List.of(
                AgentCommand.TOOL.toString(),
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--socket",
                socket.toString(),
                pcp.mmv().toString()));
    command.addAll(List.of(options));
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
      builder.environment().put("XDG_STATE_HOME", pcp.file("state").toString());
      builder.environment().putAll(environment);
      CollectorProcess collector = new CollectorProcess(pcp, socket, output, builder.start());
      collector.awaitListening();
      return collector;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts it so that it also listens for HTTP.
   *
   * @param port of 127.0.0.1, 0 for any that is free
   */
  static CollectorProcess withHttp(TemporaryPcp pcp, int port) {
    return start(pcp, "--http", "127.0.0.1:" + port);
  }

  private void awaitListening() {
    try {
      Await.until(
          "jmmv serve listens",
          this::output,
          () -> {
            if (!process.isAlive()) {
              throw new AssertionError("jmmv serve has ended\n" + output());
            }
            return PORT.matcher(output()).find();
          });
    } catch (AssertionError e) {
      close();
      throw e;
    }
  }

  /** Returns the server as clients on its Unix domain socket see it. */
  PcpServer onSocket() {
    return new PcpServer(new ThisMachine(), pcp.environment(), "unix://" + socket);
  }

  /** Returns the server as clients on TCP see it. */
  PcpServer onTcp() {
    return new PcpServer(new ThisMachine(), pcp.environment(), "127.0.0.1:" + port());
  }

  /** Returns the path of its Unix domain socket. */
  Path socket() {
    return socket;
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
    return UnixDomainSocketAddress.of(socket);
  }

  /** Returns whether it has not ended. */
  boolean isAlive() {
    return process.isAlive();
  }

  /** Returns its process ID. */
  long pid() {
    return process.pid();
  }

  /** Returns what it has written to standard output and standard error. */
  String output() {
    return TemporaryPcp.text(output);
  }

  /** Ends it with SIGTERM, and returns its exit status. */
  int stop() {
    process.destroy();
    return status();
  }

  /** Waits for its exit status. */
  int status() {
    return Await.exitStatus(process, this::output);
  }

  /** Kills it, so that its socket stays behind. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
  }
}
