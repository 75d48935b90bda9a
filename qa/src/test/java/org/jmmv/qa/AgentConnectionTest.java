package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jmmv.client.AgentConnection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a test is told of programs that are not agents, and what is left of them. */
@Timeout(300)
@Tag("quick")
final class AgentConnectionTest {

  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration LONG = Await.LIMIT;

  @TempDir Path dir;

  private AgentConnection start(List<String> command, Duration timeout) throws IOException {
    Redirect errors = Redirect.appendTo(dir.resolve("errors").toFile());
    return AgentConnection.start(command, Map.of(), errors, timeout);
  }

  @Test
  void anAgentThatDoesNotEndIsKilled() throws IOException {
    AgentConnection agent =
        start(
            List.of("sh", "-c", "trap '' TERM; " + creds() + "; exec sleep 600"),
            Duration.ofSeconds(1));
    agent.close();
    assertEquals(OptionalInt.of(128 + 9), agent.exitStatus());
  }

  /** Returns a shell command that writes CREDS. */
  private static String creds() {
    return "printf '\\0\\0\\0\\024\\0\\0\\160\\014\\0\\0\\0\\1\\0\\0\\0\\1\\1\\2\\0\\0'";
  }

  @Test
  void aProgramThatExitsIsNotAnAgent() {
    IOException e = refused("echo Java is missing >&2; exit 3");
    assertEquals(
        "the agent sh: it closed the connection; it exited with status 3; see its messages in "
            + dir.resolve("errors"),
        e.getMessage());
    assertEquals("Java is missing\n", contents(dir.resolve("errors")));
  }

  private static String contents(Path file) {
    try {
      return Files.readString(file, UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private IOException refused(String script) {
    return assertThrows(IOException.class, () -> start(List.of("sh", "-c", script), LONG));
  }

  @Test
  void anAgentThatDiesIsAnError() throws IOException {
    try (AgentConnection agent =
        start(List.of("sh", "-c", creds() + "; head -c 20 >&2; exit 7"), LONG)) {
      IOException e = assertThrows(IOException.class, agent::receive);
      String message = "the agent sh: it closed the connection; it exited with status 7; see its";
      assertTrue(e.getMessage().startsWith(message), e::getMessage);
      e = assertThrows(IOException.class, () -> agent.describe(1));
      assertTrue(e.getMessage().startsWith(message), e::getMessage);
    }
  }

  @Test
  void aSilentAgentAndItsChildrenAreKilled() throws IOException {
    Path pids = dir.resolve("pids");
    List<String> command =
        List.of(
            "sh", "-c", "sleep 600 & printf '%s\\n' $! $$ > " + pids + "; " + creds() + "; wait");
    try (AgentConnection agent = start(command, SHORT)) {
      IOException e = assertThrows(IOException.class, agent::receive);
      assertEquals(
          "the agent sh: it did not reply within 200 ms; it exited with status 137; see its messages"
              + " in "
              + dir.resolve("errors"),
          e.getMessage());
      contents(pids)
          .lines()
          .map(pid -> ProcessHandle.of(Long.parseLong(pid)))
          .forEach(process -> process.ifPresent(p -> p.onExit().join()));
      assertThrows(IOException.class, agent::receive);
    }
  }

  @Test
  void leavesNoThreads() throws Exception {
    AgentConnection agent = start(List.of("sh", "-c", creds() + "; cat >&2"), LONG);
    assertFalse(timers().isEmpty(), "a connection has a timer");
    agent.close();
    assertThrows(IOException.class, () -> start(List.of("false"), LONG));
    assertThrows(IOException.class, () -> start(List.of("sleep", "600"), SHORT));
    for (Thread timer : timers()) {
      assertTrue(timer.join(LONG), "a timer runs on");
    }
  }

  private static List<Thread> timers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("agent reply timer"))
        .toList();
  }
}
