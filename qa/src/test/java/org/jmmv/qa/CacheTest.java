package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The AOT cache makes the start faster, and the agent runs without it. */
final class CacheTest {
  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();

  @Test
  void theClassesComeFromTheCacheWhereverItIsInstalled() throws IOException {
    Path home = pcp.file("jmmv");
    Shell.run(Map.of(), List.of("cp", "-Rp", AgentCommand.HOME + "/", home.toString()))
        .outOfSuccess();
    AgentCommand jmmv =
        new AgentCommand("jmmv", home.resolve("bin/pmdajmmv"), AgentCommand.jmmv().options());
    Path classes = pcp.file("classes");
    assertStarts(jmmv, Map.of("JMMV_JAVA_OPTS", "-Xlog:class+load:file=" + classes));
    List<String> ours =
        Files.readAllLines(classes).stream()
            .filter(line -> line.contains(" org.jmmv.") && !line.contains("0x"))
            .toList();
    assertTrue(ours.size() > 50, ours::toString);
    assertEquals(
        List.of(), ours.stream().filter(line -> !line.contains("shared objects file")).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"missing", "empty", "garbled", "cut off"})
  void theAgentRunsWithoutAUsableCache(String how) throws IOException {
    Path home = pcp.file("jmmv");
    Shell.run(Map.of(), List.of("cp", "-a", AgentCommand.HOME + "/", home.toString()))
        .outOfSuccess();
    Path cache = home.resolve("lib/jmmv.aot");
    byte[] bytes = Files.readAllBytes(cache);
    Files.delete(cache); // the copy is a link
    switch (how) {
      case "missing" -> {}
      case "empty" -> Files.write(cache, new byte[0]);
      case "garbled" -> {
        Arrays.fill(bytes, 0, 4096, (byte) 'x');
        Files.write(cache, bytes);
      }
      default -> Files.write(cache, Arrays.copyOf(bytes, bytes.length / 2)); // cut off
    }
    AgentCommand jmmv = AgentCommand.jmmv();
    assertStarts(new AgentCommand("jmmv", home.resolve("bin/pmdajmmv"), jmmv.options()), Map.of());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-XX:+UseParallelGC",
        "-XX:-UseCompressedOops",
        "-Xint",
        "-Xmx64m",
        "-Xshare:auto"
      })
  void theAgentRunsWithOptionsThatTheCacheWasNotMadeWith(String option) {
    assertStarts(AgentCommand.jmmv(), Map.of("JMMV_JAVA_OPTS", collector(option)));
  }

  /** The JVM refuses two collectors, so the launcher's is switched off. */
  private static String collector(String option) {
    return option.contains("GC") ? "-XX:-UseSerialGC " + option : option;
  }

  @Test
  void anotherJavaCanBeUsed() {
    assertStarts(AgentCommand.jmmv(), Map.of("JMMV_JAVA", System.getProperty("java.home")));
  }

  private void assertStarts(AgentCommand jmmv, Map<String, String> environment) {
    Path log = pcp.file("mmv.log");
    try (AgentProcess agent =
        AgentProcess.start(pcp, jmmv.with("-l", log.toString()), environment)) {
      agent.awaitGreeting();
      assertEquals(Set.of("control"), agent.children());
      assertEquals(0, agent.statusAfterEndOfInput());
      assertEquals("", agent.errors());
      assertEquals("", AgentLog.problems(TemporaryPcp.text(log)));
    }
  }
}
