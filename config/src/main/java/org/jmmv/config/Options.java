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
import org.jmmv.reader.Limits;

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
  private static final List<Option> TRANSPORTS =
      List.of(Option.INET, Option.IPV6, Option.UNIX, Option.PIPE);

  // the texts of the usage message start here, as in those of PCP's tools
  private static final int TEXT_COLUMN = 24;

  /** Reads a command line, which ends with the agent's start, a text to print, or a refusal. */
  public static Invocation parse(String... args) {
    try {
      CommandLine given = new CommandLine(args);
      if (given.has(Option.HELP)) {
        return new Invocation.Print(usage());
      }
      if (given.has(Option.VERSION)) {
        return new Invocation.Print(PROGRAM + " version " + version() + "\n");
      }
      return new Invocation.Start(
          new Options(
              debug(given),
              number(given, Option.DOMAIN, MAX_DOMAIN, DEFAULT_DOMAIN),
              given.has(Option.LOG) ? Optional.of(path(given, Option.LOG)) : Optional.empty(),
              given.has(Option.USERNAME)
                  ? Optional.of(given.value(Option.USERNAME))
                  : Optional.empty(),
              transport(given),
              limits(given)));
    } catch (IllegalArgumentException e) {
      return new Invocation.Refuse(PROGRAM + ": " + e.getMessage() + "\n" + usage());
    }
  }

  private static DebugOptions debug(CommandLine given) {
    DebugOptions debug = new DebugOptions();
    given.values(Option.DEBUG).forEach(debug::set);
    return debug;
  }

  private static Limits limits(CommandLine given) {
    Limits defaults = Limits.DEFAULT;
    return new Limits(
        number(given, Option.MAX_FILE_SIZE, MAX_LIMIT, defaults.fileSize()),
        number(given, Option.MAX_FILES, MAX_LIMIT, defaults.files()),
        number(given, Option.MAX_METRICS, MAX_LIMIT, defaults.metrics()),
        number(given, Option.MAX_INSTANCES, MAX_LIMIT, defaults.instances()),
        number(given, Option.MAX_VALUES, MAX_LIMIT, defaults.values()),
        number(given, Option.MAX_LABELS, MAX_LIMIT, defaults.labels()));
  }

  private static Transport transport(CommandLine given) {
    List<Option> chosen = TRANSPORTS.stream().filter(given::has).toList();
    if (chosen.size() > 1) {
      throw new IllegalArgumentException("only one of -i, -6, -u and -p can be given");
    }
    return switch (chosen.isEmpty() ? Option.PIPE : chosen.getFirst()) {
      case INET -> new Transport.Inet(port(given, Option.INET));
      case IPV6 -> new Transport.Inet6(port(given, Option.IPV6));
      case UNIX -> new Transport.Unix(path(given, Option.UNIX));
      default -> new Transport.Pipe();
    };
  }

  private static int port(CommandLine given, Option option) {
    String value = given.value(option);
    OptionalInt number = number(value, MAX_PORT);
    return (number.isPresent() ? number : Services.port(SERVICES, value))
        .orElseThrow(() ->
            wrong(
                option,
                "a port from 1 to %d, or a TCP service in %s".formatted(MAX_PORT, SERVICES),
                value));
  }

  private static int number(CommandLine given, Option option, int max, int byDefault) {
    if (!given.has(option)) {
      return byDefault;
    }
    String value = given.value(option);
    return number(value, max).orElseThrow(() -> wrong(option, "a number from 1 to " + max, value));
  }

  private static OptionalInt number(String value, int max) {
    if (value.matches("[0-9]{1,9}")) {
      int number = Integer.parseInt(value);
      if (number >= 1 && number <= max) {
        return OptionalInt.of(number);
      }
    }
    return OptionalInt.empty();
  }

  private static Path path(CommandLine given, Option option) {
    String value = given.value(option);
    try {
      if (!value.isEmpty()) {
        return Path.of(value);
      }
    } catch (InvalidPathException e) {
      // refused as an empty one is
    }
    throw wrong(option, "a file name", value);
  }

  private static IllegalArgumentException wrong(Option option, String wanted, String value) {
    return new IllegalArgumentException(
        "option %s takes %s, not \"%s\"".formatted(option, wanted, value));
  }

  private static String usage() {
    StringBuilder usage = new StringBuilder("Usage: " + PROGRAM + " [options]\n\nOptions:\n");
    for (Option option : Option.values()) {
      usage.append(option.usage(TEXT_COLUMN));
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
