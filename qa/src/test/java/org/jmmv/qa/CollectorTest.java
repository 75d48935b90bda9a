package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jmmv.qa.Application.Library;
import org.jmmv.testkit.SeedFiles;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** PCP's clients print the same by way of {@code jmmv serve} and of a pmcd with jmmv as agent. */
final class CollectorTest {
  @AutoClose private static final TemporaryPcp PCP = new TemporaryPcp();
  private static PrivatePmcd pmcd;
  private static CollectorProcess collector;
  private static Pmproxy pmproxy;
  private static Path rules;

  @BeforeAll
  static void start() throws IOException {
    SeedFiles.ofLibraries().forEach(PCP::serve);
    Application shop = start(Library.LIBPCP_MMV, "shop", "plain");
    start(Library.LIBPCP_MMV, "labelled", "labelled");
    start(Library.PYTHON, "python", "plain");
    start(Library.PARFAIT, "parfait", "plain");
    shop.set("requests", "9007199254740992");
    shop.set("queue.depth", "orders", "5");
    shop.set("queue.depth", "spare", "-2147483648");
    shop.set("queue.skew", "orders", "7");
    shop.set("load", "0.75");
    shop.set("throughput", "-1e300");
    shop.set("state", "running as it should");
    rules = Files.writeString(PCP.file("pmie.conf"), ClientCalls.RULES);
    pmcd = PCP.open(PrivatePmcd.start(PCP, AgentCommand.jmmv()));
    collector = PCP.open(CollectorProcess.start(PCP));
    pmproxy = PCP.open(Pmproxy.start(new ThisMachine(), PCP));
  }

  private static Application start(Library library, String file, String shape) {
    return PCP.open(Application.start(PCP, library, file, shape));
  }

  @TestFactory
  Stream<DynamicTest> theSameIsPrintedOnAUnixDomainSocket() {
    return tests(pmcd.onSocket(), collector.onSocket(), _ -> true);
  }

  /** What is asked and answered does not depend on the socket, so each client makes one call. */
  @TestFactory
  Stream<DynamicTest> eachClientPrintsTheSameOnTcp() {
    Set<String> clients = new HashSet<>();
    return tests(pmcd.onTcp(), collector.onTcp(), call -> clients.add(call.program()));
  }

  private static Stream<DynamicTest> tests(
      PcpServer reference, PcpServer candidate, Predicate<ClientCalls.Call> isMade) {
    List<String> metrics = ClientCalls.metrics(reference);
    assertTrue(metrics.size() > 20, metrics::toString);
    return ClientCalls.all(rules, metrics).stream()
        .filter(isMade)
        .map(call ->
            DynamicTest.dynamicTest(
                call.toString(),
                () ->
                    assertEquals(
                        "", call.difference(reference, candidate, pmproxy), call::toString)));
  }
}
