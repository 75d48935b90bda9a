package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * PCP's clients show the metrics of all other files, live and from an archive, beside a metric
 * whose instance domain is not in its file.
 */
@Tag("quick")
final class FaultyFileTest {
  @AutoClose private static final TemporaryPcp PCP = new TemporaryPcp();
  private static PrivatePmcd pmcd;

  @BeforeAll
  static void start() {
    MmvWriter faulty = new MmvWriter(2).cluster(11);
    faulty.metric("sound", 1, ValueType.U32).semantics(Semantics.INSTANT).value(1);
    faulty.metric("faulty", 2, ValueType.U32).serial(99).value(1);
    faulty.write(PCP.mmv(), "app");
    MmvWriter other = new MmvWriter(2).cluster(12);
    other.metric("m", 1, ValueType.U32).semantics(Semantics.INSTANT).value(42);
    other.write(PCP.mmv(), "other");
    pmcd = PCP.open(PrivatePmcd.start(PCP, AgentCommand.jmmv()));
  }

  private static void assertShowsBoth(Shell.Result shown) {
    String out = shown.outOfSuccess();
    assertTrue(out.contains("mmv.app.sound") && out.contains("mmv.other.m"), out);
    assertTrue(out.contains("42"), out);
    assertFalse(out.contains("mmv.app.faulty"), out);
  }

  @Test
  void pmrepShowsAllOthers() {
    assertShowsBoth(pmcd.client("pmrep", "-r", "-ocsv", "-s1", "mmv.app", "mmv.other"));
  }

  @Test
  void pcp2jsonShowsAllOthers() {
    Need.PCP2JSON.require();
    Shell.Result shown = pmcd.client("pcp2json", "-r", "-s1", "mmv.app", "mmv.other");
    assertTrue(shown.outOfSuccess().contains("42"), shown::toString);
  }

  @Test
  void pmrepShowsAllOthersFromAnArchive() throws IOException {
    Need.PYTHON.require();
    Path configuration =
        Files.writeString(
            PCP.file("pmlogger.conf"), "log mandatory on 100 msec { mmv.app mmv.other }\n");
    String archive = PCP.file("archive").toString();
    pmcd.client("pmlogger", "-c" + configuration, "-l" + PCP.file("pmlogger.log"), "-s5", archive)
        .outOfSuccess();
    assertShowsBoth(
        Shell.run(
            PCP.environment(),
            List.of(
                "env",
                PcpServer.PYTHON,
                "pmrep",
                "-r",
                "-ocsv",
                "-t0.1",
                "-a",
                archive,
                "mmv.app",
                "mmv.other")));
  }
}
