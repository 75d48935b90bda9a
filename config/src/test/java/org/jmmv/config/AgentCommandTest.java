package org.jmmv.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Optional;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.reader.Limits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {

  private static final String[] NONE = {};

  private static Options start(String... args) {
    return assertInstanceOf(Invocation.Start.class, Options.parse(args)).options();
  }

  private static String refusal(String... args) {
    String text = assertInstanceOf(Invocation.Refuse.class, Options.parse(args)).text();
    assertTrue(text.contains("\nUsage: pmdajmmv [options]\n"), text);
    return text.lines().findFirst().orElseThrow();
  }

  @Test
  void allHasADefault() {
    assertEquals(
        new Options(
            new DebugOptions(),
            70,
            Optional.empty(),
            Optional.empty(),
            new Transport.Pipe(),
            Limits.DEFAULT),
        start(NONE));
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
    assertEquals(
        new Options(
            DebugOptions.parse("pdu,appl0"),
            71,
            Optional.of(Path.of("/tmp/log")),
            Optional.of("nobody"),
            new Transport.Unix(Path.of("/tmp/socket")),
            Limits.DEFAULT),
        start(args.split(" ", -1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-i 4321", "-i4321", "--inet=4321", "--inet 4321"})
  void inet(String args) {
    assertEquals(new Transport.Inet(4321), start(args.split(" ", -1)).transport());
  }

  @ParameterizedTest
  @ValueSource(strings = {"-6 4321", "-64321", "--ipv6=4321", "--ipv6 4321"})
  void ipv6(String args) {
    assertEquals(new Transport.Inet6(4321), start(args.split(" ", -1)).transport());
  }

  @ParameterizedTest
  @ValueSource(strings = {"-p", "--pipe", "-pp", "-pd70", "-p --"})
  void pipe(String args) {
    assertEquals(new Transport.Pipe(), start(args.split(" ", -1)).transport());
  }

  @Test
  void valuesMayLookLikeOptionsOrArgumentFiles() {
    assertEquals(Optional.of(Path.of("-d")), start("-l", "-d").log());
    assertEquals(Optional.of(Path.of("@log")), start("-l", "@log").log());
    assertEquals(Optional.of(Path.of("a b,c=\"d\"")), start("--log=a b,c=\"d\"").log());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "511", "-3", "70x", "x", "", "99999999999", "0x10"})
  void domainIsANumberFrom1To510(String domain) {
    assertEquals(
        "pmdajmmv: option -d takes a number from 1 to 510, not \"" + domain + "\"",
        refusal("-d", domain));
  }

  @Test
  void domainsAtTheEdgesAreTaken() {
    assertEquals(1, start("-d", "1").domain());
    assertEquals(510, start("-d", "510").domain());
  }

  @ParameterizedTest
  @CsvSource({"-i,0", "-i,65536", "-6,no such service", "-6,-1"})
  void portIsInRangeOrAService(String option, String port) {
    assertEquals(
        "pmdajmmv: option %s takes a port from 1 to 65535, or a TCP service in /etc/services, not \"%s\""
            .formatted(option, port),
        refusal(option, port));
  }

  @Test
  void limitsAreThoseGiven() {
    String all =
        "--max-file-size=1 --max-files=2 --max-metrics=3 --max-instances 4 --max-values=5"
            + " --max-labels=999999999";
    assertEquals(new Limits(1, 2, 3, 4, 5, 999_999_999), start(all.split(" ", -1)).limits());
    assertEquals(7, start("--max-metrics=7").limits().metrics());
    assertEquals(Limits.DEFAULT.values(), start("--max-metrics=7").limits().values());
  }

  @ParameterizedTest
  @CsvSource({
    "--max-file-size,0",
    "--max-files,-1",
    "--max-metrics,1k",
    "--max-instances,1000000000",
    "--max-values,''",
    "--max-labels,1.5"
  })
  void limitsAreNumbers(String option, String number) {
    assertEquals(
        "pmdajmmv: option %s takes a number from 1 to 999999999, not \"%s\""
            .formatted(option, number),
        refusal(option, number));
  }

  @Test
  void emptyFileNamesAreRefused() {
    assertEquals("pmdajmmv: option -l takes a file name, not \"\"", refusal("-l", ""));
    assertEquals("pmdajmmv: option -u takes a file name, not \"\"", refusal("--unix="));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-i 1 -u x", "-p -6 1", "-i 1 -6 1", "-u x --pipe"})
  void onlyOneTransportIsTaken(String args) {
    assertEquals(
        "pmdajmmv: only one of -i, -6, -u and -p can be given", refusal(args.split(" ", -1)));
  }

  @Test
  void unknownDebugOptionIsRefused() {
    assertEquals(
        "pmdajmmv: unknown debug option \"pduu\", pmdbg(1) lists the known ones",
        refusal("-D", "pduu"));
  }

  @ParameterizedTest
  @CsvSource({
    "--foo,there is no option --foo",
    "-x,there is no option -x",
    "-px,there is no option -x",
    "-d,'option -d needs a value, NUM'",
    "--max-files,'option --max-files needs a value, NUM'",
    "--pipe=yes,option --pipe takes no value",
    "--max-f=1,option --max-f may be --max-file-size or --max-files",
    "--u=x,option --u may be --username or --unix",
    "extra,'\"extra\" is no option'",
    "-,'\"-\" is no option'"
  })
  void whatIsNotUnderstoodIsRefused(String arg, String reason) {
    assertEquals("pmdajmmv: " + reason, refusal(arg));
  }

  @Test
  void nothingFollowsTheEndOfTheOptions() {
    assertEquals("pmdajmmv: \"--\" is no option", refusal("--", "-p"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-?", "--help", "-d 80 -?"})
  void helpIsPrinted(String args) {
    assertEquals(
        new Invocation.Print(
            """
            Usage: pmdajmmv [options]

            Options:
              -D LIST, --debug=LIST log the work of these debug options, see pmdbg(1)
              -d NUM, --domain=NUM  number of the metrics' domain, 70 by default
              -l FILE, --log=FILE   log here instead of mmv.log in pmcd's log directory
              -U USER, --username=USER
                                    do the work as this user instead of PCP's
              -i PORT, --inet=PORT  wait for pmcd at this IPv4 port or service
              -6 PORT, --ipv6=PORT  wait for pmcd at this IPv6 port or service
              -u FILE, --unix=FILE  wait for pmcd at this Unix domain socket
              -p, --pipe            talk with pmcd through a pipe, the default
              --max-file-size=NUM   serve at most so many bytes of a file, 536870912 by default
              --max-files=NUM       serve at most so many files, 20000 by default
              --max-metrics=NUM     serve at most so many metrics in all, 100000 by default
              --max-instances=NUM   serve at most so many instances in all, 200000 by default
              --max-values=NUM      serve at most so many values in all, 4000000 by default
              --max-labels=NUM      serve at most so many labels in all, 50000 by default
              -?, --help            show this text and exit
              --version             show the version and exit
            """),
        Options.parse(args.split(" ", -1)));
  }

  @Test
  void versionIsPrinted() {
    String text = assertInstanceOf(Invocation.Print.class, Options.parse("--version")).text();
    assertTrue(
        text.matches(
            "pmdajmmv version [0-9]+\\.[0-9]+\\.[0-9]+\\S* \\(([0-9a-f]{7}|unknown commit)\\)\n"),
        text);
  }
}
