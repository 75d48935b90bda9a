package org.jmmv.qa;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Prints a line when the tests of a class have ended, in the form of Maven's Surefire, and one for
 * each test that could not run, with the reason. {@code check} counts from these lines.
 */
public final class Report implements TestExecutionListener {
  private final Map<String, Count> counts = new ConcurrentHashMap<>(); // by unique ID of the class
  private TestPlan plan;

  /** The tests of one class. */
  private static final class Count {
    private final long start = System.nanoTime();
    private int run;
    private int failed;
    private int skipped;

    private synchronized void add(TestExecutionResult.Status status) {
      run++;
      switch (status) {
        case SUCCESSFUL -> {}
        case ABORTED -> skipped++;
        case FAILED -> failed++;
      }
    }

    @Override
    public synchronized String toString() {
      return String.format(
          Locale.ROOT,
          "Tests run: %d, Failures: %d, Errors: 0, Skipped: %d, Time elapsed: %.3f s",
          run,
          failed,
          skipped,
          (System.nanoTime() - start) / 1e9);
    }
  }

  @Override
  public void testPlanExecutionStarted(TestPlan started) {
    plan = started;
  }

  @Override
  public void executionStarted(TestIdentifier test) {
    if (isClass(test)) {
      counts.put(test.getUniqueId(), new Count());
    }
  }

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    count(test, TestExecutionResult.aborted(null), reason);
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    String reason = result.getThrowable().map(Throwable::getMessage).orElse("");
    // a class fails, or can't run, for what its static methods do: it counts as a test then
    if (test.isTest() || result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
      count(test, result, reason);
    }
    if (isClass(test)) {
      System.out.println(
          counts.get(test.getUniqueId()) + " -- in " + test.getLegacyReportingName());
    }
  }

  private void count(TestIdentifier test, TestExecutionResult result, String reason) {
    enclosingClass(test)
        .map(found -> counts.computeIfAbsent(found.getUniqueId(), _ -> new Count()))
        .ifPresent(count -> count.add(result.getStatus()));
    if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
      System.out.println("[SKIPPED] " + name(test) + ": " + reason);
    } else if (result.getStatus() == TestExecutionResult.Status.FAILED) {
      System.out.println("[FAILED] " + name(test) + ": " + reason.lines().findFirst().orElse(""));
    }
  }

  private String name(TestIdentifier test) {
    String inner = test.getLegacyReportingName();
    return enclosingClass(test)
        .filter(outer -> !outer.equals(test))
        .map(outer -> outer.getLegacyReportingName() + "." + inner)
        .orElse(inner);
  }

  private Optional<TestIdentifier> enclosingClass(TestIdentifier test) {
    Optional<TestIdentifier> found = Optional.of(test);
    while (found.isPresent() && !isClass(found.get())) {
      found = plan.getParent(found.get());
    }
    return found;
  }

  private static boolean isClass(TestIdentifier test) {
    Optional<TestSource> source = test.getSource();
    return source.isPresent() && source.get() instanceof ClassSource;
  }
}
