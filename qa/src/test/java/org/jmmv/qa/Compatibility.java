package org.jmmv.qa;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
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

  private static SequencedMap<String, String> notApplicable() {
    SequencedMap<String, String> reasons = new TreeMap<>();
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
    reasons.put("1552", local + ". DifferentialTest compares both agents over its file");
    return reasons;
  }

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
      Files.writeString(Path.of(System.getProperty("jmmv.compatibility")), table);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
      DebianSuite suite = (DebianSuite) context.getRequiredTestInstance();
      boolean passed = false;
      try {
        invocation.proceed();
        passed = true;
      } finally {
        suite.record(check(context), passed);
      }
    }

    /** Returns the name of the test's method, or of the class that declares it. */
    private static String check(ExtensionContext context) {
      ExtensionContext ofMethod = context;
      while (ofMethod.getTestMethod().isEmpty()) {
        ofMethod = ofMethod.getParent().orElseThrow(); // of a dynamic test
      }
      Method method = ofMethod.getRequiredTestMethod();
      return AnnotationSupport.findAnnotation(method, DisplayName.class)
          .or(() -> AnnotationSupport.findAnnotation(method.getDeclaringClass(), DisplayName.class))
          .orElseThrow()
          .value();
    }
  }
}
