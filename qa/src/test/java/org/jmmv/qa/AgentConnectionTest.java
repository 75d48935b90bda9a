package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pcp.parfait.dxm.IdentifierSourceSet;
import io.pcp.parfait.dxm.MetricName;
import io.pcp.parfait.dxm.PcpMmvWriter;
import io.pcp.parfait.dxm.semantics.Semantics;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jmmv.client.AgentConnection;
import org.jmmv.client.AgentErrorException;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.TextType;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Desc;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.InDomProfile;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.ValueSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tech.units.indriya.AbstractUnit;

/** Runs against the stock agent of an installed PCP, and against programs that are not agents. */
@Timeout(300)
@Tag("quick")
final class AgentConnectionTest {

  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration LONG = Await.LIMIT;

  @TempDir Path dir;

  @BeforeEach
  void writeMmvFile() throws IOException {
    PcpMmvWriter writer =
        new PcpMmvWriter(dir.resolve("mmv/app").toFile(), IdentifierSourceSet.DEFAULT_SET);
    writer.addMetric(MetricName.parse("jobs[mail].done"), Semantics.COUNTER, AbstractUnit.ONE, 12);
    writer.addMetric(MetricName.parse("jobs[print].done"), Semantics.COUNTER, AbstractUnit.ONE, 7);
    writer.addMetric(MetricName.parse("state"), Semantics.DISCRETE, null, "all is well");
    writer.setMetricHelpText("state", "How it goes", "How it goes, in words");
    writer.start();
  }

  private List<String> stockAgent(String name, String... options) {
    return StockAgent.command(name, dir.resolve("agent.log"), options);
  }

  private Map<String, String> environment() {
    return Map.of("PCP_TMP_DIR", dir.toString());
  }

  private AgentConnection startStockAgent() throws IOException {
    return start(stockAgent("mmv"), LONG);
  }

  private AgentConnection start(List<String> command, Duration timeout) throws IOException {
    Redirect errors = Redirect.appendTo(dir.resolve("errors").toFile());
    return AgentConnection.start(command, environment(), errors, timeout);
  }

  @Test
  void walksTheNames() throws IOException {
    try (AgentConnection agent = startStockAgent()) {
      List<String> names = agent.traverse("mmv");
      assertTrue(names.containsAll(List.of("mmv.state", "mmv.jobs.done")), names::toString);
      assertEquals(List.of("mmv.state"), agent.names(agent.pmid("mmv.state")));
      assertEquals(List.of("done"), agent.children("mmv.jobs").names());
      assertEquals(List.of(0), agent.children("mmv.jobs").statuses());
    }
  }

  @Test
  void describesMetricsAndInstances() throws IOException {
    try (AgentConnection agent = startStockAgent()) {
      int pmid = agent.pmid("mmv.jobs.done");
      Desc desc = agent.describe(pmid);
      assertEquals(ValueType.I32, desc.valueType());
      assertEquals(0x00100000, desc.units());
      assertEquals(
          List.of("mail", "print"),
          agent.instances(desc.inDom()).instances().stream().map(Instance::name).toList());
      int state = agent.pmid("mmv.state");
      assertEquals("How it goes", agent.text(state, TextType.PMID | TextType.ONELINE));
      assertEquals("How it goes, in words", agent.text(state, TextType.PMID | TextType.HELP));
    }
  }

  @Test
  void fetchesTheInstancesThatTheProfileSelects() throws IOException {
    try (AgentConnection agent = startStockAgent()) {
      int jobs = agent.pmid("mmv.jobs.done");
      int state = agent.pmid("mmv.state");
      Result all = agent.fetch(Profile.all(0, 0), state, jobs);
      assertEquals("all is well", all.sets().get(0).values().getFirst().value().asText());
      assertEquals(2, all.sets().get(1).values().size());

      int inDom = agent.describe(jobs).inDom();
      Instance print = agent.instances(inDom).instances().get(1);
      Profile profile =
          new Profile(3, 3, true, List.of(new InDomProfile(inDom, false, print.number())));
      ValueSet one = agent.fetch(profile, jobs).sets().getFirst();
      assertEquals(print.number(), one.values().getFirst().instance());
      assertEquals(7, Long.parseLong(one.values().getFirst().value().asText()));
      assertEquals(1, one.status());
    }
  }

  @Test
  void stores() throws IOException {
    try (AgentConnection agent = startStockAgent()) {
      int reload = agent.pmid("mmv.control.reload");
      ValueSet values = agent.fetch(Profile.all(0, 0), reload).sets().getFirst();
      agent.store(values);
      ValueSet elsewhere = ValueSet.of(agent.pmid("mmv.state"), values.values());
      AgentErrorException refused =
          assertThrows(AgentErrorException.class, () -> agent.store(elsewhere));
      assertTrue(refused.is(PmError.PERMISSION), refused::getMessage);
    }
  }

  @Test
  void anErrorIsAnExceptionAndTheConnectionRemainsUsable() throws IOException {
    try (AgentConnection agent = startStockAgent()) {
      AgentErrorException unknown =
          assertThrows(AgentErrorException.class, () -> agent.pmid("mmv.no.such"));
      assertEquals(PmError.NAME.code(), unknown.code());
      assertEquals("the agent replied to PMNS_NAMES with PM_ERR_NAME", unknown.getMessage());
      assertTrue(agent.pmid("mmv.state") != 0);
    }
  }

  @Test
  void returnsTheBytesOfAReply() throws IOException {
    try (AgentConnection agent = startStockAgent()) {
      byte[] error = agent.requestFrame(new DescReq(0, -2));
      byte[] expected =
          ByteBuffer.allocate(16)
              .putInt(16)
              .putInt(0x7000)
              .putInt(0)
              .putInt(PmError.PMID.code())
              .array();
      assertArrayEquals(expected, error);
      assertEquals(new PduError(0, PmError.PMID.code()), AgentConnection.decode(error));
    }
  }

  @Test
  void sendsSeveralRequestsAtOnce() throws IOException {
    try (AgentConnection agent = startStockAgent()) {
      int pmid = agent.pmid("mmv.state");
      agent.send(new DescReq(0, pmid), new DescReq(0, -2));
      assertInstanceOf(Desc.class, agent.receive());
      assertInstanceOf(PduError.class, agent.receive());
    }
  }

  @Test
  void closingEndsTheAgent() throws IOException {
    AgentConnection agent = startStockAgent();
    assertEquals(OptionalInt.empty(), agent.exitStatus());
    assertTrue(runs(agent.pid()));
    agent.close();
    assertEquals(OptionalInt.of(0), agent.exitStatus());
    assertFalse(runs(agent.pid()));
    agent.close();
  }

  private static boolean runs(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
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

  /** A JVM that is trained for an AOT cache writes its record when it exits. */
  @Test
  void anAgentHasTheTimeoutToEnd() throws IOException {
    AgentConnection agent = start(List.of("sh", "-c", creds() + "; cat >&2; sleep 2"), LONG);
    agent.close();
    assertEquals(OptionalInt.of(0), agent.exitStatus());
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

  @Test
  void aProgramThatPrintsIsNotAnAgent() {
    IOException e = refused("printf '\\nhello, world\\n'; exec sleep 600");
    assertTrue(
        e.getMessage()
            .startsWith("the agent sh: it sent \"hello, world\", which is not a PDU; it "),
        e::getMessage);
  }

  @Test
  void aProgramThatSendsAnotherPduFirstIsNotAnAgent() {
    IOException e =
        refused("printf '\\0\\0\\0\\020\\0\\0\\160\\0\\0\\0\\0\\0\\377\\377\\377\\377'");
    assertTrue(
        e.getMessage()
            .startsWith(
                "the agent sh: sent PduError[from=0, code=-1] instead of CREDS for version 2; it "),
        e::getMessage);
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
    AgentConnection agent = startStockAgent();
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

  @Test
  void connectsToAUnixSocket() throws Exception {
    Path socket = dir.resolve("socket");
    asksAt(UnixDomainSocketAddress.of(socket), "-u", socket.toString());
  }

  @Test
  void connectsToAnInetSocket() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    asksAt(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), "-i", "" + port);
  }

  private void asksAt(SocketAddress address, String... options) throws Exception {
    // The stock agent for MMV files can't listen on a socket.
    Process process = new ProcessBuilder(stockAgent("sample", options)).inheritIO().start();
    try (AgentConnection agent = connectPatiently(address, process)) {
      Desc million = agent.describe(Pmid.build(29, 0, 13));
      assertEquals(InDom.NULL, million.inDom());
      assertEquals(process.pid(), agent.pid());
      assertEquals(OptionalInt.empty(), agent.exitStatus());
    } finally {
      process.destroy();
      process.waitFor();
    }
  }

  private static AgentConnection connectPatiently(SocketAddress address, Process agent)
      throws Exception {
    while (true) {
      try {
        return AgentConnection.connect(address);
      } catch (IOException e) {
        if (!agent.isAlive()) {
          throw e;
        }
        Await.briefly();
      }
    }
  }

  @Test
  void aSocketWithoutAListenerIsAnError() {
    UnixDomainSocketAddress nowhere = UnixDomainSocketAddress.of(dir.resolve("nobody"));
    IOException e = assertThrows(IOException.class, () -> AgentConnection.connect(nowhere));
    assertTrue(e.getMessage().startsWith("no agent at " + nowhere), e::getMessage);
  }

  @Test
  void aSilentSocketIsAnError() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      IOException e =
          assertThrows(
              IOException.class,
              () -> AgentConnection.connect(server.getLocalSocketAddress(), SHORT));
      assertTrue(e.getMessage().endsWith(": it did not reply within 200 ms"), e::getMessage);
    }
  }
}
