package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jmmv.pcp.ValueType;
import org.jmmv.qa.Application.Library;
import org.jmmv.testkit.MmvWriter;
import org.jmmv.testkit.SeedFiles;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The tests with the PCP of one Debian suite, in a container. */
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DebianSuite extends DifferentialTest {
  private static final String METRICS = "log mandatory on 250 msec { mmv.shop }\n";

  private final String suite;
  private ContainerMachine machine;
  private MachinePcp pcp;

  DebianSuite(String suite) {
    this.suite = suite;
  }

  @BeforeAll
  void start() {
    machine = ContainerMachine.withPcp(suite);
    pcp = new MachinePcp(machine);
    pcp.startPmcd();
    pcp.awaitWell("mmv");
  }

  @AfterAll
  void stop() {
    if (machine != null) {
      machine.close();
    }
  }

  @Override
  Machine machine() {
    return machine;
  }

  MachinePcp pcp() {
    return pcp;
  }

  /** Whether this is the suite that is also asked what all versions of PCP answer alike. */
  boolean isOfTheDay() {
    return false;
  }

  @Override
  boolean asksAll() {
    return isOfTheDay() || Nightly.isNight();
  }

  /** All versions of PCP answer these questions alike. Each is asked them at night. */
  @TestFactory
  Stream<DynamicTest> whatAllVersionsAnswerAlike() {
    return asksAll()
        ? Stream.of(
            dynamicTest(
                "clients print the same by way of jmmv serve and of pmcd",
                this::clientsPrintTheSameByWayOfJmmvServeAndOfPmcd),
            dynamicTest(
                "applications in other containers are served until they are killed",
                this::applicationsInOtherContainersAreServedUntilTheyAreKilled))
        : Stream.empty();
  }

  /** Installs the Debian packages, without running Install. */
  void installPackages() {
    Path packages = AgentCommand.HOME.getParent();
    pcp.run("sh", "-c", "dpkg -i " + packages + "/jmmv*.deb").outOfSuccess();
  }

  /**
   * The whole life of the packages, while applications are served and recorded. Before, the stock
   * agent runs as PCP configures it: as a DSO in pmcd.
   */
  @Test
  void thePackagesServeWhatTheStockAgentServedAndLeaveNothingBehind() {
    try (TemporaryPcp here = new TemporaryPcp(machine)) {
      final String filesBefore = files();
      final Installation installation = new Installation(pcp, pcp.jmmv());
      try (Application shop = start(here, Library.LIBPCP_MMV, "shop", "plain");
          Application _ = start(here, Library.LIBPCP_MMV, "labelled", "labelled");
          Application _ = start(here, Library.PYTHON, "python", "plain");
          Application _ = start(here, Library.PERL, "perl", "plain");
          Application _ = start(here, Library.PARFAIT, "parfait", "plain")) {
        serveFiles(here);
        final PminfoReport stock = PminfoReport.of(pcp);
        assertTrue(stock.values() > 50, stock::toString);
        String archive = startPmlogger(here);
        shop.set("requests", "1");
        awaitLogged(archive, 1);

        installPackages();
        final String namesAsOfBefore = namesFile();
        final int signals = signalsToPmcd();
        Shell.Result installed = installation.install();
        assertEquals("", installed.err(), installed::toString);
        assertFalse(installed.outOfSuccess().contains("other numbers"), installed::toString);
        installation.assertJmmvServes();
        assertEquals(signals + 1, signalsToPmcd());
        final PminfoReport jmmv = PminfoReport.of(pcp);
        shop.set("requests", "2");
        awaitLogged(archive, 2);
        comeAndGo(here);

        Shell.Result removed = installation.remove();
        assertEquals("", removed.err(), removed::toString);
        removed.outOfSuccess();
        installation.assertAsBefore();
        // Otherwise pmcd is for a moment without the names, or without agent, and pmlogger exits.
        assertEquals(signals + 2, signalsToPmcd());
        assertEquals(namesAsOfBefore, namesFile());
        assertEquals("", jmmv.differenceFrom(stock, PminfoReport.of(pcp)));
        shop.set("requests", "3");
        awaitLogged(archive, 3);
        stopPmlogger(archive);
      }
      assertEquals("", AgentLog.problems(pcp.text(pcp.log("mmv.log"))), "the agent's log");
      pcp.run("dpkg", "-P", "jmmv-pmda", "jmmv").outOfSuccess();
      assertEquals(filesBefore, files());
    }
  }

  /** The clients reach both servers on their Unix domain sockets. */
  private void clientsPrintTheSameByWayOfJmmvServeAndOfPmcd() throws IOException {
    try (TemporaryPcp here = new TemporaryPcp(machine);
        Application shop = start(here, Library.LIBPCP_MMV, "shop", "plain");
        Application _ = start(here, Library.PYTHON, "python", "plain")) {
      shop.set("queue.depth", "orders", "5");
      Installation installation = new Installation(pcp, AgentCommand.HOME);
      installation.install().outOfSuccess();
      installation.assertJmmvServes();
      Path socket = here.file("socket");
      Path rules = Files.writeString(here.file("pmie.conf"), ClientCalls.RULES);
      int http = PrivatePmcd.freePort();
      pcp.run("sh", "-c", serve(here, socket, http)).outOfSuccess();
      PcpServer collector = new PcpServer(machine, Map.of(), "unix://" + socket);
      Await.until(
          "jmmv serve answers",
          () -> pcp.text(here.file("serve.log")),
          () -> collector.client("pminfo", "mmv.shop").status() == 0);
      PcpServer pmcd =
          new PcpServer(
              machine, Map.of(), "unix://" + pcp.place("PCP_RUN_DIR").resolve("pmcd.socket"));
      try (Pmproxy pmproxy = Pmproxy.start(machine, here)) {
        assertEquals("", ClientCalls.differences(rules, pmcd, collector, pmproxy));
        String version = pcp.place("PCP_VERSION").toString();
        if (!version.startsWith("5.")) { // pmproxy 5 writes what is not JSON
          WebDocuments.writeFiles(here.mmv());
          DerivedMetrics.writeFile(here.mmv());
          copyFiles(here);
          assertEquals("", WebDocuments.difference(machine, pmproxy.port(), "127.0.0.1", http));
          for (List<String> expressions :
              List.of(DerivedMetrics.OF_PEOPLE, RandomExpressions.some(1_000))) {
            assertEquals(
                List.of(),
                DerivedMetrics.differences(
                    machine, expressions, pmproxy.port(), "127.0.0.1", http));
          }
        }
      } finally {
        pcp.run("pkill", "-TERM", "-f", "serve.*" + socket);
        installation.remove().outOfSuccess(); // other tests need the stock agent
      }
      installation.assertAsBefore();
    }
  }

  /** Here is another PID namespace than that of the container with PCP. */
  private void applicationsInOtherContainersAreServedUntilTheyAreKilled() throws IOException {
    Path settings = pcp.place("PCP_SYSCONF_DIR").resolve("jmmv");
    try (TemporaryPcp here = new TemporaryPcp(machine)) {
      machine.letAllEnter();
      Path mmv = here.mmv();
      pcp.run(
              "sh",
              "-c",
              """
              mkdir -p %1$s && cat >%1$s/jmmv.toml <<'END'
              [[directory]]
              path = '%2$s'
              stale = 'withdraw'
              stale_after = '5s'
              END
              """
                  .formatted(settings, mmv))
          .outOfSuccess();
      Installation installation = new Installation(pcp, AgentCommand.HOME);
      installation.install().outOfSuccess();
      try {
        for (long pid : new long[] {1, 7}) {
          try (Application app = Application.startInPidNamespace(here, "app", pid)) {
            awaitServed(true);
            app.kill();
            awaitServed(false);
          }
          Files.delete(mmv.resolve("app"));
        }
        MmvWriter writer = new MmvWriter(1); // without the PROCESS flag
        writer.metric("answer", 1, ValueType.U32).value(42);
        writer.write(mmv, "app");
        try (FileChannel _ = FileChannel.open(mmv.resolve("app"), StandardOpenOption.WRITE)) {
          awaitServed(true);
        }
        awaitServed(false);
      } finally {
        pcp.run("rm", "-r", settings.toString());
        installation.remove().outOfSuccess();
      }
    }
  }

  private void awaitServed(boolean isServed) {
    Await.until(
        "mmv.app.answer is " + (isServed ? "served" : "withdrawn"),
        () -> pcp.text(pcp.log("mmv.log")) + pcp.run("pminfo", "-f", "mmv.control.file").out(),
        () -> pcp.run("pminfo", "-f", "mmv.app.answer").out().contains("value") == isServed);
  }

  /** Returns the inode and the time of the file with the names that pmcd knows. */
  private String namesFile() {
    return pcp.run("stat", "-c", "%i %y", pcp.names().toString()).outOfSuccess();
  }

  private int signalsToPmcd() {
    return (int)
        pcp.text(pcp.log("pmcd.log"))
            .lines()
            .filter(line -> line.startsWith("pmcd RESTARTED at "))
            .count();
  }

  private String serve(TemporaryPcp here, Path socket, int http) {
    return "%s serve --listen none --http 127.0.0.1:%d --socket %s --state %s %s >%s 2>&1 &"
        .formatted(
            AgentCommand.TOOL, http, socket, here.file("state"), pcp.mmv(), here.file("serve.log"));
  }

  private Application start(TemporaryPcp here, Library library, String file, String shape) {
    return Application.start(machine, here.file(file + ".err"), pcp.mmv(), library, file, shape);
  }

  private void serveFiles(TemporaryPcp here) {
    SeedFiles.ofLibraries().forEach(here::serve);
    copyFiles(here);
  }

  private void copyFiles(TemporaryPcp here) {
    pcp.run("cp", "-r", here.mmv().toString(), pcp.mmv().getParent().toString()).outOfSuccess();
  }

  /** Applications come and go, in good order and not. */
  private void comeAndGo(TemporaryPcp here) {
    for (Library library : Library.values()) {
      String answer = library == Library.PARFAIT ? "mmv.answer" : "mmv.guest.answer";
      try (Application guest = start(here, library, "guest", "other")) {
        guest.set("answer", "42");
        String shown = pcp.run("pminfo", "-f", answer).outOfSuccess();
        assertTrue(shown.contains(" value 42\n"), shown);
        guest.stop();
      }
      assertEquals(1, pcp.run("pminfo", answer).status(), answer);
    }
    try (Application _ = Application.startAcme(machine, here.file("acme.err"), pcp.mmv())) {
      pcp.run("pminfo", "-f", "mmv.acme.products.count").outOfSuccess();
      pcp.run("pkill", "-KILL", "-x", "acme").outOfSuccess();
    }
    pcp.run("rm", pcp.mmv().resolve("acme").toString()).outOfSuccess();
    assertEquals(1, pcp.run("pminfo", "mmv.acme").status());
  }

  private String startPmlogger(TemporaryPcp here) {
    String archive = here.file("archive").toString();
    String command =
        "echo '%s' >%2$s.conf; pmlogger -c %2$s.conf -l %2$s.log %2$s &"
            .formatted(METRICS.strip(), archive);
    pcp.run("sh", "-c", command).outOfSuccess();
    return archive;
  }

  private void awaitLogged(String archive, int requests) {
    Await.until(
        requests + " is logged",
        () -> pcp.text(Path.of(archive + ".log")),
        () ->
            pcp.run("pmdumplog", archive, "mmv.shop.requests")
                .out()
                .contains(": value " + requests + "\n"));
  }

  private void stopPmlogger(String archive) {
    pcp.run("pkill", "-TERM", "-x", "pmlogger").outOfSuccess();
    Await.until("pmlogger ends", () -> pcp.run("pgrep", "-x", "pmlogger").status() == 1);
    String log = pcp.text(Path.of(archive + ".log"));
    assertFalse(log.contains("Warning") || log.contains("Error"), log);
    Shell.Result checked = pcp.run("pmlogcheck", "-m", archive);
    assertEquals("", checked.outOfSuccess() + checked.err());
  }

  /** Returns a line with the checksum of each file that PCP and its package consist of. */
  private String files() {
    List<String> find = new ArrayList<>(List.of("find", "/etc", "/usr", "/opt"));
    Stream.of("PCP_PMDAS_DIR", "PCP_VAR_DIR")
        .map(place -> pcp.place(place).toString())
        .forEach(find::add);
    find.addAll(List.of("-path", pcp.mmv().getParent().toString(), "-prune", "-o"));
    find.addAll(List.of("-type", "f", "-exec", "cksum", "{}", "+"));
    return pcp.run(find.toArray(String[]::new)).outOfSuccess();
  }
}
