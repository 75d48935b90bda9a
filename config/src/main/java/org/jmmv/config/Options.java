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
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * The agent's command line, with the options that libpcp_pmda gives every agent: pmdaGetOptions(3).
 *
 * <p>Unlike there, the domain's range is checked, and so are port numbers, and arguments that are
 * not options are refused.
 *
 * @param domain 1 to 510, the range that pmcd takes and PCP does not use itself
 * @param log where to log instead of the default place
 * @param username whom to become instead of {@code $PCP_USER}
 */
public record Options(
    DebugOptions debug,
    int domain,
    Optional<Path> log,
    Optional<String> username,
    Transport transport,
    Limits limits) {

  /** The domain of MMV metrics. */
  public static final int DEFAULT_DOMAIN = 70;

  private static final int MAX_DOMAIN = 510;
  private static final int MAX_PORT = 65_535;
  private static final int MAX_LIMIT = 999_999_999;
  private static final Path SERVICES = Path.of("/etc/services");
  private static final String PROGRAM = "pmdajmmv";
  private static final Set<String> TRANSPORTS = Set.of("-i", "-6", "-u", "-p");

  // the texts of the usage message start here, as in those of PCP's tools
  private static final int TEXT_COLUMN = 24;

  private static CommandSpec specification() {
    return CommandSpec.create()
        .addOption(
            option("LIST", "log the work of these debug options, see pmdbg(1)", "-D", "--debug")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .build())
        .addOption(
            option("NUM", "number of the metrics' domain, 70 by default", "-d", "--domain").build())
        .addOption(
            option("FILE", "log here instead of mmv.log in pmcd's log directory", "-l", "--log")
                .build())
        .addOption(
            option("USER", "do the work as this user instead of PCP's", "-U", "--username").build())
        .addOption(
            option("PORT", "wait for pmcd at this IPv4 port or service", "-i", "--inet").build())
        .addOption(
            option("PORT", "wait for pmcd at this IPv6 port or service", "-6", "--ipv6").build())
        .addOption(
            option("FILE", "wait for pmcd at this Unix domain socket", "-u", "--unix").build())
        .addOption(flag("talk with pmcd through a pipe, the default", "-p", "--pipe").build())
        .addOption(limit("bytes of a file", "--max-file-size", Limits.DEFAULT.fileSize()))
        .addOption(limit("files", "--max-files", Limits.DEFAULT.files()))
        .addOption(limit("metrics in all", "--max-metrics", Limits.DEFAULT.metrics()))
        .addOption(limit("instances in all", "--max-instances", Limits.DEFAULT.instances()))
        .addOption(limit("values in all", "--max-values", Limits.DEFAULT.values()))
        .addOption(limit("labels in all", "--max-labels", Limits.DEFAULT.labels()))
        .addOption(flag("show this text and exit", "-?", "--help").usageHelp(true).build())
        .addOption(flag("show the version and exit", "--version").versionHelp(true).build());
  }

  private static OptionSpec.Builder option(String label, String text, String... names) {
    return OptionSpec.builder(names)
        .type(String.class)
        .arity("1")
        .paramLabel(label)
        .description(text);
  }

  private static OptionSpec limit(String what, String name, int byDefault) {
    return option("NUM", "serve at most so many " + what + ", " + byDefault + " by default", name)
        .build();
  }

  private static OptionSpec.Builder flag(String text, String... names) {
    return OptionSpec.builder(names).type(boolean.class).arity("0").description(text);
  }

  /** Reads a command line, which ends with the agent's start, a text to print, or a refusal. */
  public static Invocation parse(String... args) {
    CommandSpec spec = specification();
    CommandLine commandLine =
        new CommandLine(spec)
            .setAbbreviatedOptionsAllowed(true)
            .setAllowOptionsAsOptionParameters(true)
            .setExpandAtFiles(false)
            .setOverwrittenOptionsAllowed(true);
    try {
      ParseResult given = commandLine.parseArgs(args);
      if (given.isUsageHelpRequested()) {
        return new Invocation.Print(usage(spec));
      }
      if (given.isVersionHelpRequested()) {
        return new Invocation.Print(PROGRAM + " version " + version() + "\n");
      }
      return new Invocation.Start(
          new Options(
              debug(given),
              domain(given),
              given.hasMatchedOption("-l") ? Optional.of(path(given, "-l")) : Optional.empty(),
              Optional.ofNullable(given.matchedOptionValue("-U", (String) null)),
              transport(given),
              limits(given)));
    } catch (ParameterException | IllegalArgumentException e) {
      return new Invocation.Refuse(PROGRAM + ": " + e.getMessage() + "\n" + usage(spec));
    }
  }

  private static DebugOptions debug(ParseResult given) {
    DebugOptions debug = new DebugOptions();
    given.matchedOptionValue("-D", List.<String>of()).forEach(debug::set);
    return debug;
  }

  private static int domain(ParseResult given) {
    return given.hasMatchedOption("-d")
        ? number(given, "-d", MAX_DOMAIN)
            .orElseThrow(() -> wrong(given, "-d", "a number from 1 to " + MAX_DOMAIN))
        : DEFAULT_DOMAIN;
  }

  private static Limits limits(ParseResult given) {
    return new Limits(
        limit(given, "--max-file-size", Limits.DEFAULT.fileSize()),
        limit(given, "--max-files", Limits.DEFAULT.files()),
        limit(given, "--max-metrics", Limits.DEFAULT.metrics()),
        limit(given, "--max-instances", Limits.DEFAULT.instances()),
        limit(given, "--max-values", Limits.DEFAULT.values()),
        limit(given, "--max-labels", Limits.DEFAULT.labels()));
  }

  private static int limit(ParseResult given, String option, int byDefault) {
    return given.hasMatchedOption(option)
        ? number(given, option, MAX_LIMIT)
            .orElseThrow(() -> wrong(given, option, "a number from 1 to " + MAX_LIMIT))
        : byDefault;
  }

  private static Transport transport(ParseResult given) {
    List<OptionSpec> chosen =
        given.matchedOptionsSet().stream()
            .filter(option -> TRANSPORTS.contains(option.shortestName()))
            .toList();
    if (chosen.size() > 1) {
      throw new IllegalArgumentException("only one of -i, -6, -u and -p can be given");
    }
    return switch (chosen.isEmpty() ? "-p" : chosen.getFirst().shortestName()) {
      case "-i" -> new Transport.Inet(port(given, "-i"));
      case "-6" -> new Transport.Inet6(port(given, "-6"));
      case "-u" -> new Transport.Unix(path(given, "-u"));
      default -> new Transport.Pipe();
    };
  }

  private static int port(ParseResult given, String option) {
    OptionalInt number = number(given, option, MAX_PORT);
    return (number.isPresent() ? number : Services.port(SERVICES, value(given, option)))
        .orElseThrow(() ->
            wrong(
                given,
                option,
                "a port from 1 to %d, or a TCP service in %s".formatted(MAX_PORT, SERVICES)));
  }

  private static OptionalInt number(ParseResult given, String option, int max) {
    String value = value(given, option);
    if (value.matches("[0-9]{1,9}")) {
      int number = Integer.parseInt(value);
      if (number >= 1 && number <= max) {
        return OptionalInt.of(number);
      }
    }
    return OptionalInt.empty();
  }

  private static Path path(ParseResult given, String option) {
    try {
      if (!value(given, option).isEmpty()) {
        return Path.of(value(given, option));
      }
    } catch (InvalidPathException e) {
      // refused as an empty one is
    }
    throw wrong(given, option, "a file name");
  }

  private static String value(ParseResult given, String option) {
    return given.matchedOptionValue(option, "");
  }

  private static IllegalArgumentException wrong(ParseResult given, String option, String wanted) {
    return new IllegalArgumentException(
        "option %s takes %s, not \"%s\"".formatted(option, wanted, value(given, option)));
  }

  private static String usage(CommandSpec spec) {
    StringBuilder usage = new StringBuilder("Usage: " + PROGRAM + " [options]\n\nOptions:\n");
    for (OptionSpec option : spec.options()) {
      String label = option.paramLabel();
      boolean flag = option.arity().max() == 0;
      String shortForm = option.shortestName() + (flag ? "" : " " + label);
      String longForm = option.longestName() + (flag ? "" : "=" + label);
      String forms = option.names().length == 1 ? longForm : shortForm + ", " + longForm;
      String text = String.join(" ", option.description());
      String head = "  " + forms;
      usage.append(head);
      if (head.length() >= TEXT_COLUMN) {
        usage.append('\n').append(" ".repeat(TEXT_COLUMN));
      } else {
        usage.append(" ".repeat(TEXT_COLUMN - head.length()));
      }
      usage.append(text).append('\n');
    }
    return usage.toString();
  }

  private static String version() {
    try (InputStream in = Options.class.getResourceAsStream("version")) {
      return new String(in.readAllBytes(), UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
