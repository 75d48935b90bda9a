package org.jmmv.qa.check;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How {@code ./check} reads its command line and the logs of its parts. */
@Tag("quick")
final class CheckTest {
  private static final Log LOG =
      new Log(
          """
          [INFO] Tests run: 12, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.5 s -- in org.jmmv.pcp.UnitsTest
          [ERROR] Tests run: 9, Failures: 1, Errors: 1, Skipped: 0, Time elapsed: 2 s <<< FAILURE! -- in org.jmmv.core.ATest
          [ERROR] org.jmmv.core.ATest.first(int)[2] -- Time elapsed: 1.1 s <<< FAILURE!
          org.opentest4j.AssertionFailedError: 5 ==> expected: <true> but was: <false>
          [ERROR] org.jmmv.core.ATest.second -- Time elapsed: 0.1 s <<< ERROR!
          java.lang.IllegalStateException: closed
          [SKIPPED] org.jmmv.qa.BTest.third(): needs root (run ./check as root)
          Tests run: 4, Failures: 1, Errors: 0, Skipped: 1, Time elapsed: 27.009 s -- in org.jmmv.qa.BTest
          [FAILED] org.jmmv.qa.BTest.fourth(): expected: <1> but was: <2>
          [ERROR] Tests run: 25, Failures: 2, Errors: 1, Skipped: 1

          """
              .lines()
              .toList());

  @Test
  void testsAreCountedByTheLinesOfTheirClasses() {
    assertEquals(new Log.Count(25, 3, 1), LOG.count());
    assertEquals(21, LOG.count().passed());
  }

  @Test
  void failedTestsAndReasonsAreNamed() {
    assertEquals(
        List.of(
            "org.jmmv.core.ATest.first(int)[2]: org.opentest4j.AssertionFailedError: 5 ==> expected:"
                + " <true> but was: <false>",
            "org.jmmv.core.ATest.second: java.lang.IllegalStateException: closed",
            "org.jmmv.qa.BTest.fourth(): expected: <1> but was: <2>"),
        LOG.failures());
    assertEquals(List.of("needs root (run ./check as root)"), LOG.reasons());
  }

  @Test
  void whereNoTestFailedTheFirstErrorsAreShown() {
    List<String> errors = List.of("[ERROR] 1", "[ERROR]   2", "[ERROR] 3");
    assertEquals(
        errors,
        new Log(List.of("a", "[ERROR] 1", "[ERROR]   2", "[ERROR] 3", "[ERROR] 4", "")).failures());
    assertEquals(List.of("b"), new Log(List.of("a", "b", "")).failures());
  }

  @Test
  void aQuickRunEndsBeforeContainers() {
    Set<Part> quick = Options.of("--quick").parts();
    assertEquals(
        EnumSet.complementOf(
            EnumSet.of(
                Part.IMAGES,
                Part.CONTAINERS,
                Part.HOSTILE,
                Part.PACKAGES,
                Part.RPMS,
                Part.REBUILD,
                Part.UPGRADES,
                Part.FUZZ,
                Part.AARCH64)),
        quick);
    assertEquals(EnumSet.complementOf(EnumSet.of(Part.AARCH64)), Options.of().parts());
    assertEquals(EnumSet.allOf(Part.class), Options.of("--nightly").parts());
  }

  @Test
  void aQuickRunHasSomeTestsOfAPart() {
    assertEquals(
        List.of("qa/apart", "qa/run", "--quick", "install"),
        Part.INSTALL.command(Options.of("--quick")));
    assertEquals(List.of("qa/run", "machine"), Part.MACHINE.command(Options.of()));
  }

  @Test
  void partsAreChosenOrLeftOut() {
    assertEquals(EnumSet.of(Part.UNIT, Part.DEMO), Options.of("demo", "unit").parts());
    Options without = Options.of("--without", "containers", "--without", "root");
    assertFalse(without.parts().contains(Part.CONTAINERS));
    assertEquals(List.of("containers", "root"), without.accepted());
    Options fuzz = Options.of("--fuzz", "5");
    assertEquals(EnumSet.of(Part.BUILD, Part.FUZZ), fuzz.parts());
    assertTrue(Part.FUZZ.command(fuzz).contains("-Dhunt=5m"));
  }

  @Test
  void mistakesAreExplained() {
    for (String[] words : new String[][] {{"--quik"}, {"--without"}, {"--fuzz", "x"}, {"--fuzz"}}) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> Options.of(words)).getMessage();
      assertTrue(message.contains(words[words.length - 1]), message);
    }
  }

  /** The workflow runs the parts in several jobs. */
  @Test
  void theWorkflowRunsEachPartOnce() throws IOException {
    JsonNode jobs =
        new YAMLMapper().readTree(Path.of("../.github/workflows/check.yml").toFile()).path("jobs");
    List<String> words = new ArrayList<>();
    for (JsonNode step : jobs.path("build").path("steps")) {
      Matcher run = Pattern.compile("\\.ci/run (.*)").matcher(step.path("run").asText());
      if (run.matches()) {
        words.addAll(List.of(run.group(1).split(" ")));
      }
    }
    for (JsonNode parts : jobs.path("test").path("strategy").path("matrix").path("parts")) {
      words.addAll(List.of(parts.asText().split(" ")));
    }
    words.remove("images"); // for containers and for packages
    assertEquals(
        Options.of().parts().stream().map(Part::label).sorted().toList(),
        words.stream().sorted().toList());
  }

  /** A part that waits for a later one would wait for ever. */
  @Test
  void aPartWaitsForEarlierOnesOnly() {
    for (Part part : Part.values()) {
      part.after().forEach(before -> assertTrue(before.compareTo(part) < 0, part::label));
    }
  }

  /** Ctrl-C reaches the parts, too, which may end before they are killed. */
  @Test
  void ctrlCEndsWhatRunsAndShowsTheTable(@TempDir Path home)
      throws IOException, InterruptedException {
    for (String name : List.of("check", "dist", "qa")) {
      Files.createSymbolicLink(home.resolve(name), Path.of("..", name).toRealPath());
    }
    String script = "#!/bin/sh\ntrap 'sleep 0.1; exit 130' INT\n: >begun\nsleep 300\n";
    assertTrue(Files.writeString(home.resolve("mvn"), script).toFile().setExecutable(true));
    ProcessBuilder builder =
        new ProcessBuilder("setsid", "./check", "--offline", "build", "unit")
            .directory(home.toFile())
            .redirectErrorStream(true);
    builder.environment().merge("PATH", home + ":", (path, first) -> first + path);
    Process check = builder.start();
    while (check.isAlive() && Files.notExists(home.resolve("begun"))) {
      Thread.sleep(20);
    }
    new ProcessBuilder("kill", "-INT", "--", "-" + check.pid()).start().waitFor();
    String shown = new String(check.getInputStream().readAllBytes(), UTF_8);
    assertTrue(shown.contains("PART        RESULT"), shown);
    assertTrue(Pattern.compile("(?m)^build +interrupted ").matcher(shown).find(), shown);
    assertTrue(shown.endsWith("Not begun: unit\n"), shown);
    assertEquals(128 + 2, check.waitFor());
  }
}
