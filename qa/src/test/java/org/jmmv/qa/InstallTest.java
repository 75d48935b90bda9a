package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Install and Remove with the machine's own pmcd. PCP's scripts end all pmdammv processes. */
@Tag("install")
final class InstallTest {
  private final TemporaryPcp here = new TemporaryPcp();
  private SystemPcp system;
  private MachinePcp pcp;
  private Path build;
  private Installation installation;

  @BeforeEach
  void open() {
    Need.ROOT.require();
    system = new SystemPcp();
    pcp = system.pcp();
    build = Installation.copyOfBuild(here);
    installation = new Installation(pcp, build);
  }

  @AfterEach
  void close() throws IOException {
    try {
      if (system != null) {
        Files.deleteIfExists(pcp.mmv().resolve("acme"));
        system.close();
      }
    } finally {
      here.close();
    }
  }

  @Tag("quick")
  @Test
  void afterInstallPmcdServesApplicationsAndAfterRemoveAllIsAsBefore() throws IOException {
    installation.installServeAndRemove(here, linkToJava());
    assertClean("root.log", "Starting jmmv agent: ");
    assertClean("pmcd.log", "Cleanup \"jmmv\" agent (dom 70): unconfigured, exit(0)");
    Shell.Result again = installation.remove();
    assertTrue(again.outOfSuccess().contains("not installed"), again::toString);
    installation.assertAsBefore();
  }

  private void assertClean(String name, String normal) {
    String log = pcp.text(pcp.log(name));
    assertTrue(log.contains(normal), () -> name + ":\n" + log);
    for (String word : List.of("Warning", "Error", "Exception", "I die")) {
      assertFalse(log.contains(word), () -> name + ":\n" + log);
    }
  }

  @Tag("quick")
  @Test
  void anAgentThatDoesNotRunIsNotInstalled() throws IOException {
    try (Stream<Path> jars = Files.list(build.resolve("lib"))) {
      for (Path jar : jars.filter(Files::isRegularFile).toList()) {
        Files.delete(jar);
      }
    }
    assertRefused(
        installation.install(), "the agent did not start", "nothing has changed", "ClassNotFound");
  }

  @Test
  void aJavaThatDoesNotRunIsNotInstalled() throws IOException {
    Path java = here.javaScript("echo this is no Java >&2; exit 3");
    assertRefused(
        installation.install("JMMV_JAVA=" + java),
        "exit status 3",
        "nothing has changed",
        "this is no Java");
  }

  @Test
  void aJavaThatIsGivenButMissingIsNotReplacedByAnother() {
    assertRefused(
        installation.install("JMMV_JAVA=/no/such/java"),
        "JMMV_JAVA is set, but /no/such/java is not a Java",
        "nothing has changed");
    Shell.Result agent =
        pcp.run("env", "JMMV_JAVA=/no/such/java", build.resolve("bin/pmdajmmv").toString());
    agent.outOf(2);
    assertTrue(
        agent.err().contains("JMMV_JAVA is set, but /no/such/java is not a Java"), agent::toString);
  }

  @Test
  void theChosenJavaIsKeptUntilItsRecordIsDeleted() throws IOException {
    Path java = linkToJava();
    installation.install("JMMV_JAVA=" + java).outOfSuccess();
    installation.install().outOfSuccess();
    assertEquals(java + "/bin/java", pcp.jmmvJava());
    pcp.run(pcp.jmmv().resolve("Install").toString()).outOfSuccess();
    assertEquals(java + "/bin/java", pcp.jmmvJava());

    Files.delete(pcp.jmmv().resolve("java.path"));
    installation.install().outOfSuccess();
    assertEquals(bundledJava(), pcp.jmmvJava());
  }

  @Test
  void withoutTheChosenJavaTheAgentRunsOnTheBundledOneAndSaysSo() throws IOException {
    Path java = linkToJava();
    String fault = "given to Install can't be used (" + java + "/bin/java is not a Java)";
    installation.install("JMMV_JAVA=" + java).outOfSuccess();
    String agent = pcp.jmmvPid();
    Files.delete(java);
    endAgent("TERM", agent);
    pcp.reconfigurePmcd();
    pcp.awaitJmmvOtherThan(agent);
    assertEquals(bundledJava(), pcp.jmmvJava());
    assertTrue(pcp.text(pcp.log("root.log")).contains(fault), () -> pcp.text(pcp.log("root.log")));

    Shell.Result again = installation.install();
    again.outOfSuccess();
    assertTrue(
        again.err().contains("the Java of an earlier Install can't be used"), again::toString);
    assertFalse(Files.exists(pcp.jmmv().resolve("java.path")));
  }

  /** pmcd waits three seconds for the first PDU, and five for a reply. */
  @Test
  void anAgentWhoseJavaStartsSlowlyIsServed() throws IOException {
    Path bundled = build.resolve("runtime/bin/java");
    Path java = here.javaScript("sleep 3.2; exec " + bundled + " \"$@\"");
    installation.install("JMMV_JAVA=" + java).outOfSuccess();
    installation.assertJmmvServes();
    pcp.stopPmcd();
    pcp.startPmcd();
    installation.assertJmmvServes();
    assertFalse(pcp.text(pcp.log("pmcd.log")).contains("Timeout"));
  }

  /** pmcd gives the agent up, starts it once more, and after that waits for a signal. */
  @Test
  void anAgentThatAnswersOnlyAfterSomeStartsIsServed() throws IOException {
    installation.install().outOfSuccess();
    Path bundled = build.resolve("runtime/bin/java");
    Path starts = here.file("starts");
    Path java =
        here.javaScript(
            "echo >>%1$s; case $(wc -l <%1$s) in 2 | 3) sleep 8 ;; esac; exec %2$s \"$@\""
                .formatted(starts, bundled));
    installation.install("JMMV_JAVA=" + java).outOfSuccess();
    installation.assertJmmvServes();
    assertEquals(4, Files.readAllLines(starts).size()); // one of them for Install's own check
  }

  private Path linkToJava() throws IOException {
    return Files.createSymbolicLink(here.file("java"), Path.of(System.getProperty("java.home")));
  }

  private String bundledJava() {
    return MachinePcp.HOME.resolve("runtime/bin/java").toString();
  }

  /** Sends the agent a signal and waits until it has ended and pmcd has noticed that. */
  private void endAgent(String signal, String agent) {
    pcp.run("kill", "-" + signal, agent).outOfSuccess();
    // its parent may leave it as a zombie, which has no arguments
    Await.until(
        "the agent ends",
        () ->
            !pcp.run("ps", "-o", "args=", "-p", agent).out().contains(MachinePcp.HOME.toString()));
    pcp.run("pminfo", "-f", "mmv.control.reload").outOf(1);
  }

  @Test
  void pmcdStartsAnEndedAgentAgainWhenItGetsSighup() {
    installation.install().outOfSuccess();
    String agent = pcp.jmmvPid();
    endAgent("TERM", agent);
    pcp.reconfigurePmcd();
    pcp.awaitJmmvOtherThan(agent);
  }

  /** pmcd looks for agents that have ended once a minute. */
  @Tag("quick")
  @Test
  void pmcdStartsAnEndedAgentAgainByItself() {
    installation.install().outOfSuccess();
    String agent = pcp.jmmvPid();
    endAgent("KILL", agent);
    pcp.awaitJmmvOtherThan(agent);
  }

  @Test
  void allOtherLinesOfTheConfigurationStayAsTheyAre() throws IOException {
    String mine = "#mmv 70 pipe binary /my/mmv -d 70\n\n  #another 70 line\n";
    Files.writeString(pcp.place("PCP_PMCDCONF_PATH"), mine + pcp.configuration(), ISO_8859_1);
    installation = new Installation(pcp, build);
    String others = othersLines();
    Shell.Result installed = installation.install();
    assertEquals("", installed.err(), installed::toString);
    assertEquals(others, othersLines());
    installation.install().outOfSuccess();
    assertEquals(others, othersLines());
    installation.remove().outOfSuccess();
    installation.assertAsBefore();
  }

  @Test
  void installingAgainKeepsTheOptionsInTheConfiguration() throws IOException {
    installation.install().outOfSuccess();
    addOptions();
    installation.install().outOfSuccess();
    assertOptions();
  }

  @Test
  void optionsAreKeptWhenAnInstallHasFailed() throws IOException {
    installation.install().outOfSuccess();
    addOptions();
    Path starts = here.file("starts");
    Path java =
        here.javaScript(
            "echo >>%1$s; [ $(wc -l <%1$s) = 1 ] || exit 3; exec %2$s \"$@\""
                .formatted(starts, build.resolve("runtime/bin/java"))); // runs for Install's check
    installation.install("JMMV_JAVA=" + java).outOf(1);
    assertFalse(pcp.configuration().contains("jmmv"));
    installation.install().outOfSuccess();
    assertOptions();
  }

  private String options() {
    return "--max-files=7 -D appl0 -l " + pcp.log("pmdajmmv.log");
  }

  private void addOptions() throws IOException {
    String edited = pcp.configuration().replaceFirst("(?m)^(jmmv.*\\S)\\s*$", "$1 " + options());
    Files.writeString(pcp.place("PCP_PMCDCONF_PATH"), edited, ISO_8859_1);
  }

  private void assertOptions() {
    String line = pcp.configuration().lines().filter(l -> l.startsWith("jmmv")).findAny().get();
    assertTrue(line.matches("\\S+\\s[^/]*\\S*/pmdajmmv +-d +70 +--greet +" + options()), line);
  }

  /** ps(1) cuts its lines at 132 columns if this is set, as in a terminal of docker exec. */
  @Test
  void installingAgainStartsTheNewVersionWhateverTheTerminal() {
    installation.install().outOfSuccess();
    String agent = pcp.jmmvPid();
    installation.install("COLUMNS=80").outOfSuccess();
    pcp.awaitJmmvOtherThan(agent);
  }

  @Test
  void anAgentOfAnotherNameIsNeitherEndedNorChanged() throws IOException {
    installation.install().outOfSuccess();
    Path file = pcp.place("PCP_PMCDCONF_PATH");
    String stock = pcp.configuration();
    String line =
        "pmproxy 4 pipe binary %s -d 4 --greet --name=pmproxy --no-status"
            .formatted(pcp.jmmv().resolve("pmdajmmv"));
    Files.writeString(file, stock.replaceFirst("(?m)^pmproxy\\s.*$", line), ISO_8859_1);
    pcp.reconfigurePmcd();
    Await.until("the agent answers", () -> pcp.run("pminfo", "-f", "pmproxy").status() == 0);
    String pid = pidOfProxysAgent();
    String note = "The agent pmproxy in pmcd.conf also runs pmdajmmv";

    Shell.Result removed = installation.remove();
    assertTrue(removed.outOfSuccess().contains(note), removed::toString);
    assertEquals(pid, pidOfProxysAgent());
    assertTrue(pcp.configuration().contains(line), pcp::configuration);
    Shell.Result installed = installation.install();
    assertTrue(installed.outOfSuccess().contains(note), installed::toString);
    assertEquals("", installed.err(), installed::toString);
    assertTrue(pcp.configuration().contains(line), pcp::configuration);
    installation.assertJmmvServes();
    pcp.awaitWell("pmproxy");
    assertEquals(pid, pidOfProxysAgent());

    Files.writeString(file, stock, ISO_8859_1);
    pcp.reconfigurePmcd();
    installation.remove().outOfSuccess();
    installation.assertAsBefore();
    assertEquals("", AgentLog.problems(pcp.text(pcp.log("pmproxy.log"))));
    Files.delete(pcp.log("pmproxy.log"));
  }

  private String pidOfProxysAgent() {
    List<String> agents =
        pcp.run("ps", "-ewwo", "pid=,args=")
            .outOfSuccess()
            .lines()
            .filter(process -> process.contains(MachinePcp.HOME + "/lib/"))
            .filter(process -> process.endsWith(" -d 4 --greet --name=pmproxy --no-status"))
            .toList();
    assertEquals(1, agents.size(), agents::toString);
    return agents.getFirst().strip().split(" ", 2)[0];
  }

  private String othersLines() {
    return pcp.configuration()
        .lines()
        .filter(line -> !line.matches("j?mmv\\s.*"))
        .toList()
        .toString();
  }

  /**
   * As when an administrator puts back a copy of pmcd.conf that was made while jmmv was installed.
   */
  @Test
  void removeInstallsTheStockAgentIfItDoesNotKnowWhatWasThere() throws IOException {
    forgetWhatWasThere();
    installation.install().outOfSuccess();
    Shell.Result removed = installation.remove();
    assertTrue(removed.outOfSuccess().contains("installing the stock agent"), removed::toString);
    pcp.awaitWell("mmv");
    pcp.run("pminfo", "-f", "mmv.control.reload").outOfSuccess();
    assertFalse(pcp.configuration().contains("jmmv"));
  }

  @Test
  void removeFailsIfItLeavesPmcdWithoutAnMmvAgent() throws IOException {
    forgetWhatWasThere();
    Path stock = pcp.place("PCP_PMDAS_DIR").resolve("mmv/Install");
    Path aside = stock.resolveSibling("Install.aside");
    Files.move(stock, aside);
    try {
      Shell.Result removed = installation.remove();
      removed.outOf(1);
      assertTrue(removed.err().contains("pmcd has no MMV agent now"), removed::toString);
    } finally {
      Files.move(aside, stock);
    }
  }

  /**
   * The signals reach Remove and all programs that it runs, as Ctrl-C does. They come at the first
   * change, and when pmcd.conf has the stock agent's line.
   */
  @Test
  void removeLeavesJmmvInstalledIfItIsInterrupted() {
    installation.install().outOfSuccess();
    String configuration = pcp.configuration();
    String names = pcp.namesAsTheyAre();
    String conf = pcp.place("PCP_PMCDCONF_PATH").toString();
    String begun = "! test -e " + pcp.place("PCP_VAR_DIR").resolve("config/jmmv/complete");
    String replaced = "! grep -q ^jmmv " + conf;
    for (Interruption interruption :
        List.of(
            new Interruption("HUP", 129, begun),
            new Interruption("INT", 130, replaced),
            new Interruption("QUIT", 131, replaced),
            new Interruption("TERM", 143, begun))) {
      interrupt("Remove", interruption);
      installation.assertJmmvServes();
      assertEquals(configuration, pcp.configuration(), interruption::toString);
      assertEquals(names, pcp.namesAsTheyAre(), interruption::toString);
      assertFalse(pcp.exists(lock()), interruption::toString);
    }
    installation.remove().outOfSuccess();
    installation.assertAsBefore();
  }

  @Tag("quick")
  @Test
  void installRestoresTheStockAgentIfItIsInterrupted() {
    String conf = pcp.place("PCP_PMCDCONF_PATH").toString();
    for (Interruption interruption :
        List.of(
            new Interruption("INT", 130, "! grep -q ^mmv " + conf),
            new Interruption("HUP", 129, "grep -q ^jmmv " + conf))) {
      interrupt("Install", interruption);
      installation.assertAsBefore();
      assertFalse(pcp.exists(lock()), interruption::toString);
    }
  }

  /**
   * A moment at which a signal is sent, as a condition of the shell, and the exit status for it.
   */
  private record Interruption(String signal, int status, String moment) {}

  /**
   * Runs a script and interrupts it, twice. The second signal must not interrupt the restoration.
   */
  private void interrupt(String script, Interruption interruption) {
    String interrupted =
        """
        env --default-signal setsid %s/%s &
        until %s; do sleep 0.01; done
        kill -%s -$!; sleep 0.1; kill -%s -$!
        wait $!
        """
            .formatted(
                build, script, interruption.moment, interruption.signal, interruption.signal);
    pcp.run("sh", "-c", interrupted).outOf(interruption.status);
  }

  /** The second line is printed when pmcd has been notified. */
  @Test
  void removeLeavesJmmvInstalledIfItsOutputIsClosed() {
    installation.install().outOfSuccess();
    String configuration = pcp.configuration();
    runWithClosedOutput("Remove", 1);
    installation.assertJmmvServes();
    assertEquals(configuration, pcp.configuration());
    installation.remove().outOfSuccess();
    installation.assertAsBefore();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void installRestoresTheStockAgentIfItsOutputIsClosed(int lines) {
    runWithClosedOutput("Install", lines);
    installation.assertAsBefore();
    assertFalse(pcp.exists(MachinePcp.HOME) || pcp.exists(pcp.jmmv()));
  }

  /** Runs a script whose output nobody reads after some lines. */
  private void runWithClosedOutput(String script, int lines) {
    String command =
        "{ env --default-signal %s/%s; echo status $? >&2; } | head -n %d"
            .formatted(build, script, lines);
    Shell.Result result = pcp.run("sh", "-c", command);
    assertTrue(result.err().endsWith("\nstatus 141\n"), result::toString);
    assertFalse(pcp.exists(lock()), result::toString);
  }

  /** Returns the lock of the name space. PCP's programs wait two minutes for one that is left. */
  private Path lock() {
    return Path.of(pcp.names() + ".lock");
  }

  private void forgetWhatWasThere() throws IOException {
    installation.install().outOfSuccess();
    String configuration = pcp.configuration();
    installation.remove().outOfSuccess();
    Files.writeString(pcp.place("PCP_PMCDCONF_PATH"), configuration, ISO_8859_1);
    pcp.reconfigurePmcd();
    pcp.awaitWell("jmmv");
  }

  @Tag("quick")
  @Test
  void onlyRootInstallsAndRemoves() {
    for (String script : List.of("Install", "Remove")) {
      Shell.Result result =
          pcp.run("setpriv", "--reuid=nobody", "--clear-groups", build.resolve(script).toString());
      assertRefused(result, script + ": only root may change what pmcd runs");
    }
  }

  private void assertRefused(Shell.Result result, String... reasons) {
    result.outOf(1);
    for (String reason : reasons) {
      assertTrue(result.err().contains(reason), result::toString);
    }
    assertFalse(pcp.exists(MachinePcp.HOME) || pcp.exists(pcp.jmmv()));
    installation.assertAsBefore();
  }
}
