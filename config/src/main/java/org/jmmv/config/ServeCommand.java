package org.jmmv.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jmmv.pcp.Network;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The options of {@code jmmv serve}. */
public final class ServeCommand {
  static final String WHAT = "serve the files to clients of PCP, such as pminfo, without pmcd";

  /** pmcd's port, pmcd(1). */
  public static final int PORT = 44_321;

  private static final String NOWHERE = "none";
  private static final String IPV6_LOOPBACK = "::1";
  private static final String LOCALHOST = "localhost";
  private static final Pattern HOST = Pattern.compile("[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?|\\*");
  private static final String UNIX = "unix:";
  private static final Pattern IPV4 = Pattern.compile("(0|[1-9]\\d*)(\\.(0|[1-9]\\d*)){3}");

  /** Without the zone of an IPv6 address, which {@link Network} does not compare. */
  private static final Pattern NETWORK = Pattern.compile("([0-9a-fA-F:.]+)(?:/([0-9]{1,3}))?");

  private static final List<String> QUESTIONS = List.of("ready", "healthy");

  private static final int DEFAULT_CLIENTS = 1000;
  private static final int MAX_CLIENTS = 100_000;

  private ServeCommand() {}

  /**
   * The options.
   *
   * @param directories the directories of the MMV files, absolute; empty: those of the settings
   * @param addresses where to listen for clients of PCP
   * @param http where to listen for clients of HTTP
   * @param httpHosts names by which clients of HTTP may call this host, as in {@link HttpSettings}
   * @param allowed the networks from which clients may connect; empty: all
   * @param maxClients the maximum number of clients
   * @param certificate the PEM files of the certificate and of its key; empty: no TLS
   * @param state the directory for files that keep assigned numbers; empty: the default
   * @param settings the settings file; empty: the default
   * @param ask what to ask a server with these options, instead of serving: {@code ready} or {@code
   *     healthy}
   */
  public record Options(
      List<Path> directories,
      List<SocketAddress> addresses,
      List<SocketAddress> http,
      Set<String> httpHosts,
      List<Network> allowed,
      int maxClients,
      Optional<CertificateFiles> certificate,
      Optional<Path> state,
      Optional<Path> settings,
      Optional<String> ask) {}

  static CommandSpec spec(CommandSpec spec) {
    return spec.addPositional(
            directories(
                "directories of MMV files, served without the rules of jmmv.toml; by default "
                    + DefaultDirectories.RULE))
        .addOption(
            several(
                    "ADDR:PORT",
                    "listen on this address instead of localhost:44321, that is 127.0.0.1 and [::1];"
                        + " :PORT: on all addresses; port 0: on a free one; none: on no address",
                    "--listen")
                .auxiliaryTypes(SocketAddress.class)
                .converters(ServeCommand::address)
                .build())
        .addOption(path("FILE", "listen on this Unix domain socket, too", "--socket"))
        .addOption(
            several(
                    "ADDR:PORT",
                    "serve metrics to Prometheus and browsers over HTTP on this address, or on the"
                        + " Unix domain socket of unix:FILE",
                    "--http")
                .auxiliaryTypes(SocketAddress.class)
                .converters(ServeCommand::http)
                .build())
        .addOption(
            several(
                    "NAME",
                    "answer clients of HTTP that call this host by this name, in the header Host;"
                        + " *: by any name",
                    "--http-host")
                .auxiliaryTypes(String.class)
                .converters(ServeCommand::host)
                .build())
        .addOption(
            several("CIDR", "admit clients of other hosts only from this network", "--allow")
                .auxiliaryTypes(Network.class)
                .converters(ServeCommand::network)
                .build())
        .addOption(
            AgentCommand.option(
                    "NUM", "maximum number of clients, 1000 by default", "--max-clients")
                .type(Integer.class)
                .converters(value -> AgentCommand.numberUpTo(MAX_CLIENTS, value))
                .build())
        .addOption(
            path(
                "FILE",
                "offer TLS (pcps://) with the certificate in this PEM file; needs --key",
                "--cert"))
        .addOption(path("FILE", "the PEM file of the certificate's key, PKCS #8", "--key"))
        .addOption(
            path(
                "DIR",
                "keep assigned numbers in this directory instead of $XDG_STATE_HOME/jmmv or"
                    + " ~/.local/state/jmmv",
                "--state"))
        .addOption(path("FILE", "read these settings instead of jmmv.toml", "--settings"))
        .addOption(
            AgentCommand.option(
                    "WHAT",
                    "ask a server with these options and settings over HTTP whether it is ready or"
                        + " healthy, and exit with 0 if it is, otherwise with 1",
                    "--ask")
                .converters(ServeCommand::question)
                .completionCandidates(QUESTIONS)
                .build());
  }

  /** Returns the positional parameters for directories. */
  static PositionalParamSpec directories(String description) {
    return PositionalParamSpec.builder()
        .paramLabel("DIR")
        .description(description)
        .type(List.class)
        .auxiliaryTypes(Path.class)
        .converters(ServeCommand::directory)
        .arity("0..*")
        .required(false)
        .index("0..*")
        .build();
  }

  private static OptionSpec.Builder several(String value, String text, String name) {
    return AgentCommand.option(value, text + "; may be repeated", name).type(List.class);
  }

  private static OptionSpec path(String value, String text, String name) {
    return AgentCommand.option(value, text, name)
        .type(Path.class)
        .converters(AgentCommand::path)
        .build();
  }

  /** Returns the options of a command line. */
  public static Options options(ParseResult given) {
    List<SocketAddress> addresses = new ArrayList<>();
    Optional<Path> socket = Optional.ofNullable(given.matchedOptionValue("--socket", null));
    socket.ifPresent(path -> addresses.add(UnixDomainSocketAddress.of(path)));
    given
        .matchedOptionValue("--listen", List.of(atLocalhost(PORT)))
        .forEach(address -> addresses.addAll(resolve(address)));
    List<SocketAddress> http =
        given.matchedOptionValue("--http", List.<SocketAddress>of()).stream()
            .flatMap(address -> resolve(address).stream())
            .toList();
    if (addresses.isEmpty() && http.isEmpty()) {
      throw new ParameterException(
          given.commandSpec().commandLine(),
          "--listen none needs --socket or --http, because nobody could connect otherwise");
    }
    Path chain = given.matchedOptionValue("--cert", null);
    Path key = given.matchedOptionValue("--key", null);
    if ((chain == null) != (key == null)) {
      throw new ParameterException(
          given.commandSpec().commandLine(), "--cert and --key belong together");
    }
    return new Options(
        directories(given),
        addresses,
        http,
        Set.copyOf(given.matchedOptionValue("--http-host", List.of())),
        given.matchedOptionValue("--allow", List.of()),
        given.matchedOptionValue("--max-clients", DEFAULT_CLIENTS),
        Optional.ofNullable(chain).map(path -> new CertificateFiles(path, key)),
        Optional.ofNullable(given.matchedOptionValue("--state", null)),
        Optional.ofNullable(given.matchedOptionValue("--settings", null)),
        Optional.ofNullable(given.matchedOptionValue("--ask", null)));
  }

  /** Returns an address that {@link #resolve} knows. */
  private static SocketAddress atLocalhost(int port) {
    return InetSocketAddress.createUnresolved(LOCALHOST, port);
  }

  /**
   * Returns the addresses that one of an option stands for: if it is that of localhost, the
   * loopback addresses that this machine has, because a container may be without IPv6.
   */
  static List<SocketAddress> resolve(SocketAddress address) {
    if (!(address instanceof InetSocketAddress name) || !name.isUnresolved()) {
      return List.of(address);
    }
    return name.getHostString().equals(NOWHERE)
        ? List.of()
        : Stream.of("127.0.0.1", IPV6_LOOPBACK)
            .map(InetAddress::ofLiteral)
            .filter(ServeCommand::hasAddress)
            .<SocketAddress>map(loopback -> new InetSocketAddress(loopback, name.getPort()))
            .toList();
  }

  private static boolean hasAddress(InetAddress address) {
    try {
      return NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return false;
    }
  }

  /** Returns the directories of a command line, absolute; empty if none is given. */
  public static List<Path> directories(ParseResult given) {
    List<Path> directories = given.matchedPositionalValue(0, List.of());
    if (directories.size() > SettingsParser.MAX_DIRECTORIES
        || Set.copyOf(directories).size() < directories.size()) {
      throw new ParameterException(
          given.commandSpec().commandLine(),
          "at most %d directories can be given, each of them once"
              .formatted(SettingsParser.MAX_DIRECTORIES));
    }
    return directories;
  }

  private static Path directory(String text) {
    Path path = AgentCommand.path(text).toAbsolutePath().normalize();
    if (path.toString().getBytes(UTF_8).length > SettingsParser.MAX_PATH) {
      throw AgentCommand.wrong(
          "a path of at most %d bytes".formatted(SettingsParser.MAX_PATH), text);
    }
    return path;
  }

  /** Returns an address that {@link #resolve} knows. */
  private static SocketAddress address(String text) {
    if (text.equals(NOWHERE)) {
      return InetSocketAddress.createUnresolved(NOWHERE, 0);
    }
    return inet(
        text, "an IP address and port such as 0.0.0.0:44321, localhost:44321 or :44321, or none");
  }

  private static SocketAddress inet(String text, String wanted) {
    int colon = text.lastIndexOf(':');
    String host = text.substring(0, Math.max(0, colon));
    String port = text.substring(colon + 1);
    if (host.equals(LOCALHOST)) {
      return atLocalhost(port(port));
    }
    try {
      return new InetSocketAddress(colon == 0 ? anyAddress() : literal(host), port(port));
    } catch (IllegalArgumentException e) {
      throw AgentCommand.wrong(wanted, text);
    }
  }

  /** Returns the address that stands for all of this machine: that of IPv6 includes IPv4. */
  private static InetAddress anyAddress() {
    boolean hasIpv6 = hasAddress(InetAddress.ofLiteral(IPV6_LOOPBACK));
    return InetAddress.ofLiteral(hasIpv6 ? "::" : "0.0.0.0");
  }

  static SocketAddress http(String text) {
    return text.startsWith(UNIX)
        ? UnixDomainSocketAddress.of(AgentCommand.path(text.substring(UNIX.length())))
        : inet(
            text,
            "an address and port such as 127.0.0.1:9464, localhost:9464 or :9464, or unix: and a"
                + " path");
  }

  /** Returns a name of this host for {@link HttpSettings#hosts}. */
  static String host(String text) {
    String name = text.toLowerCase(Locale.ROOT);
    if (!HOST.matcher(name).matches()) {
      throw AgentCommand.wrong(
          "a name of this host such as metrics.example.com, without a port, or * for any", text);
    }
    return name;
  }

  private static String question(String text) {
    if (!QUESTIONS.contains(text)) {
      throw AgentCommand.wrong("ready or healthy", text);
    }
    return text;
  }

  private static int port(String text) {
    return text.equals("0")
        ? 0
        : AgentCommand.number(text, AgentCommand.MAX_PORT)
            .orElseThrow(() ->
                AgentCommand.wrong(
                    "a port from 1 to %d, or 0 for a free one".formatted(AgentCommand.MAX_PORT),
                    text));
  }

  private static Network network(String text) {
    Matcher parts = NETWORK.matcher(text);
    if (parts.matches()) {
      try {
        InetAddress address = literal(parts.group(1));
        int max = address.getAddress().length * Byte.SIZE;
        int bits = parts.group(2) == null ? max : Integer.parseInt(parts.group(2));
        if (bits <= max) {
          return new Network(address, bits);
        }
      } catch (IllegalArgumentException e) {
        // rejected below
      }
    }
    throw AgentCommand.wrong(
        "a network such as 192.0.2.0/24 or 2001:db8::/32, or an address in full", text);
  }

  /**
   * Returns an address. Unlike {@link InetAddress#ofLiteral}, it does not accept short forms of
   * IPv4 addresses, such as 1.2.3 for 1.2.0.3, and no leading zeros, which mean octal elsewhere.
   *
   * @throws IllegalArgumentException if it is no address
   */
  private static InetAddress literal(String text) {
    if (!text.contains(":") && !IPV4.matcher(text).matches()) {
      throw new IllegalArgumentException(text);
    }
    return InetAddress.ofLiteral(text);
  }
}
