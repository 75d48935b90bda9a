package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jmmv.qa.Application.Library;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the agent starts and ends: its options, its log, its user, and files that it can't serve. */
final class StartTest {
  private static final String LINE = "\\[.{19}\\] pmdajmmv\\(\\d+\\) (Warning|Error): .*\n";

  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();
  private final Path log = pcp.file("mmv.log");

  // --- options

  @Test
  void aWrongCommandLineIsAnsweredWithOneLineOnStandardError() {
    AgentCommand wrong = AgentCommand.jmmv().with("-l", log.toString(), "-Dnosuch");
    Shell.Result result = Shell.run(pcp.environment(), wrong.words());
    assertEquals("", result.outOf(1));
    assertTrue(
        result.err().matches("pmdajmmv: .*nosuch.* \\(see pmdajmmv --help\\)\n"), result::toString);
  }

  @Test
  void debugOptionsTraceIntoTheLogWhatTheyAreFor() {
    String pdus = "recv PMNS_CHILD";
    String requests = "request PmnsChild";
    String loading = "shop: loaded, 1 metrics";
    assertTraces("-Dlibpmda", List.of(requests), List.of(pdus, loading));
    assertTraces("-Dappl0,pdu", List.of(pdus, loading), List.of(requests));
  }

  private void assertTraces(String option, List<String> wanted, List<String> unwanted) {
    try (Application _ = Application.start(pcp, Library.LIBPCP_MMV, "shop", "other");
        AgentProcess agent = start(AgentCommand.jmmv().with("-l", log.toString(), option))) {
      agent.awaitChildren("control", "shop");
      assertEndsWell(agent);
    }
    wanted.forEach(part -> assertTrue(log().contains(part), () -> option + ":\n" + log()));
    unwanted.forEach(part -> assertFalse(log().contains(part), () -> option + ":\n" + log()));
  }

  // --- the greeting

  private static void assertEndsWell(AgentProcess agent) {
    int status = agent.statusAfterEndOfInput();
    assertEquals("", agent.errors(), "standard error");
    assertEquals("", agent.output(), "the rest of standard output");
    assertEquals(0, status, "exit status");
  }

  @Test
  void pmcdCanBeGreetedBeforeJavaStarts() throws IOException {
    Path started = pcp.file("started");
    Path java =
        pcp.javaScript(
            "until [ -e %s ]; do sleep 0.1; done\nexec %s/bin/java \"$@\""
                .formatted(started, System.getProperty("java.home")));
    Map<String, String> environment = Map.of("JMMV_JAVA", java.toString());
    try (AgentProcess agent = AgentProcess.start(pcp, jmmv().with("--greet"), environment)) {
      agent.awaitGreeting();
      Files.createFile(started);
      assertEquals(Set.of("control"), agent.children(), "no second CREDS comes before that");
      assertEndsWell(agent);
    }
  }

  // --- the log

  @Test
  void theLogOfTheRunBeforeIsKept() throws IOException {
    Path previous = pcp.file(log.getFileName() + ".prev");
    for (String day : List.of("of a day\n", "of another day\n")) {
      Files.writeString(log, day);
      try (AgentProcess agent = start(jmmv())) {
        assertEndsWell(agent);
      }
      assertEquals(day, TemporaryPcp.text(previous));
    }
    assertTrue(TemporaryPcp.text(log).contains(" Info: version "), TemporaryPcp.text(log));
  }

  /** User pcp may put anything into the directory of the log. */
  @Test
  void whatIsInThePlaceOfTheLogOfTheRunBeforeIsNotFollowed() throws IOException {
    Path previous = pcp.file(log.getFileName() + ".prev");
    Path precious = Files.writeString(pcp.file("precious"), "text");
    Files.createSymbolicLink(previous, precious);
    Files.writeString(log, "of a day\n");
    try (AgentProcess agent = start(jmmv())) {
      assertEndsWell(agent);
    }
    assertEquals("text", TemporaryPcp.text(precious));
    assertTrue(Files.isRegularFile(previous, LinkOption.NOFOLLOW_LINKS));
    Files.delete(previous);
    Files.createDirectory(previous);
    try (AgentProcess agent = start(jmmv())) {
      assertEndsWell(agent);
    }
    assertTrue(TemporaryPcp.text(log).contains(" Info: version "), "there is a log all the same");
  }

  @Test
  void aLogThatIsALinkStaysOne() throws IOException {
    Path target = Files.writeString(pcp.file("target"), "of another day\n");
    Files.createSymbolicLink(log, target);
    try (AgentProcess agent = start(jmmv().with("-D", "pdu"))) {
      assertEndsWell(agent);
    }
    assertEquals(target, Files.readSymbolicLink(log));
    assertTrue(log().contains("of another day") && log().contains("CREDS"), log());
  }

  @Test
  void aLogThatIsADeviceStaysOne() throws IOException {
    Path nothing = Path.of("/dev/null");
    Files.createSymbolicLink(log, nothing);
    try (AgentProcess agent = start(jmmv().with("-D", "pdu"))) {
      assertEndsWell(agent);
    }
    assertTrue(Files.isSymbolicLink(log) && isOther(nothing), "a link to a device");

    // a named pipe stands for a device, which an agent that replaced it would destroy
    Path pipe = pcp.file("pipe");
    Shell.run(Map.of(), List.of("mkfifo", pipe.toString())).outOfSuccess();
    AgentCommand command = AgentCommand.jmmv().with("-l", pipe.toString(), "-D", "pdu");
    Path copy = pcp.file("copy");
    Process reader =
        new ProcessBuilder("sh", "-c", "exec cat <>\"$0\"", pipe.toString())
            .redirectOutput(copy.toFile())
            .start();
    Await.until("the pipe has a reader", () -> isInput(pipe, reader));
    try (AgentProcess agent = start(command)) {
      assertEndsWell(agent);
      Await.until("the trace has come through", () -> TemporaryPcp.text(copy).contains("CREDS"));
    } finally {
      reader.destroy();
    }
    assertTrue(isOther(pipe), "a named pipe");
  }

  private static boolean isInput(Path file, Process process) {
    try {
      return Files.isSameFile(file, Path.of("/proc", Long.toString(process.pid()), "fd/0"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aLogThatIsAPipeWithoutAReaderDelaysNothing() {
    Shell.run(Map.of(), List.of("mkfifo", log.toString())).outOfSuccess();
    assertIsServedWithoutItsLog("No such device or address");
  }

  @Test
  void aLinkThatAnotherUserMayHavePlacedIsNotFollowed() throws IOException {
    Path precious = Files.writeString(pcp.file("precious"), "text");
    Path logs = pcp.file("log/pmcd");
    Files.setPosixFilePermissions(logs, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path link = Files.createSymbolicLink(logs.resolve("mmv.log"), precious);
    assertIsServedWithoutItsLog(
        AgentCommand.jmmv().with("-D", "pdu"), "directory that other users can write to");
    assertEquals("text", Files.readString(precious));
    Files.delete(link);
    Path directory = Files.createDirectory(pcp.file("directory"));
    Files.createSymbolicLink(logs.resolve("d"), directory);
    assertIsServedWithoutItsLog(
        AgentCommand.jmmv().with("-D", "pdu", "-l", logs.resolve("d/mmv.log").toString()),
        "directory that other users can write to");
    assertFalse(Files.exists(directory.resolve("mmv.log")));
  }

  private void assertIsServedWithoutItsLog(String reason) {
    assertIsServedWithoutItsLog(AgentCommand.jmmv().with("-l", log.toString()), reason);
  }

  private void assertIsServedWithoutItsLog(AgentCommand command, String reason) {
    try (AgentProcess agent = start(command)) {
      assertEquals(Set.of("control"), agent.children());
      assertEquals(0, agent.statusAfterEndOfInput());
      assertTrue(agent.errors().contains(reason), agent.errors());
    }
  }

  @Test
  void moreFilesThanTheKernelCanMapAreNotPromised() {
    try (AgentProcess agent = start(jmmv().with("--max-files=999999999"))) {
      assertEquals(Set.of("control"), agent.children());
      assertEndsWell(agent);
    }
    assertTrue(log().matches(LINE), log());
    assertTrue(log().contains("files are served, not 999999999 (--max-files)"), log());
  }

  private static boolean isOther(Path file) throws IOException {
    return (boolean) Files.getAttribute(file, "isOther", LinkOption.NOFOLLOW_LINKS);
  }

  @Test
  void withoutItsLogTheAgentSaysSoAndServesAllTheSame() {
    for (Path unfit : List.of(pcp.file("nosuch").resolve("mmv.log"), pcp.mmv())) {
      try (AgentProcess agent = start(AgentCommand.jmmv().with("-l", unfit.toString()))) {
        assertEquals(Set.of("control"), agent.children());
        assertEquals(0, agent.statusAfterEndOfInput());
        assertTrue(AgentLog.problems(agent.errors()).matches(LINE), agent.errors());
        assertTrue(agent.errors().contains(unfit.toString()), agent.errors());
      }
    }
    assertTrue(Files.isDirectory(pcp.mmv()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-", "/dev/stderr"})
  void aDashAsTheLogIsStandardErrorWhichMayBeNamedAsADevice(String name) {
    try (AgentProcess agent = start(AgentCommand.jmmv().with("-l", name, "-D", "pdu"))) {
      assertEquals(0, agent.statusAfterEndOfInput());
      assertTrue(agent.errors().contains(" Debug: "), agent::errors);
      assertEquals("", agent.output(), "the rest of standard output");
    }
    assertFalse(Files.exists(Path.of("-")));
    assertFalse(Files.exists(pcp.file("log/pmcd/mmv.log")));
  }

  @Test
  void withoutPcpTheDirectoryOfTheFilesIsEnough() {
    try (Application _ = Application.start(pcp, Library.LIBPCP_MMV, "shop", "other")) {
      Map<String, String> none = withoutPcp();
      try (AgentProcess agent = AgentProcess.start(pcp, jmmv().with("-D", "pdu"), none)) {
        agent.awaitGreeting();
        agent.awaitChildren("control", "shop");
        assertEndsWell(agent);
      }
      assertTrue(log().contains("CREDS"), log());
      assertFalse(log().contains("Warning") || log().contains("Error"), log());

      AgentCommand plain = AgentCommand.jmmv().with("-D", "pdu");
      try (AgentProcess agent = AgentProcess.start(pcp, plain, none)) {
        agent.awaitGreeting();
        assertEquals(0, agent.statusAfterEndOfInput());
        assertTrue(agent.errors().contains("CREDS"), agent::errors);
        assertFalse(agent.errors().contains("Warning"), agent::errors);
      }
    }
  }

  @Test
  void theLogOfTheOptionSaysThatTheDirectoryOfTheFilesIsUnknown() {
    Map<String, String> none = new HashMap<>(withoutPcp());
    none.put("PCP_TMP_DIR", "");
    try (AgentProcess agent = AgentProcess.start(pcp, jmmv(), none)) {
      assertEquals(1, agent.status());
    }
    assertTrue(log().matches(LINE) && log().contains(" Error: PCP_TMP_DIR is not set "), log());
  }

  @Test
  void startedAsRootWithoutPcpTheUserIsThatOfPcpsAgents() {
    Need.ROOT.require();
    try (AgentProcess agent = AgentProcess.start(pcp, jmmvWithOptions(), withoutPcp())) {
      agent.awaitGreeting();
      assertIs(agent, "pcp");
    }
  }

  /** Returns an environment in which there is no pcp.conf, and only PCP_TMP_DIR is left. */
  private Map<String, String> withoutPcp() {
    String nowhere = pcp.file("nowhere").toString();
    return Map.of(
        "PCP_CONF",
        nowhere,
        "PCP_VAR_DIR",
        "",
        "PCP_RUN_DIR",
        "",
        "PCP_LOG_DIR",
        "",
        "PCP_USER",
        "");
  }

  // --- the user

  @Test
  void startedAsRootEveryThreadBecomesPcpsUser() {
    Need.ROOT.require();
    try (AgentProcess agent = start(jmmvWithOptions())) {
      assertIs(agent, "pcp");
    }
    try (AgentProcess agent = start(jmmvWithOptions("-U", "nobody"))) {
      assertIs(agent, "nobody");
    }
    Map<String, String> environment = Map.of("PCP_USER", "daemon");
    try (AgentProcess agent = AgentProcess.start(pcp, jmmvWithOptions(), environment)) {
      agent.awaitGreeting();
      assertIs(agent, "daemon");
    }
  }

  @Test
  void rootStaysRootWhenAskedTo() {
    Need.ROOT.require();
    try (AgentProcess agent = start(jmmvWithOptions("-U", "root"))) {
      assertServesAs(agent, List.of("0"), List.of("0"), AgentProcess.ofThreads("self", "Groups"));
    }
  }

  @Test
  void ofRootsCapabilitiesThoseForLeasesStayIfTheyAreNeeded() throws IOException {
    Need.ROOT.require();
    String lease = "0000000010000000"; // 1 << CAP_LEASE
    String none = "0000000000000000";
    try (AgentProcess agent = start(jmmvWithOptions())) {
      agent.children();
      Set<List<String>> capabilities = agent.ofThreads("CapEff");
      assertTrue(capabilities.contains(List.of(lease)), capabilities::toString);
      assertTrue(
          Set.of(List.of(lease), List.of(none)).containsAll(capabilities), capabilities::toString);
      assertEquals(capabilities, agent.ofThreads("CapPrm"));
    }
    // as root of a container, who does not have it: all others must go nevertheless
    AgentCommand ofContainer =
        new AgentCommand(
            "container",
            Path.of("/usr/bin/setpriv"),
            Stream.concat(
                    Stream.of("--bounding-set=-lease", "--inh-caps=-lease"),
                    jmmvWithOptions().words().stream())
                .toList());
    try (AgentProcess agent = start(ofContainer)) {
      agent.children();
      assertEquals(Set.of(List.of(none)), agent.ofThreads("CapEff"));
      assertEquals(Set.of(List.of(none)), agent.ofThreads("CapPrm"));
    }
    Path settings = Files.createDirectories(pcp.file("etc/jmmv")).resolve("jmmv.toml");
    Files.writeString(settings, "[[directory]]\nprocess = 'pid'\n");
    Map<String, String> environment = Map.of("PCP_SYSCONF_DIR", pcp.file("etc").toString());
    try (AgentProcess agent = AgentProcess.start(pcp, jmmvWithOptions(), environment)) {
      agent.awaitGreeting();
      agent.children();
      assertEquals(Set.of(List.of(none)), agent.ofThreads("CapEff"));
      assertEquals(Set.of(List.of(none)), agent.ofThreads("CapPrm"));
    }
  }

  private static void assertIs(AgentProcess agent, String user) {
    assertServesAs(agent, id("-u", user), id("-g", user), Set.of(id("-G", user)));
  }

  private static void assertServesAs(
      AgentProcess agent, List<String> user, List<String> group, Set<List<String>> groups) {
    assertTrue(agent.children().contains("control"), "it serves");
    assertEquals(Set.of(fourOf(user)), agent.ofThreads("Uid"), "users");
    assertEquals(Set.of(fourOf(group)), agent.ofThreads("Gid"), "groups");
    assertEquals(groups, agent.ofThreads("Groups"), "supplementary groups");
    assertEndsWell(agent);
  }

  /** Real, effective, saved and of the file system. */
  private static List<String> fourOf(List<String> id) {
    return Collections.nCopies(4, id.getFirst());
  }

  private static List<String> id(String option, String user) {
    String ids = Shell.run(Map.of(), List.of("id", option, user)).outOfSuccess();
    return List.of(ids.strip().split(" "));
  }

  @Test
  void aUserThatDoesNotExistIsAnError() {
    Shell.Result result = Shell.run(pcp.environment(), jmmvWithOptions("-U", "nosuchuser").words());
    assertEquals("", result.outOf(1));
    assertTrue(log().matches(LINE) && log().contains("\"nosuchuser\""), log());
  }

  @Test
  void onlyRootCanBecomeAnotherUser() {
    Need.ROOT.require();
    Path logs = pcp.file("log/pmcd");
    Shell.run(Map.of(), List.of("chown", "nobody", logs.toString())).outOfSuccess();
    String agent = AgentCommand.JMMV.toString();
    List<String> command =
        List.of("setpriv", "--reuid=nobody", "--clear-groups", agent, "-U", "pcp", "-i", "1");
    Shell.Result result = Shell.run(pcp.environment(), command);
    assertEquals("", result.outOf(1));
    String written = TemporaryPcp.text(logs.resolve("mmv.log"));
    assertTrue(written.matches(LINE) && written.contains("can't become user pcp: "), written);
  }

  // --- the files

  @Test
  void linksOfAnotherUserDoNotKeepAFileFromBeingServed() throws IOException {
    Need.ROOT.require();
    for (int i = 0; i < 10; i++) {
      Path link = Files.createSymbolicLink(pcp.mmv().resolve("a" + i), pcp.mmv().resolve("shop"));
      Shell.run(Map.of(), List.of("chown", "-h", "nobody", link.toString())).outOfSuccess();
    }
    try (Application _ = Application.start(pcp, Library.LIBPCP_MMV, "shop", "other");
        PrivatePmcd pmcd = PrivatePmcd.start(pcp, AgentCommand.jmmv())) {
      assertEquals(0, pmcd.pminfo("mmv.shop").status());
      assertEquals(0, pmcd.pminfo("mmv.a0").status());
      assertEquals(0, pmcd.pminfo("mmv.a9").status());
    }
  }

  private AgentCommand jmmv() {
    return AgentCommand.jmmv().with("-l", log.toString());
  }

  private AgentCommand jmmvWithOptions(String... options) {
    return AgentCommand.jmmv().withOptions(options).with("-l", log.toString());
  }

  private AgentProcess start(AgentCommand command) {
    AgentProcess agent = AgentProcess.start(pcp, command);
    agent.awaitGreeting();
    return agent;
  }

  private String log() {
    return AgentLog.problems(TemporaryPcp.text(log));
  }
}
