package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Install and Remove with the machine's own pmcd. PCP's scripts end all pmdammv processes. */
final class InstallTest {
  private final TemporaryPcp here = new TemporaryPcp();
  private SystemPcp system;
  private MachinePcp pcp;
  private Path build;
  private Installation installation;

  @BeforeEach
  void open() {
    AgentCommand.needRoot();
    system = new SystemPcp();
    pcp = system.pcp();
    build = copyOfBuild();
    installation = new Installation(pcp, build);
  }

  /** Copies the build to where every user may read it. */
  private Path copyOfBuild() {
    Path copy = here.file("jmmv");
    Shell.run(
            Map.of(),
            List.of("cp", "-R", AgentCommand.JMMV.getParent().toString(), copy.toString()))
        .outOfSuccess();
    return copy;
  }

  @AfterEach
  void close() throws IOException {
    try {
      if (system != null) {
        Files.deleteIfExists(pcp.mmv().resolve("acme"));
        system.close();
      }
    } finally {
      here.close();
    }
  }

  @Test
  void afterInstallPmcdServesApplicationsAndAfterRemoveAllIsAsBefore() throws IOException {
    Path java =
        Files.createSymbolicLink(here.file("java"), Path.of(System.getProperty("java.home")));
    installation.installServeAndRemove(here, java);
    assertClean("root.log", "Starting jmmv agent: ");
    assertClean("pmcd.log", "Cleanup \"jmmv\" agent (dom 70): unconfigured, exit(0)");
  }

  private void assertClean(String name, String normal) {
    String log = pcp.text(pcp.log(name));
    assertTrue(log.contains(normal), () -> name + ":\n" + log);
    for (String word : List.of("Warning", "Error", "Exception", "I die")) {
      assertFalse(log.contains(word), () -> name + ":\n" + log);
    }
  }

  @Test
  void installingTwiceAndRemovingTwiceIsAsOnce() {
    installation.install().outOfSuccess();
    installation.install().outOfSuccess();
    installation.assertJmmvServes();
    pcp.run(pcp.jmmv().resolve("Install").toString()).outOfSuccess();
    installation.assertJmmvServes();
    installation.remove().outOfSuccess();
    installation.assertAsBefore();
    Shell.Result again = installation.remove();
    assertTrue(again.outOfSuccess().contains("not installed"), again::toString);
    installation.assertAsBefore();
  }

  @Test
  void installAndRemoveWorkWhilePmcdIsStopped() {
    pcp.stopPmcd();
    installation.install().outOfSuccess();
    pcp.startPmcd();
    installation.assertJmmvServes();
    pcp.stopPmcd();
    installation.remove().outOfSuccess();
    pcp.startPmcd();
    installation.assertAsBefore();
  }

  @Test
  void anAgentThatDoesNotRunIsNotInstalled() throws IOException {
    try (Stream<Path> jars = Files.list(build.resolve("lib"))) {
      for (Path jar : jars.filter(Files::isRegularFile).toList()) {
        Files.delete(jar);
      }
    }
    assertRefused(
        installation.install(), "the agent did not start", "nothing has changed", "ClassNotFound");
  }

  @Test
  void aJavaThatDoesNotRunIsNotInstalled() throws IOException {
    Path java = Files.createDirectories(here.file("java/bin")).resolve("java");
    Files.writeString(here.file("java/release"), "JAVA_VERSION=\"99\"\n");
    Files.writeString(java, "#!/bin/sh\necho this is no Java >&2\nexit 3\n");
    assertTrue(java.toFile().setExecutable(true, false));
    assertRefused(
        installation.install("JMMV_JAVA=" + java),
        "exit status 3",
        "nothing has changed",
        "this is no Java");
  }

  @Test
  void onlyRootInstallsAndRemoves() {
    for (String script : List.of("Install", "Remove")) {
      Shell.Result result =
          pcp.run("setpriv", "--reuid=nobody", "--clear-groups", build.resolve(script).toString());
      assertRefused(result, script + ": only root may change what pmcd runs");
    }
  }

  private void assertRefused(Shell.Result result, String... reasons) {
    result.outOf(1);
    for (String reason : reasons) {
      assertTrue(result.err().contains(reason), result::toString);
    }
    assertFalse(Files.exists(pcp.jmmv()));
    installation.assertAsBefore();
  }
}
