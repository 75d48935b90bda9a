package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults of the processes and of the machine around the agent. */
final class FaultsTest {
  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();
  private final Path log = pcp.file("mmv.log");

  private AgentCommand jmmv() {
    return AgentCommand.jmmv().with("-l", log.toString());
  }

  private static MmvWriter app(long value) {
    MmvWriter app = new MmvWriter(2).generation(value);
    app.metric("answer", 1, ValueType.U32).value(value);
    return app;
  }

  private static void signal(ProcessHandle process, String name) {
    String pid = Long.toString(process.pid());
    Shell.run(Map.of(), List.of("kill", "-s", name, pid)).outOfSuccess();
  }

  private static void assertAnswer(long answer, PrivatePmcd pmcd) {
    String shown = pmcd.pminfo("-f", "mmv.app.answer").outOfSuccess();
    assertTrue(shown.contains("    value " + answer + "\n"), shown);
  }

  // --- pmcd

  @Test
  void theAgentEndsWithAPmcdThatIsKilledAndTheNextOneServesTheSame() {
    app(42).write(pcp.mmv(), "app");
    String described;
    try (PrivatePmcd pmcd = PrivatePmcd.start(pcp, AgentCommand.jmmv())) {
      described = pmcd.pminfo("-md", "mmv.app.answer").outOfSuccess();
      ProcessHandle agent = pmcd.agent();
      pmcd.kill();
      Await.until("the agent ends", () -> !agent.isAlive());
      assertEquals("", AgentLog.problems(pmcd.agentLog()));
    }
    app(43).write(pcp.mmv(), "an_earlier_one");
    try (PrivatePmcd pmcd = PrivatePmcd.start(pcp, AgentCommand.jmmv())) {
      assertEquals(described, pmcd.pminfo("-md", "mmv.app.answer").outOfSuccess());
      assertAnswer(42, pmcd);
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void aPauseOfPmcdOrOfTheAgentOnlyDelaysTheAnswer() {
    app(42).write(pcp.mmv(), "app");
    try (PrivatePmcd pmcd = PrivatePmcd.start(pcp, AgentCommand.jmmv())) {
      ProcessHandle agent = pmcd.agent();
      for (ProcessHandle sleeper : List.of(pmcd.process(), agent)) {
        signal(sleeper, "STOP");
        Await.until("it is stopped", () -> stateOf(sleeper).equals("T"));
        app(43 + sleeper.pid()).write(pcp.mmv(), "app");
        List<String> pminfo = pmcd.command("pminfo", "-f", "mmv.app.answer");
        try (RunningProgram client = RunningProgram.start(pcp, "pminfo" + sleeper.pid(), pminfo)) {
          Await.until("the client waits", () -> stateOf(client.process()).equals("S"));
          assertTrue(client.isRunning(), "the client has an answer from a stopped process");
          signal(sleeper, "CONT");
          String shown = client.outputOfSuccess();
          assertTrue(shown.contains("    value " + (43 + sleeper.pid()) + "\n"), shown);
        }
      }
      assertEquals(agent, pmcd.agent());
      assertEquals("", AgentLog.problems(pmcd.agentLog()));
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void anAgentThatPmcdHasDroppedEndsWhenItRunsAgain() {
    app(42).write(pcp.mmv(), "app");
    try (PrivatePmcd pmcd = PrivatePmcd.startImpatient(pcp, AgentCommand.jmmv())) {
      ProcessHandle agent = pmcd.agent();
      signal(agent, "STOP");
      pmcd.pminfo("-f", "mmv.app.answer"); // until pmcd's timeout
      Await.until("pmcd drops it", pmcd::log, () -> pmcd.log().contains("Cleanup \"mmv\""));
      signal(agent, "CONT");
      // a zombie if pmcd has not waited for it yet
      Await.until("the agent ends", () -> stateOf(agent).matches("|Z"));
    }
  }

  /** The letter that stands for a process's state in proc_pid_status(5), empty if it is gone. */
  private static String stateOf(ProcessHandle process) {
    return TemporaryPcp.text(Path.of("/proc", Long.toString(process.pid()), "status"))
        .lines()
        .filter(line -> line.startsWith("State:\t"))
        .map(line -> line.substring(7, 8))
        .findFirst()
        .orElse("");
  }

  // --- the log, the directory, the clock, processes

  @Test
  void aFullDiskUnderTheLogDoesNotStopTheAgent() throws IOException {
    Files.writeString(
        pcp.mmv().resolve("bad"), "this is no MMV file, and so there is a line of log");
    app(42).write(pcp.mmv(), "app");
    for (String options : List.of("-Dlibpmda", "-Dall")) {
      AgentCommand full = AgentCommand.jmmv().with("-l", "/dev/full", options);
      try (AgentProcess agent = AgentProcess.start(pcp, full)) {
        agent.awaitGreeting();
        agent.awaitChildren("app", "control");
        for (int i = 0; i < 100; i++) {
          assertEquals(Set.of("app", "control"), agent.children());
        }
        assertEquals(0, agent.statusAfterEndOfInput());
      }
    }
  }

  /** The lowest limit leaves only standard input, output and error. */
  @Test
  void withoutDescriptorsTheAgentLogsAndServesWhatItHasAndLaterTheRest() throws IOException {
    app(1).write(pcp.mmv(), "app");
    try (AgentProcess agent = AgentProcess.start(pcp, jmmv())) {
      agent.awaitGreeting();
      agent.awaitChildren("app", "control");
      limitDescriptors(agent, 3);
      app(2).write(pcp.mmv(), "late");
      awaitLogged(agent, "mmv: the directory can't be read: Too many open files");
      assertEquals(Set.of("app", "control"), agent.children());
      app(3).rewrite(pcp.mmv().resolve("app"));
      awaitLogged(agent, " Warning: app: can't be opened: Too many open files");
      agent.awaitChildren("control");
      limitDescriptors(agent, 100);
      agent.awaitChildren("app", "control", "late");
      assertEquals(0, agent.statusAfterEndOfInput());
    }
  }

  @Test
  void withoutDescriptorsAnApplicationOfAnotherNamespaceIsStillServed() throws Exception {
    Need.ROOT.require();
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    try (Application app = Application.startInPidNamespace(pcp, "app", ended.pid());
        AgentProcess agent = AgentProcess.start(pcp, jmmv())) {
      agent.awaitGreeting();
      agent.awaitChildren("app", "control");
      limitDescriptors(agent, 3);
      for (int i = 0; i < 10; i++) { // it is asked about every two seconds
        Thread.sleep(500);
        assertEquals(Set.of("app", "control"), agent.children());
      }
      limitDescriptors(agent, 100);
      app.kill();
      agent.awaitChildren("control");
      assertEquals(0, agent.statusAfterEndOfInput());
    }
  }

  /** A file server, for example, has leases on the files that its clients keep. */
  @Test
  void aLeaseOfAnotherProcessKeepsNothingFromBeingServed() throws Exception {
    Need.PYTHON.require();
    app(1).write(pcp.mmv(), "app");
    String script =
        """
        import fcntl, os, signal, sys
        signal.signal(signal.SIGIO, signal.SIG_IGN)
        fd = os.open(sys.argv[1], os.O_RDONLY)
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        print('ready', flush=True)
        sys.stdin.read()
        """;
    Process holder =
        new ProcessBuilder("/usr/bin/python3", "-c", script, pcp.mmv().resolve("app").toString())
            .start();
    try (AgentProcess agent = AgentProcess.start(pcp, jmmv())) {
      assertEquals("ready", holder.inputReader().readLine());
      agent.awaitGreeting();
      agent.awaitChildren("app", "control");
      app(2).write(pcp.mmv(), "other");
      agent.awaitChildren("app", "control", "other");
      assertEquals(0, agent.statusAfterEndOfInput());
    } finally {
      holder.destroyForcibly();
    }
  }

  /** Several times, because the limit takes effect at another moment each time. */
  @RepeatedTest(5)
  void aLackOfDescriptorsWhileTheFilesAreLoadedDelaysThem() {
    app(1).write(pcp.mmv(), "app");
    try (AgentProcess agent = AgentProcess.start(pcp, jmmv())) {
      agent.awaitGreeting();
      limitDescriptors(agent, 3);
      assertTrue(agent.children().contains("control"));
      limitDescriptors(agent, 100);
      agent.awaitChildren("app", "control");
      assertEquals(0, agent.statusAfterEndOfInput());
    } catch (AssertionError e) {
      throw new AssertionError(TemporaryPcp.text(log), e);
    }
  }

  /** Asks until the log has a text. */
  private void awaitLogged(AgentProcess agent, String text) {
    Await.until(
        "it logs: " + text,
        () -> TemporaryPcp.text(log),
        () -> {
          agent.children();
          return TemporaryPcp.text(log).contains(text);
        });
  }

  private static void limitDescriptors(AgentProcess agent, int most) {
    String pid = Long.toString(agent.handle().pid());
    Shell.run(Map.of(), List.of("prlimit", "--pid", pid, "--nofile=" + most + ":")).outOfSuccess();
  }

  /** As after the clock was set back or forward. */
  @ParameterizedTest
  @ValueSource(strings = {"1970-01-02T00:00:00Z", "2100-01-01T00:00:00Z"})
  void changesShowWhateverTheFilesTimesAre(String time) throws IOException {
    FileTime wrong = FileTime.from(Instant.parse(time));
    app(1).write(pcp.mmv(), "app");
    try (AgentProcess agent = AgentProcess.start(pcp, jmmv())) {
      agent.awaitGreeting();
      for (int i = 0; i < 20; i++) {
        Path other = app(i + 1).write(pcp.mmv(), "other" + i);
        Files.setLastModifiedTime(other, wrong);
        Files.setLastModifiedTime(pcp.mmv(), wrong);
        agent.awaitChildren("app", "control", "other" + i);
        Files.delete(other);
        Files.setLastModifiedTime(pcp.mmv(), wrong);
        agent.awaitChildren("app", "control");
      }
    }
  }
}
