package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Derived metrics have the values, types, semantics and units that libpcp gives them, which pmproxy
 * asks: docs/web.md has what differs. DerivedMetricTest of core has the rest.
 */
final class DerivedMetricsTest {
  @AutoClose private static final TemporaryPcp PCP = new TemporaryPcp();
  private static final ThisMachine MACHINE = new ThisMachine();
  private static PrivatePmcd pmcd;
  private static Pmproxy pmproxy;
  private static CollectorProcess jmmv;

  @BeforeAll
  static void start() throws IOException {
    DerivedMetrics.writeFile(PCP.mmv());
    pmcd = PCP.open(PrivatePmcd.start(PCP, AgentCommand.jmmv()));
    pmproxy = PCP.open(Pmproxy.start(MACHINE, PCP));
    jmmv = PCP.open(CollectorProcess.start(PCP, "--http", "127.0.0.1:0"));
  }

  private static List<String> differences(List<String> expressions) {
    return DerivedMetrics.differences(
        MACHINE, expressions, pmproxy.port(), pmcd.onTcp().host(), jmmv.http().getPort());
  }

  @Test
  void expressionsOfPeopleMeanTheSame() {
    assertEquals(List.of(), differences(DerivedMetrics.OF_PEOPLE));
  }

  @Test
  void randomExpressionsMeanTheSame() {
    List<String> all = RandomExpressions.some(2_000);
    List<String> differences = new ArrayList<>();
    for (int i = 0; i < all.size(); i += 1_000) { // a context has at most 1,024
      differences.addAll(differences(all.subList(i, i + 1_000)));
    }
    assertEquals("", String.join("\n", differences.subList(0, Math.min(20, differences.size()))));
    long defined =
        DerivedMetrics.countDefined(MACHINE, all.subList(0, 1_000), jmmv.http().getPort());
    assertTrue(defined > 300, () -> "of 1,000 expressions mean something: " + defined);
  }
}
