package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jmmv.qa.Application.Library;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What pmcd's clients see of applications that start, work and end. Every change shows in the first
 * answer after it, and nothing of it is logged.
 */
final class LifecycleTest {
  private static final String UNKNOWN = "Unknown metric name";
  private static final String NUMBERS = " *[0-9.]+( +[0-9.]+)* *";

  private final TemporaryPcp pcp = new TemporaryPcp();
  private final String archive = pcp.file("archive").toString();
  private PrivatePmcd pmcd;

  @BeforeEach
  void start() {
    pmcd = PrivatePmcd.start(pcp, AgentCommand.jmmv());
  }

  @AfterEach
  void stop() {
    if (pmcd == null) {
      return;
    }
    try {
      pmcd.stop();
      String log = pmcd.log();
      assertEquals("", AgentLog.problems(pmcd.agentLog()), "what jmmv logs");
      String end = "Cleanup \"mmv\" agent (dom 70): "; // it is not there if pmcd is quicker
      assertFalse(log.replace(end + "terminated, exit(0)", "").contains(end), log);
      assertFalse(log.contains("Warning") || log.contains("Error"), log);
    } finally {
      pmcd.close();
      pcp.close();
    }
  }

  @Test
  void pmvalShowsALiveCounterMoving() {
    try (Application _ = Application.startAcme(pcp)) {
      String count = "mmv.acme.products.count";
      List<Double> counts =
          sums(pmcd.client("pmval", "-r", "-t", "0.2", "-s", "3", count).outOfSuccess());
      assertEquals(3, counts.size());
      assertEquals(3, new TreeSet<>(counts).size(), () -> "different values in " + counts);
      assertEquals(counts.stream().sorted().toList(), counts, "a counter's values");

      List<Double> rates = sums(pmcd.client("pmval", "-t", "0.2", "-s", "3", count).outOfSuccess());
      assertEquals(3, rates.size());
      assertTrue(rates.stream().allMatch(rate -> rate > 0), rates::toString);
    }
  }

  /** Returns the sum over the instances of each sample that pmval printed. */
  private static List<Double> sums(String output) {
    return output
        .lines()
        .filter(line -> line.matches(NUMBERS))
        .map(line -> Arrays.stream(line.strip().split(" +")).mapToDouble(Double::parseDouble).sum())
        .toList();
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void anApplicationIsSeenAsItStartsWorksRestartsWithOtherMetricsAndGoes(Library library) {
    String prefix = prefix(library, "shop");
    try (Application shop = Application.start(pcp, library, "shop", "plain")) {
      assertValue("0", prefix + "requests");
      shop.set("requests", "5");
      assertValue("5", prefix + "requests");
      shop.set("queue.depth", "orders", "-3");
      assertValue("-3", prefix + "queue.depth");
      shop.set("state", "running");
      assertValue("\"running\"", prefix + "state");
      shop.stop();
      assertEquals(List.of(), names());
    }
    try (Application shop = Application.start(pcp, library, "shop", "plain")) {
      assertTrue(names().contains(prefix + "requests"));
      shop.stop();
    }
    try (Application shop = Application.start(pcp, library, "shop", "other")) {
      assertEquals(List.of(prefix + "answer"), names());
      shop.set("answer", "42");
      assertValue("42", prefix + "answer");
      assertUnknown(prefix + "requests");
      shop.stop();
      assertUnknown(prefix + "answer");
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void whatAKilledApplicationServedGoesWithItsProcess(Library library) {
    String requests = prefix(library, "shop") + "requests";
    String answer = prefix(library, "other") + "answer";
    try (Application shop = Application.start(pcp, library, "shop", "plain");
        Application other = Application.start(pcp, library, "other", "other")) {
      assertValue("0", requests);
      shop.kill();
      assertUnknown(requests);
      assertEquals(List.of(answer), names());
      other.set("answer", "42");
      assertValue("42", answer);
    }
    assertEquals(List.of(), names());
    assertTrue(Files.exists(pcp.mmv().resolve("shop")), "a killed application leaves its file");

    try (Application shop = Application.start(pcp, library, "shop", "plain")) {
      shop.set("requests", "7");
      assertValue("7", requests);
    }
  }

  /** Parfait's writer sets NOPREFIX by default: names do not begin with the file's. */
  private static String prefix(Library library, String file) {
    return library == Library.PARFAIT ? "mmv." : "mmv." + file + ".";
  }

  /** The agent chooses the clusters of these applications; in an archive they must not change. */
  @Test
  void clientsAndArchivesGoOnWhileOtherApplicationsComeAndGo() throws IOException {
    String answer = "mmv.shop.answer";
    Path configuration =
        Files.writeString(pcp.file("pmlogger.conf"), "log mandatory on 250 msec { mmv }\n");
    Path log = pcp.file("pmlogger.log");
    try (Application shop = Application.start(pcp, Library.LIBPCP_MMV, "shop", "automatic")) {
      shop.set("answer", "1");
      int last = 1;
      try (RunningProgram pmlogger =
              start("pmlogger", "-c" + configuration, "-l" + log, "-T10sec", archive);
          RunningProgram pmval = start("pmval", "-r", "-t0.1", "-s100", answer);
          RunningProgram pmrep = start("pmrep", "-r", "-ocsv", "-t1s", "-s10", answer)) {
        Await.until("pmlogger works", () -> Files.exists(Path.of(archive + ".0")));
        while (pmlogger.isRunning() || pmval.isRunning() || pmrep.isRunning()) {
          last++;
          comeAndGo("an_earlier_one", "automatic", "answer", last, true, pmlogger);
          shop.set("answer", Integer.toString(last));
          comeAndGo("an_earlier_one", "labelled", "requests", last, false, pmlogger);
          comeAndGo("zzz_a_later_one", "automatic", "answer", last, false, pmlogger);
        }
        assertGoUpTo(last, 100, values(pmval.outputOfSuccess(), " +"));
        assertGoUpTo(last, 10, values(pmrep.outputOfSuccess(), ".*:.*,"));
        assertEquals("", pmlogger.outputOfSuccess(), () -> TemporaryPcp.text(log));
      }
      String said = TemporaryPcp.text(log);
      assertFalse(said.contains("Warning") || said.contains("Error"), said);
      assertEquals(
          pmcd.pminfo("-md", answer).outOfSuccess(),
          onArchive("pminfo", "-md", "-a", archive, answer).outOfSuccess());
      String records = dump(answer).outOfSuccess();
      long count = records.lines().filter(line -> line.contains(answer)).count();
      assertGoUpTo(last, count, values(records, ".*: value "));
      // not the values (-m): a counter goes back when its application starts again
      Shell.Result checked = onArchive("pmlogcheck", "-m", archive);
      assertEquals("", checked.outOfSuccess() + checked.err());
    }
  }

  private RunningProgram start(String program, String... arguments) {
    return RunningProgram.start(pcp, program, pmcd.command(program, arguments));
  }

  /**
   * Starts another application, and ends it once its value is in the archive: pmlogger exits if a
   * metric disappears that it has just found.
   */
  private void comeAndGo(
      String file,
      String shape,
      String metric,
      int value,
      boolean isKilled,
      RunningProgram pmlogger) {
    String name = "mmv." + file + "." + metric;
    try (Application other = Application.start(pcp, Library.LIBPCP_MMV, file, shape)) {
      other.set(metric, Integer.toString(value));
      // a request waits for a new file for a time only, which may not do on a busy machine
      Await.until(name + " is served", () -> pmcd.pminfo("-f", name).status() == 0);
      assertValue(Integer.toString(value), name);
      Await.until(
          name + " is logged",
          () -> dump(name).toString(),
          () -> dump(name).out().contains(": value " + value + "\n") || !pmlogger.isRunning());
      if (isKilled) {
        other.kill();
      } else {
        other.stop();
      }
      assertUnknown(name);
    }
  }

  /** Dumps the archive's records of a metric. */
  private Shell.Result dump(String metric) {
    return onArchive("pmdumplog", archive, metric);
  }

  private Shell.Result onArchive(String... command) {
    return Shell.run(pcp.environment(), List.of(command));
  }

  /** Returns the values that a client has printed at the end of lines that begin so. */
  private static List<Double> values(String output, String before) {
    return Pattern.compile("^" + before + "([0-9.]+) *$", Pattern.MULTILINE)
        .matcher(output)
        .results()
        .map(line -> Double.valueOf(line.group(1)))
        .toList();
  }

  private static void assertGoUpTo(int last, long count, List<Double> values) {
    assertEquals(count, values.size(), values::toString);
    assertEquals(values.stream().sorted().toList(), values);
    assertTrue(values.getFirst() >= 1 && values.getLast() <= last, values::toString);
    assertTrue(new TreeSet<>(values).size() > 2, () -> "the values do not move: " + values);
  }

  private void assertValue(String value, String metric) {
    String shown = pmcd.pminfo("-f", metric).outOfSuccess();
    assertTrue(shown.contains(" value " + value + "\n"), () -> value + " is not in " + shown);
  }

  private void assertUnknown(String metric) {
    Shell.Result result = pmcd.pminfo("-f", metric);
    assertTrue(result.outOf(1).isBlank() && result.err().contains(UNKNOWN), result::toString);
  }

  /** Returns the names of all metrics but the agent's own. */
  private List<String> names() {
    return pmcd.pminfo("mmv")
        .outOfSuccess()
        .lines()
        .filter(name -> !name.startsWith("mmv.control."))
        .sorted()
        .toList();
  }
}
