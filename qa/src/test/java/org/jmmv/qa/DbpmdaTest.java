package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.jmmv.qa.Application.Library;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Everything that dbpmda can ask an agent, over each kind of connection. */
@Tag("quick")
final class DbpmdaTest {

  /** Serial 3 in cluster 500. */
  private static final String QUEUES = "70.1024003";

  private static final String SCRIPT =
      """
      status
      children mmv
      children mmv.shop
      children mmv.shop.requests
      children mmv.nosuch
      traverse mmv
      traverse mmv.shop.queue
      traverse mmv.nosuch
      pmid mmv.shop.queue.depth
      pmid mmv.shop.queue
      name 70.500.3
      name 70.500.99
      desc mmv.shop.requests
      desc mmv.shop.queue.depth
      desc mmv.shop.throughput
      desc 70.500.99
      text mmv.shop.requests
      text mmv.shop.queue.skew
      text 70.500.99
      instance INDOM
      instance INDOM 2
      instance INDOM 3
      instance INDOM "orders"
      instance INDOM "invoices"
      instance INDOM "nobody"
      instance 70.99
      label domain
      label cluster 500
      label item mmv.shop.requests
      label indom INDOM
      label instances INDOM
      fetch mmv.shop.requests
      getdesc on
      fetch mmv.shop.requests mmv.shop.state mmv.shop.queue.depth mmv.shop.load mmv.shop.requests
      getiname on
      fetch mmv.shop.queue.depth
      fetch 70.500.99
      profile INDOM none
      fetch mmv.shop.throughput mmv.shop.queue.depth
      profile INDOM add 90
      fetch mmv.shop.queue.depth mmv.shop.throughput
      profile INDOM all
      profile INDOM delete 90
      fetch mmv.shop.errors mmv.shop.queue.depth
      store mmv.control.reload "0"
      store mmv.control.reload "1"
      store mmv.shop.requests "3"
      attr "username" "tanya"
      attr 11 "0"
      fetch mmv.shop.errors
      """
          .replace("INDOM", QUEUES);

  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();

  @BeforeEach
  void open() {
    Application shop = pcp.open(Application.start(pcp, Library.LIBPCP_MMV, "shop", "plain"));
    shop.set("requests", "9007199254740992");
    shop.set("errors", "4294967295");
    shop.set("queue.depth", "orders", "17");
    shop.set("queue.depth", "spare", "-2147483648");
    shop.set("load", "0.75");
    shop.set("throughput", "-2.5");
    shop.set("state", "running as it should");
  }

  @Test
  void anAgentOnAPipeAnswersAsTheStockAgentDoes() {
    assertAnswers(Dbpmda.pipe(pcp, AgentCommand.jmmv().with("-l", log()), SCRIPT));
    assertEquals("", AgentLog.problems(TemporaryPcp.text(Path.of(log()))), "the log");
  }

  @Test
  void anAgentAtAUnixSocketAnswersAsTheStockAgentDoes() {
    Path socket = pcp.file("agent.socket");
    AgentCommand command = AgentCommand.jmmv().with("-l", log(), "-u", socket.toString());
    try (AgentProcess agent = AgentProcess.start(pcp, command)) {
      agent.awaitListeningAt(socket);
      assertAnswers(Dbpmda.socket(pcp, "unix", socket.toString(), SCRIPT));
      assertEndsInSilence(agent);
    }
  }

  @Test
  void anAgentAtAnInetPortAnswersAsTheStockAgentDoes() {
    assertAnswersAtPort("inet", "-i");
  }

  @Test
  void anAgentAtAnIpv6PortAnswersAsTheStockAgentDoes() {
    assertAnswersAtPort("ipv6", "-6");
  }

  private void assertEndsInSilence(AgentProcess agent) {
    int status = agent.status();
    assertEquals("", AgentLog.problems(TemporaryPcp.text(Path.of(log()))), "the log");
    assertEquals("", agent.errors());
    assertEquals(0, status, "exit status when dbpmda has gone");
  }

  private void assertAnswersAtPort(String family, String option) {
    int port = PrivatePmcd.freePort();
    String address = Integer.toString(port);
    AgentCommand command = AgentCommand.jmmv().with("-l", log(), option, address);
    try (AgentProcess agent = AgentProcess.start(pcp, command)) {
      agent.awaitListeningAt(port);
      assertAnswers(Dbpmda.socket(pcp, family, address, SCRIPT));
      assertEndsInSilence(agent);
    }
  }

  private void assertAnswers(Dbpmda said) {
    assertContains(said, "children mmv", "non-leaf shop", "non-leaf control");
    assertContains(
        said, "traverse mmv", "mmv.shop.queue.depth", "mmv.shop.state", "mmv.control.files");
    assertContains(said, "pmid mmv.shop.queue.depth", "70.500.3");
    assertContains(said, "name 70.500.3", "mmv.shop.queue.depth");
    assertContains(said, "name 70.500.99", "Unknown or illegal metric identifier");
    assertContains(said, "desc mmv.shop.throughput", "double", "instant", "Kbyte / sec");
    assertContains(said, "text mmv.shop.requests", "[requests taken]", "All that came.");
    assertContains(
        said,
        "instance " + QUEUES,
        "inst: 7 name: \"orders\"",
        "inst: 2 name: \"invoices of the quarter\"",
        "inst: 90 name: \"spare\"");
    assertContains(said, "instance " + QUEUES + " \"invoices\"", "inst: 2");
    assertContains(said, "label domain", "agent=\"mmv\"");
    assertContains(said, "fetch mmv.shop.queue.depth", "[90 or \"spare\"] value -2147483648");
    assertContains(
        said, "fetch mmv.shop.throughput mmv.shop.queue.depth", "value -2.5", "No values returned");
    assertContains(said, "store mmv.shop.requests \"3\"", "No permission");
    assertContains(said, "attr \"username\" \"tanya\"", "Success");
    assertContains(said, "fetch mmv.shop.errors", "value 4294967295");
    assertContains(said, "status", "Dump Instance Profile state=INCLUDE");

    Dbpmda stock =
        Dbpmda.pipe(pcp, AgentCommand.stock().with("-l", pcp.file("stock").toString()), SCRIPT);
    List<Dbpmda.Exchange> wanted = stock.normalized();
    assertEquals(SCRIPT.lines().count(), wanted.size(), stock::output);
    for (int i = 0; i < wanted.size(); i++) {
      assertEquals(wanted.get(i), said.normalized().get(i));
    }
  }

  @Test
  void aStoreOfDebugOptionsTakesEffect() {
    Dbpmda said =
        Dbpmda.pipe(
            pcp,
            AgentCommand.jmmv().with("-l", log()),
            """
            getdesc on
            store mmv.control.debug "nosuch"
            store mmv.control.debug "1"
            fetch mmv.control.debug
            store mmv.control.debug "0"
            desc mmv.shop.load
            """);
    assertContains(said, "fetch mmv.control.debug", "value 1");
    assertContains(said, "store mmv.control.debug \"nosuch\"", "rror");
    String log = TemporaryPcp.text(Path.of(log()));
    assertTrue(log.contains("FETCH"), log);
    assertFalse(log.contains("1187d005"), "70.500.5 in " + log);
  }

  private String log() {
    return pcp.file("jmmv.log").toString();
  }

  private static void assertContains(Dbpmda said, String command, String... parts) {
    String answer = said.answer(command);
    for (String part : parts) {
      assertTrue(answer.contains(part), () -> part + " is not in:\n" + answer);
    }
  }
}
