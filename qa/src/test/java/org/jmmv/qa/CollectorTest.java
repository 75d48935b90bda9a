package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jmmv.qa.Application.Library;
import org.jmmv.testkit.SeedFiles;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** PCP's clients print the same by way of {@code jmmv serve} and of a pmcd with jmmv as agent. */
final class CollectorTest {
  private static TemporaryPcp pcp;
  private static List<Application> applications = List.of();
  private static PrivatePmcd pmcd;
  private static CollectorProcess collector;
  private static Pmproxy pmproxy;
  private static Path rules;

  @BeforeAll
  static void start() throws IOException {
    pcp = new TemporaryPcp();
    SeedFiles.ofLibraries().forEach(pcp::serve);
    Application shop = Application.start(pcp, Library.LIBPCP_MMV, "shop", "plain");
    applications =
        List.of(
            shop,
            Application.start(pcp, Library.LIBPCP_MMV, "labelled", "labelled"),
            Application.start(pcp, Library.PYTHON, "python", "plain"),
            Application.start(pcp, Library.PARFAIT, "parfait", "plain"));
    shop.set("requests", "9007199254740992");
    shop.set("queue.depth", "orders", "5");
    shop.set("queue.depth", "spare", "-2147483648");
    shop.set("queue.skew", "orders", "7");
    shop.set("load", "0.75");
    shop.set("throughput", "-1e300");
    shop.set("state", "running as it should");
    rules = Files.writeString(pcp.file("pmie.conf"), ClientCalls.RULES);
    pmcd = PrivatePmcd.start(pcp, AgentCommand.jmmv());
    collector = CollectorProcess.start(pcp);
    pmproxy = Pmproxy.start(new ThisMachine(), pcp);
  }

  @AfterAll
  static void stop() {
    if (pmproxy != null) {
      pmproxy.close();
    }
    if (collector != null) {
      collector.close();
    }
    if (pmcd != null) {
      pmcd.close();
    }
    applications.forEach(Application::close);
    pcp.close();
  }

  @TestFactory
  Stream<DynamicTest> theSameIsPrintedOnAUnixDomainSocket() {
    return tests(pmcd.onSocket(), collector.onSocket());
  }

  @TestFactory
  Stream<DynamicTest> theSameIsPrintedOnTcp() {
    return tests(pmcd.onTcp(), collector.onTcp());
  }

  private static Stream<DynamicTest> tests(PcpServer reference, PcpServer candidate) {
    List<String> metrics = ClientCalls.metrics(reference);
    assertTrue(metrics.size() > 20, metrics::toString);
    return ClientCalls.all(rules, metrics).stream()
        .map(call ->
            DynamicTest.dynamicTest(
                call.toString(),
                () ->
                    assertEquals(
                        "", call.difference(reference, candidate, pmproxy), call::toString)));
  }
}
