package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Also runs PCP's own tests of its MMV agent, with jmmv in place of that agent.
 * docs/compatibility.md says which of them do not apply to jmmv, and why jmmv prints something else
 * in others.
 */
abstract class DebianSuiteWithPcpTests extends DebianSuite {
  private static final Path TESTS = Path.of("/var/lib/pcp/testsuite");

  // Tests that PCP's list of tests does not count among those of its MMV agent, but need it.
  private static final List<String> MORE = List.of("1545", "1546", "1547");

  // The programs of the tests beside mmv*, and the module for Python.
  private static final String PROGRAMS = "fetchloop test_mmv.py";

  /** The second sample of test 1545, at which the metrics of a new file are expected. */
  private static final String NEW_METRICS =
      """
      <test>
      <counter unit="count">41</counter>
      <discrete>42</discrete>
      <indom instance-name="hero" unit="count">0</indom>
      <indom instance-name="zero" unit="count">43</indom>
      <interval instance-name="bird" unit="microsec">0</interval>
      <interval instance-name="tree" unit="microsec">0</interval>
      <interval instance-name="eggs" unit="microsec">xxxxxxx</interval>
      <string>g'day world</string>
      <strings instance-name="zero">00oo00</strings>
      <strings instance-name="hero"/>
      </test>
      """;

  private static final String BEFORE_NEW_METRICS =
      """
      <files>0</files>
      </control>
      </mmv>
      </timestamp>
      <timestamp>
      <mmv>
      <control>
      <files>1</files>
      </control>
      """;

  /** What one of PCP's own tests expects, and what it prints with jmmv instead. */
  private record Difference(String expected, String printed) {}

  private static final Map<String, Difference> INTENTIONAL =
      Map.of(
          "1545",
          new Difference(BEFORE_NEW_METRICS + NEW_METRICS, BEFORE_NEW_METRICS),
          "1547",
          new Difference(
              "names-change=abort\n  m.c.files\n           \n",
              "names-change=abort\n  m.c.files\n           \n          0\n          0\n"));

  DebianSuiteWithPcpTests(String suite) {
    super(suite);
  }

  @TestFactory
  Stream<DynamicTest> pcpsOwnTestsPassWithJmmvInPlaceOfTheStockAgent() {
    if (!asksAll()) {
      return Stream.empty();
    }
    final String stockHelp = help();
    buildPrograms();
    putJmmvInPlace();
    installAnew();
    final String help = help();
    Set<String> tests = tests();
    tests.removeAll(notApplicable());
    return tests.stream().map(test -> dynamicTest(test, () -> assertPasses(test, stockHelp, help)));
  }

  /** Returns the numbers of the tests. */
  private Set<String> tests() {
    Set<String> tests = new TreeSet<>(MORE);
    pcp()
        .text(TESTS.resolve("group"))
        .lines()
        .filter(line -> line.matches("[0-9]+ .*\\b(pmda\\.mmv|libpcp_mmv)\\b.*"))
        .map(line -> line.split(" ", 2)[0])
        .forEach(tests::add);
    return tests;
  }

  /** Returns the tests that docs/compatibility.md lists as not applicable. */
  private static Set<String> notApplicable() {
    String page = TemporaryPcp.text(Path.of("../docs/compatibility.md"));
    Set<String> tests =
        Pattern.compile("^\\| (\\d+) \\|", Pattern.MULTILINE)
            .matcher(page.substring(page.indexOf("These tests do not apply to jmmv:")))
            .results()
            .map(row -> row.group(1))
            .collect(Collectors.toSet());
    assertFalse(tests.isEmpty(), page);
    return tests;
  }

  private void buildPrograms() {
    in(TESTS, "./mk.localconfig").outOfSuccess();
    in(TESTS.resolve("src"), "make -s $(ls mmv*.c | sed 's/[.]c$//') " + PROGRAMS).outOfSuccess();
    // the sample agent's help, for test 213
    in(pcp().place("PCP_PMDAS_DIR").resolve("sample"), "./Install").outOfSuccess();
    // 1547 starts pmrep, which takes a sample each second, and changes a file half a second before
    // one of them. On a busy machine pmrep starts too late for that, so all its times are tripled.
    in(TESTS, "perl -pi -e 's/(-t|pmsleep|genstats test) ([0-9.]+)/\"$1 \" . 3 * $2/ge' 1547")
        .outOfSuccess();
    // or PCP warns, in the output of its tests, that pmlogger is not enabled
    in(TESTS, "update-rc.d pmlogger remove; update-rc.d pmlogger defaults 94 06").outOfSuccess();
  }

  /**
   * Makes PCP's own Install install jmmv under the stock agent's name, as a process. The tests
   * install and remove the agent themselves, and compare what is printed then, too.
   */
  private void putJmmvInPlace() {
    installPackages();
    Path stock = pcp().place("PCP_PMDAS_DIR").resolve("mmv");
    in(
            stock,
            "sed -i 's/^dso_opt=true/dso_opt=false/; s/^daemon_opt=false/daemon_opt=true/' $(realpath Install)")
        .outOfSuccess();
    // They sleep for a second after each signal and before they ask the agent. pmcd answers nobody
    // while it starts or ends agents.
    in(
            stock,
            "sed -i '/pmdaproc[.]sh$/a signal_delay=0.1 check_delay=0.1' $(realpath Install Remove)")
        .outOfSuccess();
    in(
            stock,
            "rm pmdammv && printf '#!/bin/sh\\nexec %s/pmdajmmv --greet \"$@\"\\n' "
                + pcp().jmmv()
                + " >pmdammv")
        .outOfSuccess();
    in(stock, "chmod 755 pmdammv").outOfSuccess();
    // the control metrics of the stock agent alone, because the tests print all of mmv
    Path settings = pcp().place("PCP_SYSCONF_DIR").resolve("jmmv");
    in(Path.of("/"), "mkdir -p %1$s && echo 'status = false' >%1$s/jmmv.toml".formatted(settings))
        .outOfSuccess();
  }

  private void installAnew() {
    Path stock = pcp().place("PCP_PMDAS_DIR").resolve("mmv");
    Path clusters = pcp().place("PCP_VAR_DIR").resolve("config/pmda/jmmv.clusters");
    in(pcp().mmv(), "rm -f *").outOfSuccess();
    String printed = in(stock, "./Remove; rm -f " + clusters + "; ./Install").outOfSuccess();
    pcp().awaitWell("mmv", printed); // PCP's Install does not wait as long as a busy machine takes
    assertTrue(pcp().jmmvJava().endsWith("/java"), "jmmv runs");
  }

  private void assertPasses(String test, String stockHelp, String help) {
    String printed = print(test);
    assertFalse(
        pcp().exists(TESTS.resolve(test + ".notrun")),
        () -> "not run: " + pcp().text(TESTS.resolve(test + ".notrun")));
    String expected = pcp().text(TESTS.resolve(test + ".out"));
    Difference difference = INTENTIONAL.get(test);
    if (difference != null) {
      assertTrue(expected.contains(difference.expected()), expected);
      expected = expected.replace(difference.expected(), difference.printed());
    }
    final String wanted = without(stockHelp, expected);
    // they print samples of fixed times: on a busy machine one can be too early or too late
    if (!without(help, printed).equals(wanted)) {
      printed = print(test);
    }
    String found = without(help, printed);
    assertEquals(wanted, found, () -> firstDifference(wanted, found));
  }

  /** Returns some lines: both outputs are long, and ./check prints only the end of a log. */
  private static String firstDifference(String wanted, String found) {
    List<String> lines = found.lines().toList();
    int first = Arrays.mismatch(wanted.lines().toArray(), lines.toArray());
    return "from line "
        + (first + 1)
        + ": "
        + lines.subList(first, Math.min(first + 5, lines.size()));
  }

  private String print(String test) {
    installAnew();
    return in(TESTS, "./" + test + " 2>&1").out();
  }

  /** Returns the control metrics with their help, which is jmmv's own. */
  private String help() {
    return pcp().run("pminfo", "-mtT", "mmv.control").outOfSuccess();
  }

  /** Leaves out lines that are empty or those of a help, but not the heading before it. */
  private static String without(String help, String text) {
    Set<String> lines = help.lines().collect(Collectors.toSet());
    lines.add("");
    lines.remove("Help:");
    return text.lines().filter(line -> !lines.contains(line)).collect(Collectors.joining("\n"));
  }

  private Shell.Result in(Path directory, String command) {
    return pcp().run("sh", "-c", "cd " + directory + " && " + command);
  }
}
