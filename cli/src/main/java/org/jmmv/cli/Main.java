package org.jmmv.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jmmv.cli.catalog.ToolCatalog;
import org.jmmv.config.AgentCommand;
import org.jmmv.config.AgentOptions;
import org.jmmv.config.PcpConfig;
import org.jmmv.config.Settings;
import org.jmmv.config.SettingsException;
import org.jmmv.config.SettingsFile;
import org.jmmv.core.Adoption;
import org.jmmv.core.Catalog;
import org.jmmv.core.SettingsSource;
import org.jmmv.pmda.Agent;
import org.jmmv.pmda.PipeTransport;
import org.jmmv.pmda.SocketTransport;
import org.jmmv.posix.PosixProcess;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.reader.watch.Limit;
import org.jmmv.reader.watch.Limits;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * The main class of the agent. Its exit status is 0 after pmcd has closed the connection and after
 * SIGTERM and SIGINT, and 1 after an error. SIGHUP makes the agent read its settings and all files
 * again.
 */
public final class Main {
  private static final Logger LOG = LoggerFactory.getLogger(Main.class);

  /** How long {@code --adopt} reads files. */
  private static final Duration ADOPTION_TIME = Duration.ofSeconds(30);

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
      return run(given, shutdown);
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

  private static int run(ParseResult given, Shutdown shutdown) throws IOException {
    PcpConfig config = PcpConfig.load(System.getenv());
    String name = AgentCommand.name(given);
    Optional<String> toCheck = AgentCommand.fileToCheck(given);
    if (toCheck.isPresent()) {
      return check(toCheck.get(), name, config);
    }
    Optional<SettingsFile> file =
        config.path("PCP_SYSCONF_DIR").map(dir -> SettingsFile.of(dir, name));
    Settings settings;
    try {
      settings = file.isPresent() ? file.get().read() : Settings.DEFAULT;
    } catch (SettingsException e) {
      refuse(e, AgentCommand.options(given, Settings.DEFAULT), config);
      return 1;
    }
    AgentOptions options = AgentCommand.options(given, settings);
    if (options.socket().isEmpty() && options.adopt().isEmpty() && isOnTerminal()) {
      System.err.println(
          "pmdajmmv: pmcd starts this program and speaks to it over a pipe, but standard input or"
              + " output is a terminal. Install makes pmcd start it: see pmdajmmv(1); jmmv(1) shows"
              + " MMV files without pmcd");
      return 1;
    }
    LogFile.open(options.log(), options.name(), config);
    if (options.adopt().isPresent()) {
      return adopt(options.adopt().get(), options, config);
    }
    Optional<SettingsWatch> watch =
        file.map(settingsFile -> new SettingsWatch(settingsFile, given, settings, options));
    return serve(options, watch, config, shutdown);
  }

  /** Reports the errors of the settings file on standard error and in the log. */
  private static void refuse(SettingsException wrong, AgentOptions options, PcpConfig config) {
    wrong.lines().forEach(line -> System.err.println("pmdajmmv: " + line));
    if (LogFile.open(options.log(), options.name(), config)) {
      wrong.lines().forEach(LOG::error);
    }
  }

  /**
   * Checks a settings file.
   *
   * @param given the file; empty: the one that the agent reads
   * @param agent the agent's name
   */
  private static int check(String given, String agent, PcpConfig config) throws IOException {
    boolean isStandard = given.isEmpty();
    SettingsFile file =
        isStandard
            ? SettingsFile.of(config.requiredPath("PCP_SYSCONF_DIR"), agent)
            : new SettingsFile(Path.of(given));
    Settings settings;
    try {
      settings = file.read();
    } catch (SettingsException e) {
      e.lines().forEach(System.err::println);
      return 1;
    }
    if (!file.exists()) {
      if (!isStandard) {
        System.err.println(file.path() + ": no such file");
        return 1;
      }
      return print(out -> out.println(file.path() + ": no such file, the defaults apply"));
    }
    List<String> warnings = warnings(file, settings, Rights.dropAsAgent(Optional.empty(), config));
    warnings.forEach(warning -> System.err.println("warning: " + warning));
    return print(out ->
        out.println(
            file.path()
                + (warnings.isEmpty() ? ": no errors" : ": no errors, but see the warnings")));
  }

  /** Returns what the agent's user, as whom this process runs now, does not find or can't read. */
  private static List<String> warnings(SettingsFile file, Settings settings, String user) {
    List<String> warnings = new ArrayList<>();
    try {
      file.read();
    } catch (
        SettingsException e) { // the agent reads it as root at its start, and later as its user
      warnings.add(
          "%s, as user %s: the agent will notice no change of it until its next start"
              .formatted(String.join("; ", e.lines()), user));
    }
    for (DirectorySettings directory : settings.directories()) {
      if (directory.path().isPresent()) {
        try {
          ToolCatalog.checkReadable(directory.path().get());
        } catch (IOException e) {
          warnings.add("directory.path: %s, as user %s".formatted(e.getMessage(), user));
        }
      }
    }
    return warnings;
  }

  /** Returns the limits of the options, with as many files as the kernel can map. */
  static Limits limits(AgentOptions options) {
    int mappings = PosixProcess.maxMappings();
    Limits limits = options.limits().within(mappings);
    if (limits.of(Limit.FILES) < options.limits().of(Limit.FILES)) {
      LOG.warn(
          "at most {} files are served, not {} (--max-files): a process can have only {} mappings;"
              + " sysctl vm.max_map_count permits more",
          limits.of(Limit.FILES),
          options.limits().of(Limit.FILES),
          mappings);
    }
    return limits;
  }

  private static int adopt(Path pminfo, AgentOptions options, PcpConfig config) throws IOException {
    Path clusters = config.requiredPath("PCP_VAR_DIR").resolve(clusters(options));
    // opened before the change of the user, who need not be able to
    try (BufferedReader lines = Files.newBufferedReader(pminfo, ISO_8859_1)) {
      Rights.drop(options.username(), config, false);
      Path standard = standardDirectory(options, config);
      Path first = options.directories().getFirst().path().orElse(standard);
      if (!Adoption.adopt(
          lines,
          options.name(),
          options.domain(),
          first,
          clusters,
          limits(options),
          ADOPTION_TIME)) {
        LOG.error(
            "not all files in {} were read within {} s, and the clusters of the others are not taken"
                + " over; run the command again for them",
            first,
            ADOPTION_TIME.toSeconds());
        return 1;
      }
    }
    return 0;
  }

  /** Returns the directory that is served if the settings name none, now or later. */
  private static Path standardDirectory(AgentOptions options, PcpConfig config) throws IOException {
    Optional<Path> first = options.directories().getFirst().path();
    return first.isPresent() && config.path("PCP_TMP_DIR").isEmpty()
        ? first.get()
        : config.requiredPath("PCP_TMP_DIR").resolve(options.name());
  }

  /** Returns the path of the file that keeps assigned numbers, in {@code $PCP_VAR_DIR}. */
  private static String clusters(AgentOptions options) {
    return "config/pmda/" + AgentCommand.fileName(options.name()) + ".clusters";
  }

  private static int serve(
      AgentOptions options, Optional<SettingsWatch> watch, PcpConfig config, Shutdown shutdown)
      throws IOException {
    Optional<SocketAddress> socket = options.socket();
    // before the change of the user, after which opening the pipe would fail
    PipeTransport pipe = socket.isEmpty() ? PipeTransport.open() : null;
    Rights.drop(
        options.username(),
        config,
        options.directories().stream().anyMatch(directory -> directory.rules().needWriters()));
    Catalog.Builder builder =
        new Catalog.Builder(standardDirectory(options, config))
            .root(options.name())
            .domain(options.domain())
            .pcpVersion(config.version())
            .version(AgentCommand.version())
            .status(options.hasStatus())
            .clusters(config.path("PCP_VAR_DIR").map(dir -> dir.resolve(clusters(options))))
            .debug(options.debug())
            .settings(new SettingsSource.Settings(limits(options), options.directories()));
    watch.ifPresent(builder::source);
    Catalog catalog = builder.build();
    HangUp.handle(catalog::requestReload);
    Agent agent = new Agent(catalog, options.debug());
    boolean isGoodEnd;
    if (pipe != null) {
      shutdown.stopsWith(() -> close(pipe));
      isGoodEnd = agent.serve(pipe);
    } else {
      SocketTransport transport = new SocketTransport(socket.orElseThrow());
      isGoodEnd = agent.serve(transport, shutdown::stopsWith);
    }
    return isGoodEnd ? 0 : 1;
  }

  private static void close(PipeTransport pipe) {
    try {
      pipe.close();
    } catch (IOException e) {
      LOG.warn("the pipe to pmcd can't be closed: {}", e.getMessage());
    }
  }
}
