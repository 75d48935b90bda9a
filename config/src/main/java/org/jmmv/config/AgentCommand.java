package org.jmmv.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.jmmv.pcp.Printable.printable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.Pmid;
import org.jmmv.posix.PosixProcess;
import org.jmmv.reader.watch.Limit;
import org.jmmv.reader.watch.Limits;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command line of {@code pmdajmmv}: the options that libpcp_pmda defines for every agent, see
 * pmdaGetOptions(3), and options for the limits.
 *
 * <p>Unlike libpcp_pmda, it checks the ranges of domain and port numbers, and rejects arguments
 * that are not options. It uses picocli's programmatic API, because reading annotations would add
 * 30 ms to each start.
 */
public final class AgentCommand {
  /** The default of {@code --name}: the root of all names, as pmdammv(1) has it. */
  public static final String DEFAULT_NAME = "mmv";

  private static final String NAME = "pmdajmmv";
  private static final int DEFAULT_DOMAIN = 70; // MMV in PCP's file stdpmid
  static final int MAX_PORT = 65_535;
  private static final int MAX_NAME = 64;

  private AgentCommand() {}

  /** Returns the parser of the command line. It also prints the usage message and the version. */
  public static CommandLine commandLine() {
    CommandSpec spec = CommandSpec.create().name(NAME).versionProvider(() -> version(NAME));
    spec.usageMessage()
        .customSynopsis(NAME + " [options]")
        .optionListHeading("%nOptions:%n")
        .sortOptions(false);
    spec.addOption(
        option("LIST", "switch on these debug options, see pmdbg(1)", "-D", "--debug")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .converters(AgentCommand::debugNames)
            .build());
    spec.addOption(
        option(
                "NUM",
                "domain of the metrics' identifiers, " + DEFAULT_DOMAIN + " by default",
                "-d",
                "--domain")
            .type(Integer.class)
            .converters(value -> numberUpTo(Pmid.MAX_DOMAIN, value))
            .build());
    spec.addOption(
        option(
                "NAME",
                "serve the files in $PCP_TMP_DIR/NAME as metrics NAME.*, "
                    + DEFAULT_NAME
                    + " by default",
                "--name")
            .converters(AgentCommand::name)
            .build());
    spec.addOption(
        option(
                "FILE",
                "write the log to this file (-: standard error) instead of "
                    + "$PCP_LOG_DIR/pmcd/NAME.log",
                "-l",
                "--log")
            .type(Path.class)
            .converters(AgentCommand::path)
            .build());
    spec.addOption(
        option(
                "USER",
                "if started as root, run as this user instead of $PCP_USER",
                "-U",
                "--username")
            .build());
    spec.addOption(
        socket("PORT", "listen for pmcd on this port or service of 127.0.0.1", "-i", "--inet")
            .converters(value -> atPort("127.0.0.1", value))
            .build());
    spec.addOption(
        socket("PORT", "listen for pmcd on this port or service of ::1", "-6", "--ipv6")
            .converters(value -> atPort("::1", value))
            .build());
    spec.addOption(
        socket("FILE", "listen for pmcd on this Unix domain socket", "-u", "--unix")
            .converters(value -> UnixDomainSocketAddress.of(path(value)))
            .build());
    spec.addOption(flag("communicate with pmcd over a pipe, the default", "-p", "--pipe").build());
    spec.addOption(
        flag("send pmcd the first PDU before Java starts; only on a pipe", "--greet").build());
    for (Limit limit : Limit.values()) {
      spec.addOption(
          option(
                  "NUM",
                  "maximum " + limit.what() + ", " + limit.defaultText() + " by default",
                  limit.option())
              .type(Integer.class)
              .converters(value -> numberUpTo(limit.max(), value))
              .build());
    }
    spec.addOption(
        flag("leave out NAME.control.file and NAME.control.agent", "--no-status").build());
    spec.addOption(
        option(
                "FILE",
                "check the settings in this file instead of $PCP_SYSCONF_DIR/jmmv/jmmv.toml, and exit",
                "--check-config")
            .arity("0..1")
            .fallbackValue("")
            .build());
    spec.addOption(
        option(
                "FILE",
                "take over the clusters in the output of 'pminfo -m NAME' in this file, and exit",
                "--adopt")
            .type(Path.class)
            .converters(AgentCommand::path)
            .build());
    spec.addOption(flag("print the options and exit", "-?", "--help").usageHelp(true).build());
    spec.addOption(flag("print the version and exit", "--version").versionHelp(true).build());
    return new CommandLine(spec)
        .setAbbreviatedOptionsAllowed(true)
        .setOverwrittenOptionsAllowed(true)
        .setAllowOptionsAsOptionParameters(true)
        .setExpandAtFiles(false);
  }

  static OptionSpec.Builder option(String value, String text, String... names) {
    return OptionSpec.builder(names)
        .paramLabel(value)
        .description(text)
        .arity("1")
        .type(String.class);
  }

  private static OptionSpec.Builder socket(String value, String text, String... names) {
    return option(value, text, names).type(SocketAddress.class);
  }

  static OptionSpec.Builder flag(String text, String... names) {
    return OptionSpec.builder(names).description(text).arity("0").type(boolean.class);
  }

  /**
   * Returns the options of a command line.
   *
   * @param given the parsed command line
   * @param settings the settings file, for which options are substituted
   * @throws ParameterException if it has more than one of {@code -i}, {@code -6} and {@code -u}, or
   *     one of them and {@code -p} or {@code --greet}; the message names them
   */
  public static AgentOptions options(ParseResult given, Settings settings) {
    DebugOptions debug = new DebugOptions();
    given.matchedOptionValue("-D", List.of(settings.debug().names())).forEach(debug::set);
    List<String> sockets = givenOf(given, "-i", "-6", "-u");
    List<String> pipes = givenOf(given, "-p", "--greet");
    if (sockets.size() > 1 || (!sockets.isEmpty() && !pipes.isEmpty())) {
      throw new ParameterException(
          given.commandSpec().commandLine(),
          Stream.concat(sockets.stream(), pipes.stream()).collect(Collectors.joining(" and "))
              + " exclude each other");
    }
    return new AgentOptions(
        debug,
        name(given),
        given.matchedOptionValue("-d", DEFAULT_DOMAIN),
        Optional.ofNullable(given.matchedOptionValue("-l", settings.log().orElse(null))),
        Optional.ofNullable(given.matchedOptionValue("-U", (String) null)),
        sockets.stream()
            .map(option -> given.<SocketAddress>matchedOptionValue(option, null))
            .findFirst(),
        Limits.of(limit -> given.matchedOptionValue(limit.option(), settings.limits().of(limit))),
        settings.hasStatus() && !given.hasMatchedOption("--no-status"),
        settings.directories(),
        Optional.ofNullable(given.matchedOptionValue("--adopt", (Path) null)));
  }

  private static List<String> givenOf(ParseResult given, String... options) {
    return Stream.of(options).filter(given::hasMatchedOption).toList();
  }

  /**
   * Returns the settings file to check instead of serving: an empty text for the file that the
   * agent reads at its start. Empty if the command line does not ask for that.
   */
  public static Optional<String> fileToCheck(ParseResult given) {
    return Optional.ofNullable(given.matchedOptionValue("--check-config", (String) null));
  }

  /** Returns the value of {@code --name}, which does not depend on the settings. */
  public static String name(ParseResult given) {
    return given.matchedOptionValue("--name", DEFAULT_NAME);
  }

  /**
   * Returns what the names of an agent's settings file and of its memory of clusters begin with:
   * {@code jmmv}, or {@code jmmv-NAME} with another name than {@value #DEFAULT_NAME}, so that
   * agents with different names share no file.
   */
  public static String fileName(String name) {
    return name.equals(DEFAULT_NAME) ? "jmmv" : "jmmv-" + name;
  }

  /**
   * Returns a line that reports an invalid command line of {@code pmdajmmv} or {@code jmmv}:
   * printable ASCII, without a line terminator.
   */
  public static String refusal(ParameterException wrong) {
    String name = wrong.getCommandLine().getCommandSpec().qualifiedName();
    String line = name + ": ";
    if (isEmpty(wrong)) {
      line += "an argument is empty";
    } else if (wrong.getCause() instanceof IndexOutOfBoundsException) {
      // thrown by picocli 4.7.7 for "-"
      line += "\"" + wrong.getValue() + "\" is not an option";
    } else {
      line += wrong.getMessage().replaceFirst("^Error: ", "");
    }
    if (wrong instanceof UnmatchedArgumentException unmatched) {
      List<String> suggestions = suggestions(unmatched);
      line +=
          suggestions.isEmpty() ? "" : "; did you mean " + String.join(" or ", suggestions) + "?";
    }
    return printable(line) + " (see " + name + " --help)";
  }

  /** Picocli 4.7.7 throws an IndexOutOfBoundsException for an empty argument before {@code --}. */
  private static boolean isEmpty(ParameterException wrong) {
    return wrong instanceof UnmatchedArgumentException unmatched
        ? unmatched.getUnmatched().getFirst().isEmpty()
        : wrong.getCause() instanceof IndexOutOfBoundsException && "".equals(wrong.getValue());
  }

  /** Returns what picocli takes a mistyped option to be, and the nearest command for a command. */
  private static List<String> suggestions(UnmatchedArgumentException wrong) {
    String word = wrong.getUnmatched().getFirst();
    List<String> commands = List.copyOf(wrong.getCommandLine().getSubcommands().keySet());
    return word.startsWith("-")
        ? wrong.getSuggestions()
        : Suggestion.nearest(word, commands).stream().toList();
  }

  private static String debugNames(String value) {
    try {
      DebugOptions.parse(value);
      return value;
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  private static SocketAddress atPort(String address, String value) {
    OptionalInt number = number(value, MAX_PORT);
    int port =
        (number.isPresent() ? number : PosixProcess.servicePort(value))
            .orElseThrow(() -> wrong("a port from 1 to " + MAX_PORT + ", or a TCP service", value));
    return new InetSocketAddress(InetAddress.ofLiteral(address), port);
  }

  private static String name(String value) {
    if (value.length() > MAX_NAME || !value.matches(SettingsTable.NAME_PART)) {
      throw wrong(
          "a name of at most %d letters, digits and \"_\", a letter first".formatted(MAX_NAME),
          value);
    }
    return value;
  }

  static int numberUpTo(int max, String value) {
    return number(value, max).orElseThrow(() -> wrong("a number from 1 to " + max, value));
  }

  static OptionalInt number(String value, int max) {
    if (value.matches("[0-9]{1,9}")) {
      int number = Integer.parseInt(value);
      if (number >= 1 && number <= max) {
        return OptionalInt.of(number);
      }
    }
    return OptionalInt.empty();
  }

  static Path path(String value) {
    try {
      if (!value.isEmpty()) {
        return Path.of(value);
      }
    } catch (InvalidPathException e) {
      // rejected below, like an empty name
    }
    throw wrong("a file name", value);
  }

  static TypeConversionException wrong(String wanted, String value) {
    return new TypeConversionException("\"" + value + "\" is not " + wanted);
  }

  /** Returns what {@code --version} prints for a command. */
  static String[] version(String name) {
    return new String[] {name + " version " + version()};
  }

  /** Returns the agent's version with its commit, for example {@code 1.2.3 (1a2b3c4)}. */
  public static String version() {
    try (InputStream in = AgentCommand.class.getResourceAsStream("version")) {
      return new String(in.readAllBytes(), UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
