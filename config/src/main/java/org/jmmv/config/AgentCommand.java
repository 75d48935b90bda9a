package org.jmmv.config;

import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.Pmid;
import org.jmmv.reader.watch.Limit;
import org.jmmv.reader.watch.Limits;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * The command line of {@code pmdajmmv}: the options that libpcp_pmda defines for every agent, see
 * pmdaGetOptions(3), and options for the limits.
 *
 * <p>Unlike libpcp_pmda, it checks the ranges of domain and port numbers, and rejects arguments
 * that are not options.
 */
public final class AgentCommand extends CommandOptions {
  /** The default of {@code --name}: the root of all names, as pmdammv(1) has it. */
  public static final String DEFAULT_NAME = "mmv";

  private static final String COMMAND = "pmdajmmv";

  private final Arg<List<String>> debug =
      options(
          "LIST",
          "switch on these debug options, see pmdbg(1)",
          AgentCommand::debugOptions,
          "-D --debug");
  private final Arg<Integer> domain =
      option(
          "NUM",
          "domain of the metrics' identifiers, " + Pmid.MMV_DOMAIN + " by default",
          Converters.numberUpTo(Pmid.MAX_DOMAIN),
          "-d --domain");
  private final Arg<String> name =
      option(
          "NAME",
          "serve the files in $PCP_TMP_DIR/NAME as metrics NAME.*, " + DEFAULT_NAME + " by default",
          Converters::agentName,
          "--name");
  private final Arg<Path> log =
      file(
          "write the log to this file (-: standard error) instead of $PCP_LOG_DIR/pmcd/NAME.log",
          "-l --log");
  private final Arg<String> username =
      option(
          "USER",
          "if started as root, run as this user instead of $PCP_USER",
          text -> text,
          "-U --username");
  private final Arg<SocketAddress> inet =
      option(
          "PORT",
          "listen for pmcd on this port or service of 127.0.0.1",
          text -> Addresses.ofPort("127.0.0.1", text),
          "-i --inet");
  private final Arg<SocketAddress> ipv6 =
      option(
          "PORT",
          "listen for pmcd on this port or service of ::1",
          text -> Addresses.ofPort("::1", text),
          "-6 --ipv6");
  private final Arg<SocketAddress> unix =
      option(
          "FILE",
          "listen for pmcd on this Unix domain socket",
          text -> UnixDomainSocketAddress.of(Converters.file(text)),
          "-u --unix");
  private final Arg<Boolean> pipe =
      flag("communicate with pmcd over a pipe, the default", "-p --pipe");
  private final Arg<Boolean> greet =
      flag("send pmcd the first PDU before Java starts; only on a pipe", "--greet");
  private final Map<Limit, Arg<Integer>> limits =
      Stream.of(Limit.values()).collect(Collectors.toMap(limit -> limit, this::option));
  private final Arg<Boolean> noStatus =
      flag("leave out NAME.control.file and NAME.control.agent", "--no-status");
  private final Arg<String> checkConfig =
      add(
          builder(
                  "FILE",
                  "check the settings in this file instead of $PCP_SYSCONF_DIR/jmmv/jmmv.toml, and exit",
                  text -> text.isEmpty() ? text : Converters.file(text).toString(),
                  "--check-config")
              .arity("0..1")
              .fallbackValue(""));
  private final Arg<Path> adopt =
      file(
          "take over the clusters in the output of 'pminfo -m NAME' in this file, and exit",
          "--adopt");

  public AgentCommand() {
    Arg<Boolean> _ = add(flagOf("print the options and exit", "-? --help").usageHelp(true));
    addVersion(COMMAND);
    spec().name(COMMAND).usageMessage().customSynopsis(COMMAND + " [options]");
  }

  private Arg<Integer> option(Limit limit) {
    return option(
        "NUM",
        "maximum " + limit.what() + ", " + limit.defaultText() + " by default",
        Converters.numberUpTo(limit.max()),
        limit.option());
  }

  /** Returns debug options in the form of {@link DebugOptions#names}. */
  private static String debugOptions(String list) {
    return DebugOptions.parse(list).names();
  }

  /**
   * Parses a command line. The options then have its values.
   *
   * @return the parser, which says whether help is requested, and prints it
   * @throws ParameterException if it is invalid, or has more than one of {@code -i}, {@code -6} and
   *     {@code -u}, or one of them and {@code -p} or {@code --greet}; the message names them
   */
  public CommandLine parse(String... args) {
    CommandLine parser = commandLine().setOverwrittenOptionsAllowed(true);
    String[] words = args.clone();
    for (int i = 0; i + 1 < words.length; i++) {
      if (words[i].equals(checkConfig.name()) && words[i + 1].startsWith("-")) {
        words[i] += "="; // the next option is no file, although a value may look like an option
      }
    }
    parser.parseArgs(words);
    List<String> sockets = sockets().map(Arg::name).toList();
    List<String> pipes = Stream.of(pipe, greet).filter(Arg::isGiven).map(Arg::name).toList();
    if (sockets.size() > 1 || (!sockets.isEmpty() && !pipes.isEmpty())) {
      throw wrong(
          Stream.concat(sockets.stream(), pipes.stream()).collect(Collectors.joining(" and "))
              + " exclude each other");
    }
    return parser;
  }

  private Stream<Arg<SocketAddress>> sockets() {
    return Stream.of(inet, ipv6, unix).filter(Arg::isGiven);
  }

  /** Returns the settings of a file, of which the options of the command line replace some. */
  public Settings over(Settings file) {
    DebugOptions on = new DebugOptions();
    debug.or(List.of(file.debug())).forEach(on::set);
    return new Settings(
        Limits.of(limit -> limits.get(limit).or(file.limits().of(limit))),
        file.hasStatus() && !noStatus.isGiven(),
        log.value().or(file::log),
        on.names(),
        file.directories(),
        file.http());
  }

  /** Returns the root of all names, and the name of the directory of the MMV files. */
  public String name() {
    return name.or(DEFAULT_NAME);
  }

  /** Returns the domain of all PMIDs, 1 to {@link Pmid#MAX_DOMAIN}. */
  public int domain() {
    return domain.or(Pmid.MMV_DOMAIN);
  }

  /**
   * Returns the user to run as; empty: {@code $PCP_USER} if started as root, otherwise the current
   * user.
   */
  public Optional<String> username() {
    return username.value();
  }

  /** Returns the address at which pmcd connects; empty: pmcd has started the agent on a pipe. */
  public Optional<SocketAddress> socket() {
    return sockets().findFirst().flatMap(Arg::value);
  }

  /**
   * Returns the settings file to check instead of serving: an empty text for the file that the
   * agent reads at its start. Empty if the command line does not ask for that.
   */
  public Optional<String> fileToCheck() {
    return checkConfig.value();
  }

  /**
   * Returns the output of {@code pminfo -m NAME} from which clusters are taken over instead of
   * serving.
   */
  public Optional<Path> adopt() {
    return adopt.value();
  }

  /**
   * Returns what the names of an agent's settings file and of its memory of clusters begin with:
   * {@code jmmv}, or {@code jmmv-NAME} with another name than {@value #DEFAULT_NAME}, so that
   * agents with different names share no file.
   */
  public static String fileName(String name) {
    return name.equals(DEFAULT_NAME) ? "jmmv" : "jmmv-" + name;
  }
}
