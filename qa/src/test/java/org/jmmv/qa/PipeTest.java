package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pipe to pmcd carries PDUs only, whatever the JVM prints. */
@Tag("quick")
final class PipeTest {
  private static final String ALL_TALK =
      "-Xlog:gc*:stdout -XX:+PrintFlagsFinal -showversion -verbose:class -Xlog:safepoint";

  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-XX:+PrintCommandLineFlags --show-version",
        "-Xlog:all=warning -XX:AOTCache=/nonexistent",
        "-Xlog:all=warning -XX:SharedArchiveFile=/nonexistent",
        "-XX:+UnlockDiagnosticVMOptions -XX:+LogVMOutput -XX:LogFile=/nonexistent/vm.log",
        ALL_TALK
      })
  void whatTheJvmPrintsDoesNotGetIntoThePipe(String options) {
    AgentCommand command = AgentCommand.jmmv().with("-l", pcp.file("mmv.log").toString());
    try (AgentProcess agent = AgentProcess.start(pcp, command, talkative(options))) {
      agent.awaitGreeting();
      assertEquals(Set.of("control"), agent.children());
      assertEquals(0, agent.statusAfterEndOfInput());
      assertEquals("", agent.output());
      String log = TemporaryPcp.text(pcp.file("mmv.log"));
      String words = agent.errors() + AgentLog.problems(log);
      assertNotEquals("", words, "the JVM's output is kept");
    }
  }

  @Test
  void aJvmThatDoesNotStartSaysWhyOnStandardError() {
    AgentCommand command = AgentCommand.jmmv().with("-l", pcp.file("mmv.log").toString());
    try (AgentProcess agent = AgentProcess.start(pcp, command, talkative("-Xmx1"))) {
      assertEquals(1, agent.status());
      assertEquals("", agent.output());
      assertTrue(agent.errors().contains("heap"), agent::errors);
    }
  }

  private static Map<String, String> talkative(String options) {
    return Map.of("JMMV_JAVA_OPTS", options);
  }
}
