package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A second jmmv serves the metrics of a pmproxy, besides the one that serves {@code mmv.*}, instead
 * of the shared library that PCP has for them.
 */
final class PmproxyMetricsTest {
  private static final String STOCK =
      "pmproxy 4 dso pmproxy_init /var/lib/pcp/pmdas/mmv/pmda_mmv.so";
  private static final String JMMV =
      "pmproxy 4 pipe binary "
          + PrivatePmcd.line(
              AgentCommand.jmmv().with("-d", "4", "--greet", "--name=pmproxy", "--no-status"));

  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();
  private Pmproxy pmproxy;
  private PrivatePmcd pmcd;

  @BeforeEach
  void start() throws IOException {
    Files.createDirectories(directory());
    Files.writeString(
        pcp.names(),
        TemporaryPcp.text(pcp.names()).replace("mmv 70:*:*", "mmv 70:*:*\n    pmproxy 4:*:*"));
    pmproxy = pcp.open(Pmproxy.start(new ThisMachine(), pcp));
    pmcd = pcp.open(PrivatePmcd.start(pcp, AgentCommand.jmmv()));
  }

  /** Returns the directory in which pmproxy keeps its metrics. */
  private Path directory() {
    return pcp.mmv().resolveSibling("pmproxy");
  }

  private void awaitAgent(String line, boolean isOurs) {
    pmcd.setOtherAgent(line);
    Await.until(
        "pmcd asks " + line,
        () -> pmcd.logs() + TemporaryPcp.text(log()),
        () ->
            pmcd.pminfo("-t", "pmproxy.control.files").out().contains("whose metrics are served")
                    == isOurs
                && pmcd.pminfo("-f", "pmproxy.pid").out().contains("value "));
  }

  private Path log() {
    return pcp.file("log/pmcd/pmproxy.log");
  }

  /** Returns what pminfo prints, without the help texts of control metrics. */
  private Shell.Result describe(String options) {
    Shell.Result result = pmcd.pminfo(options, "pmproxy");
    String out =
        Stream.of(result.outOfSuccess().split("\n\n", -1))
            .map(metric ->
                metric.startsWith("pmproxy.control.") || metric.startsWith("\npmproxy.control.")
                    ? metric
                        .replaceFirst(" \\[.*]", "")
                        .replaceFirst("(?s)\nHelp:.*?(?=\n +value|$)", "")
                    : metric)
            .collect(Collectors.joining("\n\n"));
    return new Shell.Result(result.command(), result.status(), out, result.err());
  }

  @Test
  void theyAreTheSameAsWithTheStockAgent() {
    awaitAgent(STOCK, false);
    String metrics = describe("-dmtT").out();
    Shell.Result before = describe("-dfmtTl");
    awaitAgent(JMMV, true);
    assertEquals(metrics, describe("-dmtT").out());
    Shell.Result here = describe("-dfmtTl");
    String pid = pmcd.pminfo("-f", "pmproxy.pid").outOfSuccess();
    awaitAgent(STOCK, false);
    assertEquals("", new SameOutput(before, here, () -> describe("-dfmtTl")).difference());

    assertEquals("\npmproxy.pid\n    value " + pmproxy.pid() + "\n", pid);
    assertTrue(metrics.lines().filter(line -> line.contains(" PMID: 4.")).count() > 10, metrics);
    for (String control : List.of("reload PMID: 4.0.0", "debug PMID: 4.0.1", "files PMID: 4.0.2")) {
      assertTrue(metrics.contains("pmproxy.control." + control), metrics);
    }
    assertFalse(metrics.contains("pmproxy.control.file."), metrics);
    assertEquals("", AgentLog.problems(TemporaryPcp.text(log())));
    assertEquals("", AgentLog.problems(pmcd.agentLog()));
  }
}
