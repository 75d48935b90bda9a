package org.jmmv.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.jmmv.config.AgentCommand;
import org.jmmv.config.AgentOptions;
import org.jmmv.config.PcpConfig;
import org.jmmv.core.Adoption;
import org.jmmv.core.Catalog;
import org.jmmv.pmda.Agent;
import org.jmmv.pmda.PipeTransport;
import org.jmmv.pmda.SocketTransport;
import org.jmmv.reader.Limits;
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

  /** In {@code $PCP_VAR_DIR}. */
  private static final String CLUSTERS = "config/pmda/jmmv.clusters";

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
    } finally { // also if the log can't be written
      shutdown.exit(status);
    }
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
      AgentOptions options = AgentCommand.options(given);
      if (options.socket().isEmpty() && options.adopt().isEmpty() && isOnTerminal()) {
        System.err.println(
            "pmdajmmv: pmcd starts this program and speaks to it over a pipe, but standard input or"
                + " output is a terminal. Install makes pmcd start it: see pmdajmmv(1); jmmv(1)"
                + " shows MMV files without pmcd");
        return 1;
      }
      return run(options, shutdown);
    } catch (ParameterException e) {
      System.err.println(AgentCommand.refusal(e));
      return 1;
    }
  }

  private static boolean isOnTerminal() {
    return PosixProcess.isTerminal(0) || PosixProcess.isTerminal(PipeTransport.REPLY_DESCRIPTOR);
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

  private static int run(AgentOptions options, Shutdown shutdown) throws IOException {
    PcpConfig config = PcpConfig.load(System.getenv());
    LogFile.open(options.log(), config);
    return options.adopt().isPresent()
        ? adopt(options.adopt().get(), options, config)
        : serve(options, config, shutdown);
  }

  private static Limits limits(AgentOptions options) {
    int mappings = PosixProcess.maxMappings();
    Limits limits = options.limits().within(mappings);
    if (limits.files() < options.limits().files()) {
      LOG.warn(
          "at most {} files are served, not {} (--max-files): a process can have only {} mappings;"
              + " sysctl vm.max_map_count permits more",
          limits.files(),
          options.limits().files(),
          mappings);
    }
    return limits;
  }

  private static int adopt(Path pminfo, AgentOptions options, PcpConfig config) throws IOException {
    Path clusters = config.requiredPath("PCP_VAR_DIR").resolve(CLUSTERS);
    // opened before the change of the user, who need not be able to
    try (BufferedReader lines = Files.newBufferedReader(pminfo, ISO_8859_1)) {
      Rights.drop(options.username(), config);
      Adoption.adopt(lines, options.domain(), directory(config), clusters, limits(options));
    }
    return 0;
  }

  private static Path directory(PcpConfig config) throws IOException {
    return config.requiredPath("PCP_TMP_DIR").resolve("mmv");
  }

  private static int serve(AgentOptions options, PcpConfig config, Shutdown shutdown)
      throws IOException {
    Optional<SocketAddress> socket = options.socket();
    // before the change of the user, after which opening the pipe would fail
    PipeTransport pipe = socket.isEmpty() ? PipeTransport.open() : null;
    Rights.drop(options.username(), config);
    Catalog catalog =
        new Catalog(
            options.domain(),
            config.version(),
            directory(config),
            config.path("PCP_VAR_DIR").map(dir -> dir.resolve(CLUSTERS)),
            limits(options),
            options.debug());
    Agent agent = new Agent(catalog, options.debug());
    boolean endedByPmcd =
        pipe != null
            ? agent.serve(pipe)
            : agent.serve(new SocketTransport(socket.orElseThrow()), shutdown::runs);
    return endedByPmcd ? 0 : 1;
  }
}
