package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.testcontainers.junit.jupiter.Testcontainers;

/** Install and Remove with other versions of PCP, in images of the PCP project. */
@Testcontainers(disabledWithoutDocker = true)
final class ContainerTest {

  @ParameterizedTest
  @CsvSource({
    "5, quay.io/performancecopilot/pcp:5.3.7",
    "6, quay.io/performancecopilot/pcp:6.3.8",
    "7, ghcr.io/performancecopilot/pcp:7"
  })
  void afterInstallPmcdServesApplicationsAndAfterRemoveAllIsAsBefore(String version, String image) {
    try (TemporaryPcp here = new TemporaryPcp();
        ContainerMachine machine = new ContainerMachine(image)) {
      MachinePcp pcp = new MachinePcp(machine);
      prepare(pcp);
      pcp.startPmcd();
      pcp.awaitWell("mmv");
      String there = pcp.run("pminfo", "-f", "pmcd.version").outOfSuccess();
      assertTrue(there.contains(" value \"" + version + "."), there);

      Path build = machine.bring(AgentCommand.JMMV.getParent());
      new Installation(pcp, build).installServeAndRemove(here, machine.bring(copyOfJava(here)));
    }
  }

  /** Does what systemd would do, and keeps pmcd's start script from installing agents. */
  private static void prepare(MachinePcp pcp) {
    pcp.run("systemd-tmpfiles", "--create", "--prefix=" + pcp.place("PCP_RUN_DIR"));
    pcp.run("find", pcp.place("PCP_PMDAS_DIR").toString(), "-name", ".NeedInstall", "-delete")
        .outOfSuccess();
  }

  /** Copies this Java with links resolved; dangling links are left out. */
  private static Path copyOfJava(TemporaryPcp here) {
    Path copy = here.file("java");
    Shell.run(Map.of(), List.of("cp", "-RL", System.getProperty("java.home"), copy.toString()));
    return copy;
  }
}
