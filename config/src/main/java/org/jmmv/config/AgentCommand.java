package org.jmmv.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.Pmid;
import org.jmmv.reader.Limits;
import org.jmmv.reader.MmvFault;
import org.jmmv.reader.posix.PosixProcess;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command {@code pmdajmmv}: the options that libpcp_pmda gives every agent, see
 * pmdaGetOptions(3), and the limits.
 *
 * <p>Unlike libpcp_pmda, it checks the ranges of domain and port numbers, and refuses arguments
 * that are not options. picocli's programmatic API is used because reading annotations would add 30
 * ms to a start.
 */
public final class AgentCommand {
  private static final String NAME = "pmdajmmv";
  private static final int DEFAULT_DOMAIN = 70; // MMV in PCP's stdpmid
  private static final int MAX_PORT = 65_535;
  private static final int MAX_LIMIT = 999_999_999;

  private AgentCommand() {}

  /** The parser of the command line, which can also print the usage message and the version. */
  public static CommandLine commandLine() {
    CommandSpec spec = CommandSpec.create().name(NAME).versionProvider(AgentCommand::version);
    spec.usageMessage()
        .customSynopsis(NAME + " [options]")
        .optionListHeading("%nOptions:%n")
        .sortOptions(false);
    spec.addOption(
        option("LIST", "log the work of these debug options, see pmdbg(1)", "-D", "--debug")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .converters(AgentCommand::debugNames)
            .build());
    spec.addOption(
        number("number of the metrics' domain", Pmid.MAX_DOMAIN, DEFAULT_DOMAIN, "-d", "--domain"));
    spec.addOption(
        option(
                "FILE",
                "log here (-: standard error) instead of mmv.log in pmcd's log directory",
                "-l",
                "--log")
            .type(Path.class)
            .converters(AgentCommand::path)
            .build());
    spec.addOption(
        option("USER", "do the work as this user instead of PCP's", "-U", "--username").build());
    spec.addOption(
        transport("PORT", "wait for pmcd at this IPv4 port or service", "-i", "--inet")
            .converters(value -> new Transport.Inet(port(value)))
            .build());
    spec.addOption(
        transport("PORT", "wait for pmcd at this IPv6 port or service", "-6", "--ipv6")
            .converters(value -> new Transport.Inet6(port(value)))
            .build());
    spec.addOption(
        transport("FILE", "wait for pmcd at this Unix domain socket", "-u", "--unix")
            .converters(value -> new Transport.Unix(path(value)))
            .build());
    spec.addOption(flag("talk with pmcd through a pipe, the default", "-p", "--pipe").build());
    Limits limits = Limits.DEFAULT;
    spec.addOption(limit("bytes of a file served", limits.fileSize(), "--max-file-size"));
    spec.addOption(limit("files served", limits.files(), "--max-files"));
    spec.addOption(limit("metrics served", limits.metrics(), "--max-metrics"));
    spec.addOption(limit("instances served", limits.instances(), "--max-instances"));
    spec.addOption(limit("values served", limits.values(), "--max-values"));
    spec.addOption(limit("labels served", limits.labels(), "--max-labels"));
    spec.addOption(flag("show this text and exit", "-?", "--help").usageHelp(true).build());
    spec.addOption(flag("show the version and exit", "--version").versionHelp(true).build());
    return new CommandLine(spec)
        .setAbbreviatedOptionsAllowed(true)
        .setOverwrittenOptionsAllowed(true)
        .setAllowOptionsAsOptionParameters(true)
        .setExpandAtFiles(false);
  }

  private static OptionSpec.Builder option(String value, String text, String... names) {
    return OptionSpec.builder(names)
        .paramLabel(value)
        .description(text)
        .arity("1")
        .type(String.class);
  }

  private static OptionSpec.Builder transport(String value, String text, String... names) {
    return option(value, text, names).type(Transport.class);
  }

  private static OptionSpec.Builder flag(String text, String... names) {
    return OptionSpec.builder(names).description(text).arity("0").type(boolean.class);
  }

  private static OptionSpec number(String text, int most, int byDefault, String... names) {
    return option("NUM", text + ", ${DEFAULT-VALUE} by default", names)
        .type(Integer.class)
        .converters(value ->
            number(value, most).orElseThrow(() -> wrong("a number from 1 to " + most, value)))
        .defaultValue(Integer.toString(byDefault))
        .build();
  }

  private static OptionSpec limit(String what, int byDefault, String name) {
    return number("most " + what, MAX_LIMIT, byDefault, name);
  }

  /**
   * The options of a command line.
   *
   * @throws ParameterException if it has more than one of the options that name a transport
   */
  public static AgentOptions options(ParseResult given) {
    DebugOptions debug = new DebugOptions();
    given.matchedOptionValue("-D", List.<String>of()).forEach(debug::set);
    List<String> transports =
        Stream.of("-i", "-6", "-u", "-p").filter(given::hasMatchedOption).toList();
    if (transports.size() > 1) {
      throw new ParameterException(
          given.commandSpec().commandLine(),
          String.join(" and ", transports) + " exclude each other");
    }
    Limits limits = Limits.DEFAULT;
    return new AgentOptions(
        debug,
        given.matchedOptionValue("-d", DEFAULT_DOMAIN),
        Optional.ofNullable(given.matchedOptionValue("-l", (Path) null)),
        Optional.ofNullable(given.matchedOptionValue("-U", (String) null)),
        transports.isEmpty() || given.hasMatchedOption("-p")
            ? new Transport.Pipe()
            : given.matchedOptionValue(transports.getFirst(), null),
        new Limits(
            given.matchedOptionValue("--max-file-size", limits.fileSize()),
            given.matchedOptionValue("--max-files", limits.files()),
            given.matchedOptionValue("--max-metrics", limits.metrics()),
            given.matchedOptionValue("--max-instances", limits.instances()),
            given.matchedOptionValue("--max-values", limits.values()),
            given.matchedOptionValue("--max-labels", limits.labels())));
  }

  /** The line, of printable ASCII and without a line end, that reports a wrong command line. */
  public static String refusal(ParameterException wrong) {
    String line = NAME + ": ";
    if (wrong.getCause() instanceof IndexOutOfBoundsException) {
      // picocli 4.7.7 fails so for an empty argument and for "-"
      line += "\"" + wrong.getValue() + "\" is not an option";
    } else {
      line += wrong.getMessage().replaceFirst("^Error: ", "");
    }
    if (wrong instanceof UnmatchedArgumentException unmatched
        && !unmatched.getSuggestions().isEmpty()) {
      line += "; did you mean " + String.join(" or ", unmatched.getSuggestions()) + "?";
    }
    return MmvFault.printable(line) + " (see " + NAME + " --help)";
  }

  private static String debugNames(String value) {
    try {
      DebugOptions.parse(value);
      return value;
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  private static int port(String value) {
    OptionalInt number = number(value, MAX_PORT);
    return (number.isPresent() ? number : PosixProcess.servicePort(value))
        .orElseThrow(() -> wrong("a port from 1 to " + MAX_PORT + ", or a TCP service", value));
  }

  private static OptionalInt number(String value, int most) {
    if (value.matches("[0-9]{1,9}")) {
      int number = Integer.parseInt(value);
      if (number >= 1 && number <= most) {
        return OptionalInt.of(number);
      }
    }
    return OptionalInt.empty();
  }

  private static Path path(String value) {
    try {
      if (!value.isEmpty()) {
        return Path.of(value);
      }
    } catch (InvalidPathException e) {
      // refused like an empty name
    }
    throw wrong("a file name", value);
  }

  private static TypeConversionException wrong(String wanted, String value) {
    return new TypeConversionException("\"" + value + "\" is not " + wanted);
  }

  private static String[] version() {
    try (InputStream in = AgentCommand.class.getResourceAsStream("version")) {
      return new String[] {NAME + " version " + new String(in.readAllBytes(), UTF_8).strip()};
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
