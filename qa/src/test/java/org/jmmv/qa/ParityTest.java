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

  @Test
  void acmeIsServedAsTheStockAgentServesIt() {
    try (Application _ = Application.startAcme(pcp)) {
      assertServedAlike(pcp, 3, 9);
    }
  }

  @Test
  void anApplicationInCIsServedAsTheStockAgentServesIt() {
    try (Application application = Application.start(pcp, Library.LIBPCP_MMV, "shop", "plain")) {
      application.set("requests", "9007199254740992");
      application.set("errors", "4294967295");
      application.set("queue.depth", "spare", "-2147483648");
      application.set("load", "0.75");
      application.set("throughput", "-1e300");
      application.set("state", "running as it should");
      assertServedAlike(pcp, 8, 14);
    }
  }

  @Test
  void longNamesWithoutAPrefixAreServedAsTheStockAgentServesThem() {
    try (Application application = Application.start(pcp, Library.LIBPCP_MMV, "shop", "long")) {
      application.set("depth", "orders", "5");
      assertServedAlike(pcp, 2, 3);
    }
  }

  @Test
  void labelsAreServedAsTheStockAgentServesThem() {
    try (Application application = Application.start(pcp, Library.LIBPCP_MMV, "shop", "labelled")) {
      application.set("served", "invoices", "5");
      assertServedAlike(pcp, 2, 3);
    }
  }

  @Test
  void anApplicationInPythonIsServedAsTheStockAgentServesIt() {
    try (Application application = Application.start(pcp, Library.PYTHON, "shop", "plain")) {
      application.set("requests", "5");
      application.set("queue.depth", "invoices", "-3");
      application.set("throughput", "2.5");
      application.set("state", "running");
      assertServedAlike(pcp, 4, 5);
    }
  }

  @Test
  void anApplicationWithParfaitIsServedAsTheStockAgentServesIt() {
    try (Application application = Application.start(pcp, Library.PARFAIT, "shop", "plain")) {
      application.set("requests", "5");
      application.set("queue.depth", "invoices", "-3");
      application.set("throughput", "2.5");
      application.set("state", "running");
      assertServedAlike(pcp, 5, 6);
    }
  }

  @Test
  void longNamesOfParfaitAreServedAsTheStockAgentServesThem() {
    try (Application _ = Application.start(pcp, Library.PARFAIT, "shop", "long")) {
      assertServedAlike(pcp, 2, 2);
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
