package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Stream;
import org.jmmv.qa.Application.Library;
import org.jmmv.testkit.SeedFiles;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code pminfo} prints the same with jmmv and with the stock agent. */
@Tag("quick")
final class ParityTest {
  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();

  @TestFactory
  Stream<DynamicTest> aFileAloneIsServedAsTheStockAgentServesIt() {
    return SeedFiles.servedAlike().entrySet().stream()
        .map(file ->
            DynamicTest.dynamicTest(
                file.getKey(),
                () -> {
                  try (TemporaryPcp own = new TemporaryPcp()) {
                    own.serve(file.getKey(), file.getValue());
                    assertServedAlike(own, 1, 1);
                  }
                }));
  }

  @Test
  void allFilesTogetherAreServedAsTheStockAgentServesThem() {
    SeedFiles.servedAlike().forEach(pcp::serve);
    assertServedAlike(pcp, 60, 114);
  }

  @ParameterizedTest
  @CsvSource({
    "LIBPCP_MMV, plain, 8, 14",
    "LIBPCP_MMV, long, 2, 3",
    "LIBPCP_MMV, labelled, 2, 3",
    "PYTHON, plain, 4, 5",
    "PARFAIT, plain, 5, 6",
    "PARFAIT, long, 2, 2"
  })
  void anApplicationIsServedAsTheStockAgentServesIt(
      Library library, String shape, int leastMetrics, int leastValues) {
    try (Application application = Application.start(pcp, library, "shop", shape)) {
      if (shape.equals("plain")) {
        application.set("requests", "2147483647");
        application.set("queue.depth", "orders", "-2147483648");
        application.set("throughput", "-1e300");
        application.set("state", "running as it should");
      } else if (shape.equals("labelled")) {
        application.set("served", "invoices", "5");
      }
      assertServedAlike(pcp, leastMetrics, leastValues);
    }
  }

  @Test
  void applicationsTogetherAreServedAsTheStockAgentServesThem() {
    try (Application _ = Application.startAcme(pcp);
        Application _ = Application.start(pcp, Library.LIBPCP_MMV, "c", "plain");
        Application _ = Application.start(pcp, Library.LIBPCP_MMV, "d", "labelled");
        Application _ = Application.start(pcp, Library.PYTHON, "p", "plain");
        Application _ = Application.start(pcp, Library.PARFAIT, "j", "plain")) {
      assertServedAlike(pcp, 20, 30);
    }
  }

  private static void assertServedAlike(TemporaryPcp pcp, int leastMetrics, int leastValues) {
    try (PrivatePmcd stock = PrivatePmcd.start(pcp, AgentCommand.stock());
        PrivatePmcd jmmv = PrivatePmcd.start(pcp, AgentCommand.jmmv())) {
      PminfoReport before = PminfoReport.of(stock);
      PminfoReport report = PminfoReport.of(jmmv);
      PminfoReport after = PminfoReport.of(stock);
      assertAll(
          () -> assertEquals("", report.differenceFrom(before, after), "differences"),
          () -> assertTrue(report.metrics().size() >= leastMetrics, report::toString),
          () -> assertTrue(report.values() >= leastValues, report::toString),
          () -> assertEquals("", AgentLog.problems(jmmv.agentLog()), "what jmmv logs"));
    }
  }
}
