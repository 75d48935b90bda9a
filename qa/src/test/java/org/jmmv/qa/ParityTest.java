package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jmmv.qa.Application.Library;
import org.jmmv.testkit.SeedFiles;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code pminfo} prints the same with jmmv and with the stock agent. {@link DifferentialTest}
 * compares their replies about each file and each application.
 */
@Tag("quick")
final class ParityTest {
  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();

  @Test
  void allFilesTogetherAreServedAsTheStockAgentServesThem() {
    SeedFiles.servedAlike().forEach(pcp::serve);
    assertServedAlike(pcp, 60, 114);
  }

  @Test
  void applicationsTogetherAreServedAsTheStockAgentServesThem() {
    try (Application _ = Application.startAcme(pcp);
        Application _ = Application.start(pcp, Library.LIBPCP_MMV, "c", "plain");
        Application _ = Application.start(pcp, Library.LIBPCP_MMV, "d", "labelled");
        Application _ = Application.start(pcp, Library.PYTHON, "p", "plain");
        Application _ = Application.start(pcp, Library.PARFAIT, "j", "plain");
        Application _ = Application.start(pcp, Library.WRITER, "w", "plain")) {
      assertServedAlike(pcp, 25, 37);
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
