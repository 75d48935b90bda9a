package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jmmv.client.AgentConnection;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An agent that is started beside the one under pmcd, as the README does with dbpmda. */
final class SecondAgentTest {
  private final TemporaryPcp pcp = new TemporaryPcp();

  @AfterEach
  void tidyUp() {
    pcp.close();
  }

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
  void aMemoryThatCantBeWrittenIsReportedOnceAndNothingFails() throws IOException {
    Path var = Path.of(pcp.environment().get("PCP_VAR_DIR"));
    Files.delete(var);
    Files.writeString(var, "a file in the directory's place");
    try (AgentConnection agent = start("agent.log")) {
      for (String name : new String[] {"a", "b", "c"}) {
        write(name);
        assertTrue(clusters(agent).containsKey("mmv." + name + ".m"));
      }
    }
    String log = AgentLog.problems(TemporaryPcp.text(pcp.file("agent.log")));
    assertTrue(log.contains("jmmv.clusters can't be"), log);
    assertEquals(1, log.lines().count(), log);
  }
}
