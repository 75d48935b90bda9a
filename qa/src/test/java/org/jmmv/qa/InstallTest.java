package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
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

/** Install and Remove, with the machine's own pmcd. PCP's scripts end every pmdammv that runs. */
final class InstallTest {
  private final TemporaryPcp pcp = new TemporaryPcp();
  private SystemPcp system;
  private Path build;
  private String configuration;
  private String names;

  @BeforeEach
  void open() {
    AgentCommand.needRoot();
    system = new SystemPcp();
    configuration = system.configuration();
    names = system.namesAsTheyAre();
    build = copyOfBuild();
  }

  /** A build where everybody may read it. */
  private Path copyOfBuild() {
    Path copy = pcp.file("jmmv");
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
        Files.deleteIfExists(system.mmv().resolve("acme"));
        system.close();
      }
    } finally {
      pcp.close();
    }
  }

  @Test
  void afterInstallPmcdServesApplicationsAndAfterRemoveAllIsAsBefore() throws IOException {
    Path java =
        Files.createSymbolicLink(pcp.file("java"), Path.of(System.getProperty("java.home")));
    Shell.Result installed =
        system.run("env", "JMMV_JAVA=" + java, build.resolve("Install").toString());
    assertEquals("", installed.err(), installed::toString);
    installed.outOfSuccess();
    assertJmmvServes();
    assertEquals(java + "/bin/java", system.jmmvCommandLine().getFirst(), "the Java of Install");

    try (Application _ = Application.startAcme(pcp.file("acme.err"), system.mmv())) {
      String shown = system.client("pminfo", "-f", "mmv").outOfSuccess();
      assertTrue(
          shown.contains("mmv.acme.products.count\n    inst [0 or \"Anvils\"] value "), shown);
      String sampled =
          system.client("pmval", "-s2", "-t0.2", "mmv.acme.products.count").outOfSuccess();
      assertEquals(
          2, sampled.lines().filter(line -> line.matches("( +[0-9.]+){3} *")).count(), sampled);
    }
    Files.delete(system.mmv().resolve("acme"));
    assertEquals(1, system.client("pminfo", "mmv.acme").status());

    Shell.Result removed = remove();
    assertEquals("", removed.err(), removed::toString);
    removed.outOfSuccess();
    assertAsBefore();
    assertTrue(Files.exists(system.log("mmv.log")), "the agent's log");
    assertEquals("", TemporaryPcp.text(system.log("mmv.log")));
    assertClean("root.log", "Starting jmmv agent: ");
    assertClean("pmcd.log", "Cleanup \"jmmv\" agent (dom 70): unconfigured, exit(0)");
  }

  private void assertClean(String name, String normal) {
    String log = TemporaryPcp.text(system.log(name));
    assertTrue(log.contains(normal), () -> name + ":\n" + log);
    for (String word : List.of("Warning", "Error", "Exception", "I die")) {
      assertFalse(log.contains(word), () -> name + ":\n" + log);
    }
  }

  @Test
  void installingTwiceAndRemovingTwiceIsAsOnce() {
    install().outOfSuccess();
    install().outOfSuccess();
    assertJmmvServes();
    system.run(system.jmmv().resolve("Install").toString()).outOfSuccess();
    assertJmmvServes();
    remove().outOfSuccess();
    assertAsBefore();
    Shell.Result again = remove();
    assertTrue(again.outOfSuccess().contains("not installed"), again::toString);
    assertAsBefore();
  }

  @Test
  void installAndRemoveWorkWhilePmcdIsStopped() {
    system.stopPmcd();
    install().outOfSuccess();
    system.startPmcd();
    assertJmmvServes();
    system.stopPmcd();
    remove().outOfSuccess();
    system.startPmcd();
    assertAsBefore();
  }

  @Test
  void anAgentThatDoesNotRunIsNotInstalled() throws IOException {
    try (Stream<Path> jars = Files.list(build.resolve("lib"))) {
      for (Path jar : jars.toList()) {
        Files.delete(jar);
      }
    }
    assertRefused(
        install(), "the agent did not greet pmcd", "nothing has changed", "ClassNotFound");
  }

  @Test
  void aJavaThatDoesNotRunIsNotInstalled() throws IOException {
    Path java = Files.createDirectories(pcp.file("java/bin")).resolve("java");
    Files.writeString(pcp.file("java/release"), "JAVA_VERSION=\"99\"\n");
    Files.writeString(java, "#!/bin/sh\necho this is no Java >&2\nexit 3\n");
    assertTrue(java.toFile().setExecutable(true, false));
    Shell.Result result =
        system.run("env", "JMMV_JAVA=" + java, build.resolve("Install").toString());
    assertRefused(result, "exit status 3", "nothing has changed", "this is no Java");
  }

  @Test
  void onlyRootInstallsAndRemoves() {
    for (String script : List.of("Install", "Remove")) {
      Shell.Result result =
          system.run(
              "setpriv", "--reuid=nobody", "--clear-groups", build.resolve(script).toString());
      assertRefused(result, script + ": only root may change what pmcd runs");
    }
  }

  private void assertRefused(Shell.Result result, String... reasons) {
    result.outOf(1);
    for (String reason : reasons) {
      assertTrue(result.err().contains(reason), result::toString);
    }
    assertFalse(Files.exists(system.jmmv()));
    assertAsBefore();
  }

  private Shell.Result install() {
    return system.run(build.resolve("Install").toString());
  }

  private Shell.Result remove() {
    return system.run(build.resolve("Remove").toString());
  }

  private void assertJmmvServes() {
    system.awaitWell("jmmv");
    String shown = system.client("pminfo", "-f", "mmv.control").outOfSuccess();
    assertTrue(shown.contains("mmv.control.metrics\n    value "), shown);
    assertFalse(system.isWell("mmv"), "the stock agent");
  }

  private void assertAsBefore() {
    assertEquals(configuration, system.configuration());
    assertEquals(names, system.namesAsTheyAre());
    system.awaitWell("mmv");
    system.client("pminfo", "-f", "mmv.control.reload").outOfSuccess();
    assertFalse(system.isWell("jmmv"), "our agent");
  }
}
