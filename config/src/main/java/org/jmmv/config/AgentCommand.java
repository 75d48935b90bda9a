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
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.Pmid;
import org.jmmv.reader.Limits;
import org.jmmv.reader.posix.PosixProcess;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgGroupSpec;
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
        option("FILE", "log here instead of mmv.log in pmcd's log directory;", "-l", "--log")
            .type(Path.class)
            .converters(AgentCommand::path)
            .build());
    spec.addOption(
        option("USER", "do the work as this user instead of PCP's", "-U", "--username").build());
    spec.addArgGroup(
        ArgGroupSpec.builder()
            .exclusive(true)
            .addArg(
                transport("PORT", "wait for pmcd at this IPv4 port or service", "-i", "--inet")
                    .converters(value -> new Transport.Inet(port(value)))
                    .build())
            .addArg(
                transport("PORT", "wait for pmcd at this IPv6 port or service", "-6", "--ipv6")
                    .converters(value -> new Transport.Inet6(port(value)))
                    .build())
            .addArg(
                transport("FILE", "wait for pmcd at this Unix domain socket", "-u", "--unix")
                    .converters(value -> new Transport.Unix(path(value)))
                    .build())
            .addArg(
                flag("talk with pmcd through a pipe, the default", "-p", "--pipe").build())
            .build());
    Limits limits = Limits.DEFAULT;
    spec.addOption(limit("bytes of a file", limits.fileSize(), "--max-file-size"));
    spec.addOption(limit("files", limits.files(), "--max-files"));
    spec.addOption(limit("metrics in all", limits.metrics(), "--max-metrics"));
    spec.addOption(limit("instances in all", limits.instances(), "--max-instances"));
    spec.addOption(limit("values in all", limits.values(), "--max-values"));
    spec.addOption(limit("labels in all", limits.labels(), "--max-labels"));
    spec.addOption(flag("show this text and exit", "-?", "--help").usageHelp(true).build());
    spec.addOption(flag("show the version and exit", "--version").versionHelp(true).build());
    return new CommandLine(spec)
        .setAbbreviatedOptionsAllowed(true)
        .setOverwrittenOptionsAllowed(true)
        .setExpandAtFiles(false);
  }

  private static OptionSpec.Builder option(String value, String text, String... names) {
    return OptionSpec.builder(names).paramLabel(value).description(text).arity("1").type(String.class);
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
    return number("serve at most so many " + what, MAX_LIMIT, byDefault, name);
  }

  /** The options that a command line has. */
  public static AgentOptions options(ParseResult given) {
    DebugOptions debug = new DebugOptions();
    given.matchedOptionValue("-D", List.<String>of()).forEach(debug::set);
    return new AgentOptions(
        debug,
        value(given, "-d"),
        Optional.ofNullable(value(given, "-l")),
        Optional.ofNullable(value(given, "-U")),
        transport(given),
        new Limits(
            value(given, "--max-file-size"),
            value(given, "--max-files"),
            value(given, "--max-metrics"),
            value(given, "--max-instances"),
            value(given, "--max-values"),
            value(given, "--max-labels")));
  }

  private static Transport transport(ParseResult given) {
    for (String option : List.of("-i", "-6", "-u")) {
      if (given.hasMatchedOption(option)) {
        return value(given, option);
      }
    }
    return new Transport.Pipe();
  }

  private static <T> T value(ParseResult given, String option) {
    return given.commandSpec().findOption(option).getValue();
  }

  /** The line, without a line end, that reports a wrong command line. */
  public static String refusal(ParameterException wrong) {
    String line = NAME + ": " + wrong.getMessage().replaceFirst("^Error: ", "");
    if (wrong instanceof UnmatchedArgumentException unmatched
        && !unmatched.getSuggestions().isEmpty()) {
      line += "; did you mean " + String.join(" or ", unmatched.getSuggestions()) + "?";
    }
    return line + " (see " + NAME + " --help)";
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
