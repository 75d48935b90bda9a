package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.jmmv.qa.Application.Library;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What pmcd's clients see of applications that come, work, and go. Every change shows in the first
 * answer after it, and no day leaves anything in the logs.
 */
final class LifecycleTest {
  private static final String UNKNOWN = "Unknown metric name";
  private static final String NUMBERS = " *[0-9.]+( +[0-9.]+)* *";

  private final TemporaryPcp pcp = new TemporaryPcp();
  private PrivatePmcd pmcd;

  @BeforeEach
  void morning() {
    pmcd = PrivatePmcd.start(pcp, AgentCommand.jmmv());
  }

  @AfterEach
  void evening() {
    try {
      pmcd.stop();
      String log = pmcd.log();
      assertEquals("", pmcd.agentLog(), "what jmmv logs");
      assertTrue(log.contains("Cleanup \"mmv\" agent (dom 70): terminated, exit(0)"), log);
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

  /** For each sample that pmval printed, the sum over the instances. */
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

  /** Parfait's writer, used as it is, leaves the file's name out. */
  private static String prefix(Library library, String file) {
    return library == Library.PARFAIT ? "mmv." : "mmv." + file + ".";
  }

  @Test
  void aFileThatIsDeletedIsNoLongerServedThoughItsApplicationGoesOn() throws IOException {
    try (Application shop = Application.start(pcp, Library.LIBPCP_MMV, "shop", "plain")) {
      assertValue("0", "mmv.shop.requests");
      Files.delete(pcp.mmv().resolve("shop"));
      assertUnknown("mmv.shop.requests");
      shop.set("requests", "5");
      assertEquals(List.of(), names());
    }
  }

  @Test
  void clientsGoOnWhileOtherApplicationsComeAndGo() {
    String[] samples = {"-t", "0.1", "-s", "50", "mmv.shop.requests"};
    try (Application shop = Application.start(pcp, Library.LIBPCP_MMV, "shop", "plain")) {
      shop.set("requests", "1");
      try (RunningClient pmval = start("pmval", "-r", samples);
          RunningClient pmrep = start("pmrep", "-rocsv", samples)) {
        int requests = 1;
        while (pmval.isRunning() || pmrep.isRunning()) {
          comeAndGo("an_earlier_one", true);
          shop.set("requests", Integer.toString(++requests));
          comeAndGo("zzz_a_later_one", false);
        }
        assertGoesUpTo(requests, pmval.outputOfSuccess(), NUMBERS);
        assertGoesUpTo(requests, pmrep.outputOfSuccess().replaceAll(".*:.*,", ""), NUMBERS);
      }
    }
  }

  private RunningClient start(String program, String option, String... more) {
    List<String> command = pmcd.command(program, more);
    command.add(option);
    return RunningClient.start(pcp, program, command);
  }

  private void comeAndGo(String file, boolean isKilled) {
    try (Application other = Application.start(pcp, Library.LIBPCP_MMV, file, "other")) {
      other.set("answer", "42");
      assertValue("42", "mmv." + file + ".answer");
      if (isKilled) {
        other.kill();
      } else {
        other.stop();
      }
      assertUnknown("mmv." + file + ".answer");
    }
  }

  private static void assertGoesUpTo(int last, String output, String line) {
    List<Double> values =
        output
            .lines()
            .filter(found -> found.matches(line))
            .map(found -> Double.valueOf(found.strip()))
            .toList();
    assertEquals(50, values.size(), output);
    assertEquals(values.stream().sorted().toList(), values, output);
    assertTrue(values.getFirst() >= 1 && values.getLast() <= last, output);
    assertTrue(new TreeSet<>(values).size() > 2, () -> "it moves: " + output);
  }

  private void assertValue(String value, String metric) {
    String shown = pmcd.pminfo("-f", metric).outOfSuccess();
    assertTrue(shown.contains(" value " + value + "\n"), () -> value + " is not in " + shown);
  }

  private void assertUnknown(String metric) {
    Shell.Result result = pmcd.pminfo("-f", metric);
    assertTrue(result.outOf(1).isBlank() && result.err().contains(UNKNOWN), result::toString);
  }

  /** The names of all metrics but the agent's own. */
  private List<String> names() {
    return pmcd.pminfo("mmv")
        .outOfSuccess()
        .lines()
        .filter(name -> !name.startsWith("mmv.control."))
        .sorted()
        .toList();
  }
}
