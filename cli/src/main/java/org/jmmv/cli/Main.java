package org.jmmv.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.net.SocketAddress;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jmmv.cli.command.ToolCatalog;
import org.jmmv.config.AgentCommand;
import org.jmmv.config.CommandOptions;
import org.jmmv.config.PcpConfig;
import org.jmmv.config.Settings;
import org.jmmv.config.SettingsException;
import org.jmmv.config.SettingsFile;
import org.jmmv.core.Adoption;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogOptions;
import org.jmmv.pmda.Agent;
import org.jmmv.pmda.PipeTransport;
import org.jmmv.pmda.SocketTransport;
import org.jmmv.posix.PosixProcess;
import org.jmmv.reader.watch.DirectorySettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

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
    HangUp.handle(() -> {}); // what is read from now on is new anyway
    Shutdown shutdown = new Shutdown();
    int status = 1;
    try {
      status = run(args, shutdown);
    } catch (IOException e) {
      LOG.error(e.getMessage());
    } catch (RuntimeException | Error e) {
      LOG.error("the agent ends", e);
    } finally { // also if the log can't be written
      shutdown.close();
      System.exit(status); // does not return after a signal
    }
  }

  private static int run(String[] args, Shutdown shutdown) throws IOException {
    AgentCommand command = new AgentCommand();
    try {
      CommandLine parser = command.parse(args);
      if (parser.isUsageHelpRequested()) {
        return print(parser::usage);
      }
      if (parser.isVersionHelpRequested()) {
        return print(parser::printVersionHelp);
      }
    } catch (ParameterException e) {
      System.err.println(CommandOptions.refusal(e));
      return 1;
    }
    return run(command, shutdown);
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

  private static int run(AgentCommand command, Shutdown shutdown) throws IOException {
    PcpConfig config = PcpConfig.load(System.getenv());
    Optional<String> toCheck = command.fileToCheck();
    if (toCheck.isPresent()) {
      return check(toCheck.get(), command.name(), config);
    }
    SettingsWatch watch;
    try {
      watch =
          new SettingsWatch(
              SettingsFile.of(config, command.name()), command::over, AtStart.OF_AGENT);
    } catch (SettingsException e) {
      refuse(e, command, config);
      return 1;
    }
    if (command.socket().isEmpty() && command.adopt().isEmpty() && isOnTerminal()) {
      System.err.println(
          "pmdajmmv: pmcd starts this program and speaks to it over a pipe, but standard input or"
              + " output is a terminal. Install makes pmcd start it: see pmdajmmv(1); jmmv(1) shows"
              + " MMV files without pmcd");
      return 1;
    }
    LogFile.open(watch.settings().log(), command.name(), config);
    return command.adopt().isPresent()
        ? adopt(command.adopt().get(), command, watch.settings(), config)
        : serve(command, watch, config, shutdown);
  }

  /** Reports the errors of the settings file on standard error and in the log. */
  private static void refuse(SettingsException wrong, AgentCommand command, PcpConfig config) {
    wrong.lines().forEach(line -> System.err.println("pmdajmmv: " + line));
    if (LogFile.open(command.over(Settings.DEFAULT).log(), command.name(), config)) {
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
        isStandard ? SettingsFile.of(config, agent) : new SettingsFile(Path.of(given));
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
    } catch (SettingsException e) { // the agent reads it first as root, and later as its user
      warnings.add(
          "%s, as user %s: the agent will notice no change of it until its next start"
              .formatted(e.getMessage(), user));
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

  private static BufferedReader opened(Path file) throws IOException {
    try {
      return Files.newBufferedReader(file, ISO_8859_1);
    } catch (NoSuchFileException e) { // its message is the path
      throw new IOException(file + ": no such file", e);
    } catch (AccessDeniedException e) { // likewise
      throw new IOException(file + ": permission denied", e);
    }
  }

  private static int adopt(Path pminfo, AgentCommand command, Settings settings, PcpConfig config)
      throws IOException {
    Path clusters = config.requiredPath("PCP_VAR_DIR").resolve(clusters(command));
    // opened before the change of the user, who need not be able to
    try (BufferedReader lines = opened(pminfo)) {
      Rights.drop(command.username(), config, false);
      Path standard = standardDirectory(command, settings, config);
      Path first = settings.directories().getFirst().path().orElse(standard);
      if (!Adoption.adopt(
          lines,
          command.name(),
          command.domain(),
          first,
          clusters,
          SettingsWatch.ofCatalog(settings).limits(),
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
  private static Path standardDirectory(AgentCommand command, Settings settings, PcpConfig config)
      throws IOException {
    Optional<Path> first = settings.directories().getFirst().path();
    return first.isPresent() && config.path("PCP_TMP_DIR").isEmpty()
        ? first.get()
        : config.requiredPath("PCP_TMP_DIR").resolve(command.name());
  }

  /** Returns the path of the file that keeps assigned numbers, in {@code $PCP_VAR_DIR}. */
  private static String clusters(AgentCommand command) {
    return "config/pmda/" + AgentCommand.fileName(command.name()) + ".clusters";
  }

  private static int serve(
      AgentCommand command, SettingsWatch watch, PcpConfig config, Shutdown shutdown)
      throws IOException {
    Optional<SocketAddress> socket = command.socket();
    // before the change of the user, after which opening the pipe would fail
    PipeTransport pipe = socket.isEmpty() ? PipeTransport.open() : null;
    Settings settings = watch.settings();
    Rights.drop(
        command.username(),
        config,
        settings.directories().stream().anyMatch(directory -> directory.rules().needWriters()));
    Catalog catalog =
        new Catalog(
            new CatalogOptions(standardDirectory(command, settings, config))
                .root(command.name())
                .domain(command.domain())
                .pcpVersion(config.version())
                .version(CommandOptions.version())
                .status(settings.hasStatus())
                .clusters(config.path("PCP_VAR_DIR").map(dir -> dir.resolve(clusters(command))))
                .debug(watch.debug())
                .settings(watch.ofCatalog())
                .source(watch::changed));
    HangUp.handle(catalog::requestReload);
    Agent agent = new Agent(catalog, watch.debug());
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
