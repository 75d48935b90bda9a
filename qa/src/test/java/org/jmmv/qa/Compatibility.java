package org.jmmv.qa;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** The results of {@link ContainerTest} as tables, and docs/compatibility.md with them. */
final class Compatibility {
  /** PCP's own tests that can't say anything about jmmv, with the reasons. */
  static final SequencedMap<String, String> NOT_APPLICABLE = notApplicable();

  /** What one of PCP's own tests expects, what it prints with jmmv instead, and the reason. */
  record Difference(String expected, String printed, String reason) {}

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

  /** PCP's own tests with which jmmv intentionally prints something else. */
  static final Map<String, Difference> INTENTIONAL =
      new TreeMap<>(
          Map.of(
              "1545",
              new Difference(
                  BEFORE_NEW_METRICS + NEW_METRICS,
                  BEFORE_NEW_METRICS,
                  "jmmv reports a change of names when names have changed, the stock agent also after any other"
                      + " change of the directory, such as that of the test before pcp2xml starts. So pcp2xml looks"
                      + " the names up again one sample later"),
              "1547",
              new Difference(
                  "names-change=abort\n  m.c.files\n           \n",
                  "names-change=abort\n  m.c.files\n           \n          0\n          0\n",
                  "the stock agent also reports a change of names after each store to `mmv.control.reload`."
                      + " pmrep, which is told to stop at a change, goes on until there is one")));

  private static SequencedMap<String, String> notApplicable() {
    SequencedMap<String, String> reasons = new LinkedHashMap<>();
    String library = "tests libpcp_mmv alone, without an agent";
    String dump = "tests mmvdump, which reads files itself";
    String local =
        "loads the stock agent's library into the client; no pmcd and no agent take part";
    reasons.put("646", dump);
    reasons.put("682", library);
    reasons.put("990", dump + ", and " + local);
    reasons.put("1294", library);
    reasons.put("1301", "tests `pmproxy.*`, which is another agent in the stock agent's library");
    reasons.put("1415", dump);
    reasons.put("1422", local);
    reasons.put("1552", local + ". DifferentialTest compares both agents over a file like its");
    return reasons;
  }

  /** The name of the check that runs PCP's own tests. */
  static final String PCPS_TESTS = "PCP's own tests";

  private static final int SUITES = 4;
  private static final Path TABLE = Path.of(System.getProperty("jmmv.compatibility"));
  private static final Path PAGE = TABLE.resolve("../../../docs/compatibility.md").normalize();

  private record Count(int passed, int failed) {
    Count plus(boolean isPassed) {
      return isPassed ? new Count(passed + 1, failed) : new Count(passed, failed + 1);
    }

    String cell() {
      return failed == 0 ? passed + " passed" : "**" + failed + " failed**, " + passed + " passed";
    }
  }

  private final Map<String, SequencedMap<String, Count>> rows = new TreeMap<>();

  /** Records the outcome of a test. */
  synchronized void record(String version, String suite, String check, boolean passed) {
    rows.computeIfAbsent(version + " | Debian " + suite, _ -> new TreeMap<>())
        .merge(check, new Count(0, 0).plus(passed), (old, _) -> old.plus(passed));
  }

  /**
   * Writes the table of results to qa/target/compatibility.md, and, if no test has failed and none
   * was left out, the page with it.
   */
  void write() {
    Set<String> checks = new TreeSet<>();
    rows.values().forEach(row -> checks.addAll(row.keySet()));
    StringBuilder table = new StringBuilder();
    line(table, "PCP | distribution", checks);
    line(table, "---|---", Collections.nCopies(checks.size(), "---"));
    rows.forEach((version, row) ->
        line(
            table,
            version,
            checks.stream()
                .map(check -> row.containsKey(check) ? row.get(check).cell() : "")
                .toList()));
    try {
      Files.writeString(TABLE, table);
      if (rows.size() == SUITES && rows.values().stream().allMatch(row -> isGood(row, checks))) {
        Files.writeString(PAGE, page(table.toString()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether no test of a row has failed, and none but PCP's own was left out. */
  private static boolean isGood(Map<String, Count> row, Set<String> checks) {
    return row.values().stream().allMatch(count -> count.failed() == 0)
        && checks.stream().allMatch(check -> row.containsKey(check) || check.equals(PCPS_TESTS));
  }

  private static String page(String table) {
    StringBuilder differences = new StringBuilder();
    INTENTIONAL.forEach(
        (test, difference) -> line(differences, test, List.of(difference.reason())));
    StringBuilder notApplicable = new StringBuilder();
    NOT_APPLICABLE.forEach((test, reason) -> line(notApplicable, test, List.of(reason)));
    return """
    # Compatibility

    ContainerTest in `qa` writes this page when all its tests have passed. It runs jmmv in containers with the versions of PCP
    in Debian's suites; Debian sid changes over time. Each number counts tests.

    %s
    - *package, clients, archive*: `dpkg -i`, `Install`, `Remove` and `dpkg -P` of the Debian package, while applications with
      this version's libraries for C, Python and Perl, and with Parfait, come and go. `pminfo` prints the same with jmmv as
      before and after with the stock agent, which PCP runs as a DSO in pmcd by default, apart from `mmv.control.file` and
      `mmv.control.agent`. This includes files of Speed, Hornet and Parfait. A pmlogger records throughout. In the end, all files of PCP and in `/etc` and `/usr` are as before.
    - *same replies as its stock agent*: jmmv and this version's `pmdammv`, both on a pipe, reply to all kinds of requests
      for the same files. The replies are compared byte for byte.
    - *clients of jmmv serve*: PCP's clients, such as `pminfo`, `pmrep`, `pmie` and the REST API of `pmproxy`, print the same
      by way of `jmmv serve` and of pmcd with jmmv as its agent.
    - *PCP's own tests*: those of the package pcp-testsuite that concern MMV. PCP's own scripts install jmmv in place of
      `pmdammv`, anew before each test, and the output is that which PCP expects. The setting is `status = false`, because the
      tests print all of `mmv`. Test 1547 runs with times three times as long, because it runs beside many others.

    ## PCP's own tests

    The help of `mmv.control.*` is jmmv's own. Its lines, which tests 647 and 648 print, are left out of both outputs before
    these are compared. In other respects, jmmv intentionally differs in:

    | test | reason |
    |---|---|
    %s
    These tests do not apply to jmmv:

    | test | reason |
    |---|---|
    %s\
    """
        .formatted(table, differences, notApplicable);
  }

  private static void line(StringBuilder table, String first, Collection<String> cells) {
    table.append("| ").append(first).append(" | ").append(String.join(" | ", cells)).append(" |\n");
  }

  /** Records each test of a {@link DebianSuite}. */
  static final class Recorder implements InvocationInterceptor {
    @Override
    public void interceptTestMethod(
        Invocation<Void> invocation,
        ReflectiveInvocationContext<Method> method,
        ExtensionContext context)
        throws Throwable {
      record(invocation, context);
    }

    @Override
    public void interceptTestTemplateMethod(
        Invocation<Void> invocation,
        ReflectiveInvocationContext<Method> method,
        ExtensionContext context)
        throws Throwable {
      record(invocation, context);
    }

    @Override
    public void interceptDynamicTest(
        Invocation<Void> invocation, DynamicTestInvocationContext test, ExtensionContext context)
        throws Throwable {
      record(invocation, context);
    }

    private static void record(Invocation<Void> invocation, ExtensionContext context)
        throws Throwable {
      ExtensionContext ofMethod = context;
      while (ofMethod.getTestMethod().isEmpty()) {
        ofMethod = ofMethod.getParent().orElseThrow(); // of a dynamic test
      }
      boolean passed = false;
      try {
        invocation.proceed();
        passed = true;
      } finally {
        DebianSuite suite = (DebianSuite) ofMethod.getRequiredTestInstance();
        suite.record(check(ofMethod.getRequiredTestMethod()), passed);
      }
    }

    /** Returns the name of a test's method, or of the class that declares it. */
    private static String check(Method method) {
      return AnnotationSupport.findAnnotation(method, DisplayName.class)
          .or(() -> AnnotationSupport.findAnnotation(method.getDeclaringClass(), DisplayName.class))
          .orElseThrow()
          .value();
    }
  }
}
