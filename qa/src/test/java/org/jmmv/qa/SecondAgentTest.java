package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jmmv.client.AgentConnection;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * An agent that is started beside the one under pmcd: one like it, as docs/troubleshooting.md does
 * with dbpmda, or one of another name, as docs/pmproxy.md does.
 */
final class SecondAgentTest {
  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();

  private AgentConnection start(String log) throws IOException {
    AgentCommand command = AgentCommand.jmmv().with("-l", pcp.file(log).toString());
    return AgentConnection.start(command.words(), pcp.environment());
  }

  private void write(String name) {
    MmvWriter file = new MmvWriter(2);
    file.metric("m", 1, ValueType.U32).value(1);
    file.write(pcp.mmv(), name);
  }

  private static Map<String, Integer> clusters(AgentConnection agent) throws IOException {
    Map<String, Integer> clusters = new TreeMap<>();
    for (String name : agent.traverse("mmv")) {
      if (!name.startsWith("mmv.control.")) {
        clusters.put(name, Pmid.cluster(agent.pmid(name)));
      }
    }
    return clusters;
  }

  @Test
  void itDoesNotChangeTheClustersOfTheFirstOne() throws IOException {
    Map<String, Integer> right = Map.of("mmv.a.m", 1, "mmv.z.m", 2);
    try (AgentConnection first = start("first.log")) {
      first.traverse("mmv");
      try (AgentConnection second = start("second.log")) {
        write("z");
        assertEquals(Map.of("mmv.z.m", 1), clusters(second));
        write("a");
        assertEquals(right, clusters(first));
        assertEquals(Map.of("mmv.z.m", 1, "mmv.a.m", 2), clusters(second));
      }
      assertEquals(right, clusters(first));
    }
    try (AgentConnection restarted = start("restarted.log")) {
      assertEquals(right, clusters(restarted));
    }
    assertEquals("", AgentLog.problems(TemporaryPcp.text(pcp.file("first.log"))));
    assertEquals("", AgentLog.problems(TemporaryPcp.text(pcp.file("restarted.log"))));
    String log = AgentLog.problems(TemporaryPcp.text(pcp.file("second.log")));
    assertTrue(log.contains("jmmv.clusters can't be written"), log);
    assertEquals(1, log.lines().count(), log);
  }

  @Test
  void anAgentOfAnotherNameHasItsOwnDirectoryLogMemoryAndSettings() throws IOException {
    MmvWriter file = new MmvWriter(2);
    file.metric("m", 1, ValueType.U32).value(1);
    Path pmproxy = Files.createDirectories(pcp.mmv().resolveSibling("pmproxy"));
    for (String name : List.of("app", "kept")) {
      file.write(pcp.mmv(), name);
      file.write(pmproxy, name);
    }
    Path settings = Files.createDirectories(pcp.file("etc/jmmv"));
    Files.writeString(settings.resolve("jmmv.toml"), "[[directory]]\nexclude = [\"app\"]\n");
    try (AgentConnection _ = startWithDefaults();
        AgentConnection second = startWithDefaults("-d", "4", "--name=pmproxy", "--no-status")) {
      Set<String> both = Set.of("pmproxy.app.m", "pmproxy.kept.m");
      Set<String> control =
          Set.of("pmproxy.control.reload", "pmproxy.control.debug", "pmproxy.control.files");
      assertEquals(union(both, control), withoutThoseOfPcp7(second.traverse("pmproxy")));
      assertEquals(Pmid.build(4, 1, 1), second.pmid("pmproxy.app.m"));
    }
    Files.writeString(
        settings.resolve("jmmv-pmproxy.toml"), "[[directory]]\nexclude = [\"kept\"]\n");
    try (AgentConnection first = startWithDefaults();
        AgentConnection second = startWithDefaults("-d4", "--name=pmproxy", "--no-status")) {
      assertEquals(Set.of("mmv.kept.m"), clusters(first).keySet());
      assertTrue(second.traverse("pmproxy").contains("pmproxy.app.m"));
      assertFalse(second.traverse("pmproxy").contains("pmproxy.kept.m"));
    }
    assertEquals(
        Set.of("mmv.log", "mmv.log.prev", "pmproxy.log", "pmproxy.log.prev"),
        names(pcp.file("log/pmcd")));
    assertEquals(
        Set.of(
            "jmmv.clusters",
            "jmmv.clusters.lock",
            "jmmv-pmproxy.clusters",
            "jmmv-pmproxy.clusters.lock"),
        names(pcp.file("var/config/pmda")));
    for (String log : names(pcp.file("log/pmcd"))) {
      String text = TemporaryPcp.text(pcp.file("log/pmcd").resolve(log));
      assertEquals("", AgentLog.problems(text));
      assertTrue(text.contains(log.startsWith("mmv") ? "/tmp/mmv " : "/tmp/pmproxy "), text);
    }
  }

  private AgentConnection startWithDefaults(String... options) throws IOException {
    Map<String, String> environment = new HashMap<>(pcp.environment());
    environment.put("PCP_SYSCONF_DIR", pcp.file("etc").toString());
    return AgentConnection.start(AgentCommand.jmmv().with(options).words(), environment);
  }

  private static Set<String> union(Set<String> some, Set<String> others) {
    Set<String> all = new HashSet<>(some);
    all.addAll(others);
    return all;
  }

  private static Set<String> withoutThoseOfPcp7(List<String> names) {
    Set<String> all = new HashSet<>(names);
    all.remove("pmproxy.control.metrics");
    return all;
  }

  private static Set<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
    }
  }
}
