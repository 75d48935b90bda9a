package org.jmmv.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.reader.watch.FileRules;
import org.jmmv.reader.watch.Limit;
import org.jmmv.reader.watch.Limits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;

/** What comes of the command line of {@code pmdajmmv}. */
class AgentCommandTest {

  private static final String[] NONE = {};
  private static final Limits ONE_TO_TEN =
      Limits.of(limit -> 1 + List.of(Limit.values()).indexOf(limit));

  private static AgentCommand start(String... args) {
    AgentCommand command = new AgentCommand();
    command.parse(args);
    return command;
  }

  private static Settings settings(Settings file, String... args) {
    return start(args).over(file);
  }

  private static Settings settings(String... args) {
    return settings(Settings.DEFAULT, args);
  }

  /** What is said about a wrong command line, without the reference to the help. */
  private static String refusal(String... args) {
    String line = CommandOptions.refusal(assertThrows(ParameterException.class, () -> start(args)));
    assertTrue(line.matches("pmdajmmv: .* \\(see pmdajmmv --help\\)"), line);
    return line.substring("pmdajmmv: ".length(), line.lastIndexOf(" ("));
  }

  private static Optional<SocketAddress> at(String address, int port) {
    return Optional.of(new InetSocketAddress(InetAddress.ofLiteral(address), port));
  }

  @Test
  void allHasADefault() {
    AgentCommand command = start(NONE);
    assertEquals(Settings.DEFAULT, command.over(Settings.DEFAULT));
    assertEquals("mmv", command.name());
    assertEquals(70, command.domain());
    assertEquals(Optional.empty(), command.username());
    assertEquals(Optional.empty(), command.socket());
    assertEquals(Optional.empty(), command.adopt());
    assertEquals(Optional.empty(), command.fileToCheck());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-D pdu,appl0 -d 71 -l /tmp/log -U nobody -u /tmp/socket",
        "-Dpdu,appl0 -d71 -l/tmp/log -Unobody -u/tmp/socket",
        "--debug pdu,appl0 --domain 71 --log /tmp/log --username nobody --unix /tmp/socket",
        "--debug=pdu,appl0 --domain=71 --log=/tmp/log --username=nobody --unix=/tmp/socket",
        "--deb=pdu,appl0 --dom=71 --lo /tmp/log --user nobody --un /tmp/socket",
        "-D pdu -D appl0 -d 1 -d 71 -l x -l /tmp/log -U x -U nobody -u x -u /tmp/socket"
      })
  void everySpellingOfAnOptionIsTaken(String args) {
    AgentCommand command = start(args.split(" ", -1));
    Settings settings = command.over(Settings.DEFAULT);
    assertEquals("pdu,appl0", settings.debug());
    assertEquals(71, command.domain());
    assertEquals(Optional.of(Path.of("/tmp/log")), settings.log());
    assertEquals(Optional.of("nobody"), command.username());
    assertEquals(Optional.of(UnixDomainSocketAddress.of("/tmp/socket")), command.socket());
  }

  @Test
  void theNameIsAComponentOfTheNamesOfMetrics() {
    assertEquals("pmproxy", start("-d", "4", "--name=pmproxy").name());
    assertEquals("a_" + "1".repeat(62), start("--name", "a_" + "1".repeat(62)).name());
    for (String wrong : List.of("", "a.b", "..", "a/b", "1a", "_a", "a-b", "ä", "a".repeat(65))) {
      assertTrue(
          refusal("--name=" + wrong)
              .endsWith("is not a name of at most 64 letters, digits and \"_\", a letter first"),
          wrong);
    }
  }

  @Test
  void agentsWithOtherNamesHaveFilesOfTheirOwn() {
    assertEquals("jmmv", AgentCommand.fileName(start(NONE).name()));
    assertEquals("jmmv-pmproxy", AgentCommand.fileName(start("--name=pmproxy").name()));
    PcpConfig config =
        PcpConfig.load(Map.of("PCP_CONF", "/nonexistent", "PCP_SYSCONF_DIR", "/etc/pcp"));
    assertEquals(Path.of("/etc/pcp/jmmv/jmmv.toml"), SettingsFile.of(config, "mmv").path());
    assertEquals(
        Path.of("/etc/pcp/jmmv/jmmv-pmproxy.toml"), SettingsFile.of(config, "pmproxy").path());
    PcpConfig none = PcpConfig.load(Map.of("PCP_CONF", "/nonexistent"));
    assertEquals(Path.of("/etc/jmmv/jmmv.toml"), SettingsFile.of(none, "mmv").path());
  }

  @Test
  void noStatusTakesPrecedenceOverTheSettings() {
    assertTrue(settings(NONE).hasStatus());
    assertFalse(settings("--no-status").hasStatus());
  }

  @Test
  void adoptTakesAFile() {
    assertEquals(Optional.of(Path.of("/tmp/names")), start("--adopt=/tmp/names").adopt());
  }

  @ParameterizedTest
  @ValueSource(strings = {"-i 4321", "-i4321", "--inet=4321", "--inet 4321"})
  void inet(String args) {
    assertEquals(at("127.0.0.1", 4321), start(args.split(" ", -1)).socket());
  }

  @ParameterizedTest
  @ValueSource(strings = {"-6 4321", "-64321", "--ipv6=4321", "--ipv6 4321"})
  void ipv6(String args) {
    assertEquals(at("::1", 4321), start(args.split(" ", -1)).socket());
  }

  @ParameterizedTest
  @ValueSource(strings = {"-p", "--pipe", "-pp", "-pd70", "-p --"})
  void pipe(String args) {
    assertEquals(Optional.empty(), start(args.split(" ", -1)).socket());
  }

  @Test
  void valuesMayLookLikeOptionsOrArgumentFiles() {
    assertEquals(Optional.of(Path.of("-d")), settings("-l", "-d").log());
    assertEquals(Optional.of(Path.of("-")), settings("-l", "-").log());
    assertEquals(Optional.of(Path.of("@log")), settings("-l", "@log").log());
    assertEquals(Optional.of(Path.of("a b,c=\"d\"")), settings("--log=a b,c=\"d\"").log());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "511", "-3", "70x", "x", "", "99999999999", "0x10"})
  void domainIsANumberFrom1To510(String domain) {
    assertEquals(
        "Invalid value for option '--domain': \"" + domain + "\" is not a number from 1 to 510",
        refusal("-d", domain));
  }

  @Test
  void domainsAtTheEdgesAreTaken() {
    assertEquals(1, start("-d", "1").domain());
    assertEquals(510, start("-d", "510").domain());
  }

  @ParameterizedTest
  @CsvSource({"--inet,0", "--inet,65536", "--ipv6,no such service", "--ipv6,-1", "--inet,''"})
  void portIsInRangeOrAService(String option, String port) {
    assertEquals(
        "Invalid value for option '%s': \"%s\" is not a port from 1 to 65535, or a TCP service"
            .formatted(option, port),
        refusal(option, port));
  }

  @Test
  void limitsAreThoseGiven() {
    String all =
        "--max-file-size=1 --max-files=2 --max-metrics=3 --max-instances 4 --max-values=5"
            + " --max-labels=999999999 --max-memory=7 --max-clusters=8 --max-share=9 --max-wait=10";
    assertEquals(ONE_TO_TEN.with(Limit.LABELS, 999_999_999), settings(all.split(" ", -1)).limits());
    assertEquals(7, settings("--max-metrics=7").limits().of(Limit.METRICS));
    assertEquals(Limit.VALUES.byDefault(), settings("--max-metrics=7").limits().of(Limit.VALUES));
  }

  @ParameterizedTest
  @CsvSource({
    "--max-file-size,0",
    "--max-files,-1",
    "--max-metrics,1k",
    "--max-instances,1000000000",
    "--max-values,''",
    "--max-labels,1.5",
    "--max-memory,0"
  })
  void limitsAreNumbers(String option, String number) {
    assertEquals(
        "Invalid value for option '%s': \"%s\" is not a number from 1 to 999999999"
            .formatted(option, number),
        refusal(option, number));
  }

  @Test
  void optionsTakePrecedenceOverTheSettings() {
    Settings settings =
        new Settings(
            ONE_TO_TEN,
            false,
            Optional.of(Path.of("/tmp/settings.log")),
            "pdu",
            List.of(
                new DirectorySettings(
                    Optional.of(Path.of("/tmp/files")),
                    FileRules.DEFAULT,
                    "x",
                    DirectorySettings.DEFAULT.labels())),
            HttpSettings.DEFAULT);
    Settings without = settings(settings, NONE);
    assertEquals(settings.limits(), without.limits());
    assertFalse(without.hasStatus());
    assertEquals(settings.log(), without.log());
    assertEquals(settings.debug(), without.debug());
    assertEquals(settings.directories(), without.directories());
    Settings with =
        settings(settings, "-l", "-", "-D", "appl0", "--max-files=20", "--max-memory=192");
    assertEquals(ONE_TO_TEN.with(Limit.FILES, 20).with(Limit.MEMORY, 192), with.limits());
    assertEquals(Optional.of(Path.of("-")), with.log());
    assertEquals("appl0", with.debug());
    assertEquals(
        Limit.FILES.byDefault(), settings(settings, "--max-files=20000").limits().of(Limit.FILES));
  }

  @ParameterizedTest
  @CsvSource({
    "--check-config,''",
    "--check-config=/tmp/x,/tmp/x",
    "--check-config /tmp/x,/tmp/x",
    "-d 70 --check-config,''",
    "--check-config -d 70,''",
    "--check-config --name=pmproxy,''"
  })
  void checkTakesAFileOrNone(String args, String file) {
    assertEquals(Optional.of(file), start(args.split(" ", -1)).fileToCheck());
  }

  @Test
  void emptyFileNamesAreRefused() {
    assertEquals("Invalid value for option '--log': \"\" is not a file name", refusal("-l", ""));
    assertEquals("Invalid value for option '--unix': \"\" is not a file name", refusal("--unix="));
  }

  @ParameterizedTest
  @CsvSource({
    "-i 1 -u x,-i and -u",
    "-p -6 1,-6 and -p",
    "-i 1 -6 1,-i and -6",
    "-u x --pipe -i 1,-i and -u and -p",
    "-u x --greet,-u and --greet"
  })
  void onlyOneTransportIsTaken(String args, String given) {
    assertEquals(given + " exclude each other", refusal(args.split(" ", -1)));
  }

  @Test
  void aServiceHasAPort() {
    if (Files.exists(Path.of("/etc/services"))) {
      assertEquals(at("127.0.0.1", 80), start("-i", "http").socket());
    } else { // in a minimal installation no service is known
      assertTrue(refusal("-i", "http").contains("http"));
    }
  }

  @Test
  void unknownDebugOptionIsRefused() {
    assertEquals(
        "Invalid value for option '--debug' (LIST): unknown debug option \"pduu\", pmdbg(1) lists the known ones",
        refusal("-D", "pduu"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--foo|Unknown option: '--foo'",
        "-x|Unknown option: '-x'",
        "-px|Unknown option: '-x' (while processing option: '-px')",
        "-d|Missing required parameter for option '--domain' (NUM)",
        "--max-files|Missing required parameter for option '--max-files' (NUM)",
        "--pipe=yes|option '--pipe' should be specified without 'yes' parameter",
        "--max-f=1|'--max-f' is not unique: it matches '--max-file-size', '--max-files'",
        "--u=x|'--u' is not unique: it matches '--username', '--unix'",
        "extra|Unmatched argument at index 0: 'extra'",
        "-|\"-\" is not an option",
        "''|an argument is empty"
      })
  void whatIsNotUnderstoodIsRefusedInOneLine(String arg, String reason) {
    assertEquals(reason, refusal(arg));
  }

  @ParameterizedTest
  @CsvSource({
    "--domian=71,--domain",
    "--loq=x,--log",
    "--max-flies=1,--max-file-size or --max-files or --max-metrics or --max-instances or"
        + " --max-values or --max-labels or --max-memory or --max-clusters or --max-share or --max-wait"
  })
  void aMistypedOptionIsAnsweredWithSuggestions(String arg, String suggestions) {
    assertEquals("Unknown option: '" + arg + "'; did you mean " + suggestions + "?", refusal(arg));
  }

  @Test
  void aLineEndInAnArgumentDoesNotEndTheLine() {
    assertEquals("Unknown option: '--a\\x0ab'", refusal("--a\nb"));
  }

  @Test
  void nothingFollowsTheEndOfTheOptions() {
    assertTrue(refusal("--", "-p").startsWith("Unknown option: '-p'"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-?", "--help", "-d 80 -?", "--he"})
  void helpIsPrinted(String args) {
    CommandLine commandLine = new AgentCommand().parse(args.split(" ", -1));
    assertTrue(commandLine.isUsageHelpRequested());
    assertEquals(
        """
        Usage: pmdajmmv [options]

        Options:
          -D, --debug=LIST          switch on these debug options, see pmdbg(1)
          -d, --domain=NUM          domain of the metrics' identifiers, 70 by default
              --name=NAME           serve the files in $PCP_TMP_DIR/NAME as metrics
                                      NAME.*, mmv by default
          -l, --log=FILE            write the log to this file (-: standard error)
                                      instead of $PCP_LOG_DIR/pmcd/NAME.log
          -U, --username=USER       if started as root, run as this user instead of
                                      $PCP_USER
          -i, --inet=PORT           listen for pmcd on this port or service of 127.0.0.1
          -6, --ipv6=PORT           listen for pmcd on this port or service of ::1
          -u, --unix=FILE           listen for pmcd on this Unix domain socket
          -p, --pipe                communicate with pmcd over a pipe, the default
              --greet               send pmcd the first PDU before Java starts; only on
                                      a pipe
              --max-file-size=NUM   maximum bytes per file, 536870912 by default
              --max-files=NUM       maximum files served at the same time, 20000 by
                                      default
              --max-metrics=NUM     maximum metrics in all files, 100000 by default
              --max-instances=NUM   maximum instances in all files, 200000 by default
              --max-values=NUM      maximum values in all files, 4000000 by default
              --max-labels=NUM      maximum label records in all files, 50000 by default
              --max-memory=NUM      maximum MiB for metadata, a quarter of the heap by
                                      default
              --max-clusters=NUM    maximum clusters in use, 4095 by default
              --max-share=NUM       maximum percentage of these limits for one user
                                      while others need room, 50 by default
              --max-wait=NUM        maximum milliseconds that a request waits for
                                      files, 200 by default
              --no-status           leave out NAME.control.file and NAME.control.agent
              --check-config[=FILE] check the settings in this file instead of
                                      $PCP_SYSCONF_DIR/jmmv/jmmv.toml, and exit
              --adopt=FILE          take over the clusters in the output of 'pminfo -m
                                      NAME' in this file, and exit
          -?, --help                print the options and exit
              --version             print the version and exit
        """,
        commandLine.getUsageMessage(Ansi.OFF));
  }

  @Test
  void versionIsPrinted() {
    CommandLine commandLine = new AgentCommand().parse("--version");
    assertTrue(commandLine.isVersionHelpRequested());
    StringWriter text = new StringWriter();
    commandLine.printVersionHelp(new PrintWriter(text), Ansi.OFF);
    assertTrue(
        text.toString()
            .matches(
                "pmdajmmv version [0-9]+\\.[0-9]+\\.[0-9]+\\S* \\(([0-9a-f]{7}|unknown commit)\\)\n"),
        text::toString);
  }
}
