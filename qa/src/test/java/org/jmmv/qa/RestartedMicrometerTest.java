package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** An application with Micrometer is killed and started again; archives and series go on. */
final class RestartedMicrometerTest {
  private static final int SECONDS = Nightly.isNight() ? 60 : 10; // with more than 50 restarts
  private static final long LIFE_NANOS = 700_000_000;
  private static final Pattern INSTANCE = Pattern.compile("inst \\[\\d+ or \"uri=[^\"]*\"\\]");

  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();

  private Process start() throws IOException {
    Process application =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                MicrometerApplication.class.getName(),
                pcp.mmv().toString())
            .redirectError(pcp.file("micro.err").toFile())
            .start();
    assertEquals(
        "ready",
        application.inputReader().readLine(),
        () -> TemporaryPcp.text(pcp.file("micro.err")));
    return application;
  }

  private void restart(Process application) throws InterruptedException {
    LockSupport.parkNanos(LIFE_NANOS);
    application.destroyForcibly().waitFor();
  }

  /** Returns the metrics that pminfo describes, which are in the order in which they were added. */
  private static Set<String> metrics(Shell.Result described) {
    return Set.of(described.outOfSuccess().strip().split("\n\n"));
  }

  private Shell.Result onArchive(String... command) {
    return Shell.run(pcp.environment(), List.of(command));
  }

  @Test
  void anArchiveHasTheSameMetricsThroughout() throws IOException, InterruptedException {
    String archive = pcp.file("archive").toString();
    Path configuration =
        Files.writeString(pcp.file("pmlogger.conf"), "log mandatory on 100 msec { mmv.micro }\n");
    Path log = pcp.file("pmlogger.log");
    try (PrivatePmcd pmcd = PrivatePmcd.start(pcp, AgentCommand.jmmv())) {
      Process application = start();
      Set<String> shown = metrics(pmcd.pminfo("-md", "mmv.micro"));
      try (RunningProgram pmlogger =
          RunningProgram.start(
              pcp,
              "pmlogger",
              pmcd.command(
                  "pmlogger", "-c" + configuration, "-l" + log, "-T" + SECONDS + "sec", archive))) {
        Await.until("pmlogger works", () -> Files.exists(Path.of(archive + ".0")));
        while (pmlogger.isRunning()) {
          restart(application);
          application = start();
        }
        assertEquals("", pmlogger.outputOfSuccess(), () -> TemporaryPcp.text(log));
      }
      assertEquals(shown, metrics(pmcd.pminfo("-md", "mmv.micro")));
      application.destroyForcibly().waitFor();
      assertEquals(shown, metrics(onArchive("pminfo", "-md", "-a", archive, "mmv.micro")));
      Shell.Result checked = onArchive("pmlogcheck", "-m", archive); // counters go back
      assertEquals("", checked.outOfSuccess() + checked.err());
      String dumped = onArchive("pmdumplog", archive, "mmv.micro.requests").outOfSuccess();
      assertEquals(
          MicrometerApplication.URIS.size(),
          INSTANCE.matcher(dumped).results().map(MatchResult::group).distinct().count());
      assertEquals("", AgentLog.problems(pmcd.agentLog()));
    }
  }

  private static double scrapes(Prometheus prometheus) {
    return prometheus.query("count_over_time(up[10m])").getFirst();
  }

  @Test
  void prometheusHasTheSameSeriesThroughout() throws IOException, InterruptedException {
    Need.PROMETHEUS.require();
    CollectorProcess jmmv = pcp.open(CollectorProcess.withHttp(pcp, 0));
    Prometheus prometheus =
        pcp.open(
            Prometheus.start(
                new ThisMachine(), pcp, Prometheus.scrapeConfigs(jmmv.http().getPort()), ""));
    Process application = start();
    Await.until("a scrape", () -> !prometheus.query("mmv_micro_requests_total").isEmpty());
    for (int life = 0; life < SECONDS; life++) {
      restart(application);
      application = start();
    }
    double before = scrapes(prometheus);
    Await.until("two scrapes", () -> scrapes(prometheus) >= before + 2);
    List<Double> quantile = // as docs/micrometer.md says
        prometheus.query(
            "histogram_quantile(0.9, sum by (le) (label_replace("
                + "rate(mmv_micro_work_histogram_total[%ds]), ".formatted(SECONDS)
                + "\"le\", \"$1\", \"exported_le\", \"(.*)\")))");
    assertEquals(0.009, quantile.getFirst(), 1e-9);
    application.destroyForcibly().waitFor();
    int uris = MicrometerApplication.URIS.size();
    assertEquals(
        List.of((double) uris),
        prometheus.query("count(count_over_time(mmv_micro_requests_total[10m]))"));
    assertEquals(
        List.of(1.0), prometheus.query("count(count_over_time(mmv_micro_work_count_total[10m]))"));
    // less than what it counts: what follows the last scrape of a life is in no scrape
    for (double rate : prometheus.query("rate(mmv_micro_requests_total[%ds])".formatted(SECONDS))) {
      assertTrue(rate > 0 && rate <= MicrometerApplication.PER_SECOND, () -> "rate " + rate);
    }
    assertEquals("", prometheus.failures());
  }
}
