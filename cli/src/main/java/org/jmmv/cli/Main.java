package org.jmmv.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.jmmv.config.AgentCommand;
import org.jmmv.config.AgentOptions;
import org.jmmv.config.PcpConfig;
import org.jmmv.config.Transport;
import org.jmmv.core.Catalog;
import org.jmmv.pmda.Agent;
import org.jmmv.pmda.PipeTransport;
import org.jmmv.pmda.SocketTransport;
import org.jmmv.reader.posix.PosixProcess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * The main class of the agent. Its exit status is 0 after pmcd has closed the connection and after
 * SIGTERM and SIGINT, and 1 after an error.
 */
public final class Main {
  private static final Logger LOG = LoggerFactory.getLogger(Main.class);

  private Main() {}

  /**
   * Runs the agent. The launcher {@code pmdajmmv} selects the JVM and its options.
   *
   * @param args the options, see {@link AgentCommand}
   */
  public static void main(String[] args) {
    Shutdown shutdown = new Shutdown();
    Runtime.getRuntime().addShutdownHook(shutdown);
    int status = 1;
    try {
      status = run(args, shutdown);
    } catch (IOException e) {
      LOG.error(e.getMessage());
    } catch (RuntimeException | Error e) { // otherwise the hook would exit with 0, as after SIGTERM
      LOG.error("the agent ends", e);
    }
    shutdown.exit(status);
  }

  private static int run(String[] args, Shutdown shutdown) throws IOException {
    CommandLine commandLine = AgentCommand.commandLine();
    try {
      ParseResult given = commandLine.parseArgs(args);
      if (given.isUsageHelpRequested()) {
        return print(commandLine::usage);
      }
      if (given.isVersionHelpRequested()) {
        return print(commandLine::printVersionHelp);
      }
      return serve(AgentCommand.options(given), shutdown);
    } catch (ParameterException e) {
      System.err.println(AgentCommand.refusal(e));
      return 1;
    }
  }

  /**
   * Prints to the launcher's standard output, which the launcher passes as descriptor 3; standard
   * output of this process is a copy of standard error.
   */
  private static int print(Consumer<PrintStream> text) throws IOException {
    PosixProcess.duplicate(PipeTransport.REPLY_DESCRIPTOR, 1);
    text.accept(System.out);
    System.out.flush();
    return 0;
  }

  private static int serve(AgentOptions options, Shutdown shutdown) throws IOException {
    PcpConfig config = PcpConfig.load(System.getenv());
    LogFile.open(options.log(), config);
    boolean onPipe = options.transport() instanceof Transport.Pipe;
    // before the change of the user, after which opening the pipe would fail
    PipeTransport pipe = onPipe ? PipeTransport.open() : null;
    Rights.drop(options.username(), config);
    Catalog catalog =
        new Catalog(
            options.domain(),
            config.path("PCP_TMP_DIR").resolve("mmv"),
            Optional.of(config.path("PCP_VAR_DIR").resolve("config/pmda/jmmv.clusters")),
            options.limits(),
            options.debug());
    Agent agent = new Agent(catalog, options.debug());
    boolean endedByPmcd = onPipe ? agent.serve(pipe) : serve(agent, options.transport(), shutdown);
    return endedByPmcd ? 0 : 1;
  }

  private static boolean serve(Agent agent, Transport transport, Shutdown shutdown)
      throws IOException {
    return switch (transport) {
      case Transport.Inet(int port) -> agent.serve(atPort("127.0.0.1", port), () -> {});
      case Transport.Inet6(int port) -> agent.serve(atPort("::1", port), () -> {});
      case Transport.Unix(Path path) ->
          agent.serve(
              new SocketTransport(UnixDomainSocketAddress.of(path)), () -> shutdown.deletes(path));
      case Transport.Pipe _ -> throw new IllegalArgumentException("the pipe is no socket");
    };
  }

  private static SocketTransport atPort(String address, int port) {
    return new SocketTransport(new InetSocketAddress(InetAddress.ofLiteral(address), port));
  }
}
