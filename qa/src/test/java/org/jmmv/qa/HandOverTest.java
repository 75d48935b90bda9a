package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Archives that are recorded while Install and Remove replace one agent by another, with the
 * machine's own pmcd. The agents choose the clusters of the applications. jmmv keeps that of shop,
 * which runs before billing; the stock agent numbers both anew, in alphabetical order.
 */
@Tag("install")
final class HandOverTest {
  /** What both agents have: pmlogger exits at Remove if it logs {@link BuiltInMetrics}. */
  private static final String METRICS =
      "log mandatory on 250 msec { mmv.shop mmv.billing mmv.control.files mmv.control.reload }\n";

  private static final String CHANGES = "other numbers, types or units";
  private static final String GONE = "Metrics that pmcd no longer has: ";

  private final TemporaryPcp here = new TemporaryPcp();
  private SystemPcp system;
  private MachinePcp pcp;
  private Installation installation;
  private Application shop;
  private Application billing;

  @BeforeEach
  void start() throws IOException {
    Need.ROOT.require();
    system = new SystemPcp();
    pcp = system.pcp();
    installation = new Installation(pcp, Installation.copyOfBuild(here));
    Files.writeString(here.file("pmlogger.conf"), METRICS);
    shop = application("shop");
    installation.install().outOfSuccess();
    billing = application("billing");
    pcp.run("pminfo", "mmv.billing").outOfSuccess();
  }

  private Application application(String file) {
    return Application.start(
        pcp.machine(),
        here.file(file + ".err"),
        pcp.mmv(),
        Application.Library.LIBPCP_MMV,
        file,
        "automatic queues");
  }

  @AfterEach
  void stop() throws IOException {
    try {
      if (billing != null) {
        billing.close();
      }
      if (shop != null) {
        shop.close();
      }
      if (system != null) {
        Files.deleteIfExists(pcp.mmv().resolve("shop"));
        Files.deleteIfExists(pcp.mmv().resolve("billing"));
        system.close();
      }
    } finally {
      here.close();
    }
  }

  @Test
  void archivesGoOnThroughInstallAndRemove() {
    installation.remove().outOfSuccess();
    String numbers = numbers();
    try (RunningProgram pmlogger = RunningProgram.start(here, "pmlogger", pmlogger("throughout"))) {
      Path stock = record("stock");
      Shell.Result installed = installation.install();
      assertFalse(installed.outOfSuccess().contains(CHANGES), installed::toString);
      assertFalse(installed.out().contains(GONE), installed::toString);
      assertEquals("", installed.err(), installed::toString);
      assertEquals(numbers, numbers());
      assertMerge(stock, record("installed"));

      shop.stop();
      shop = application("shop");
      assertEquals(numbers, numbers());
      Path restarted = record("restarted");
      Shell.Result removed = installation.remove();
      assertFalse(removed.outOfSuccess().contains(CHANGES), removed::toString);
      assertTrue(removed.out().contains(GONE), removed::toString);
      assertTrue(removed.out().contains("\n    mmv.control.agent.fetches\n"), removed::toString);
      assertEquals(numbers, numbers());
      assertMerge(restarted, record("stock-again"));

      assertTrue(pmlogger.isRunning(), () -> TemporaryPcp.text(log("throughout")));
      pmlogger.stop();
    }
    String said = TemporaryPcp.text(log("throughout"));
    assertFalse(
        said.contains("Warning") || said.contains("Error") || said.contains("has changed"), said);
    check(here.file("throughout"));
  }

  @Test
  void rulesConvertArchivesWhoseNumbersChange() {
    set(5, 7);
    String numbers = numbers();
    Path before = record("before");
    Shell.Result removed = installation.remove();
    assertTrue(removed.outOfSuccess().contains(CHANGES), removed::toString);
    assertFalse(numbers.equals(numbers()), numbers);
    set(6, 8);
    Path after = record("after");
    assertEquals(1, merge(before, after).status(), "the archives as they are");

    List<String> commands =
        removed.out().lines().filter(line -> line.contains("/pmlogrewrite -c ")).toList();
    for (String command : commands) {
      pcp.run(
              command
                  .strip()
                  .replace("ARCHIVE", before.toString())
                  .replace("HALF", here.file("half").toString())
                  .replace("CONVERTED", here.file("converted").toString())
                  .split(" "))
          .outOfSuccess();
    }
    Path merged = assertMerge(here.file("converted"), after);
    String values = pcp.run("pmdumplog", merged.toString(), "mmv").outOfSuccess();
    for (String value :
        List.of(
            "mmv.shop.requests): value 5",
            "mmv.shop.requests): value 6",
            "mmv.billing.requests): value 7",
            "mmv.billing.requests): value 8",
            "inst [7 or \"orders\"] value -5",
            "inst [7 or \"orders\"] value -7")) {
      assertTrue(values.contains(value), () -> value + " is not in " + values);
    }
    assertFalse(values.contains("???"), values);
  }

  private void set(int ofShop, int ofBilling) {
    shop.set("requests", Integer.toString(ofShop));
    shop.set("queue.depth", "orders", Integer.toString(-ofShop));
    billing.set("requests", Integer.toString(ofBilling));
    billing.set("queue.depth", "orders", Integer.toString(-ofBilling));
  }

  /** Returns the PMIDs, types and InDoms of the applications' metrics. */
  private String numbers() {
    return pcp.run("pminfo", "-md", "mmv.shop", "mmv.billing").outOfSuccess();
  }

  private Path log(String archive) {
    return here.file(archive + ".log");
  }

  private List<String> pmlogger(String archive, String... options) {
    List<String> command = new ArrayList<>();
    command.add("pmlogger");
    command.addAll(List.of(options));
    command.addAll(List.of("-h", "unix://" + pcp.place("PCP_RUN_DIR").resolve("pmcd.socket")));
    command.addAll(List.of("-c", here.file("pmlogger.conf").toString()));
    command.addAll(List.of("-l", log(archive).toString(), here.file(archive).toString()));
    return command;
  }

  /** Records an archive for a second. */
  private Path record(String archive) {
    pcp.run(pmlogger(archive, "-T1sec").toArray(String[]::new)).outOfSuccess();
    return here.file(archive);
  }

  private Path assertMerge(Path first, Path second) {
    merge(first, second).outOfSuccess();
    Path merged = merged(first, second);
    check(merged);
    return merged;
  }

  private Shell.Result merge(Path first, Path second) {
    return pcp.run(
        "pmlogextract", first.toString(), second.toString(), merged(first, second).toString());
  }

  private Path merged(Path first, Path second) {
    return here.file(first.getFileName() + "-" + second.getFileName());
  }

  /**
   * Checks the archive's metadata and records, not the values (-m): counters start again with their
   * application.
   */
  private void check(Path archive) {
    Shell.Result checked = pcp.run("pmlogcheck", "-m", archive.toString());
    assertEquals("", checked.outOfSuccess() + checked.err());
  }
}
