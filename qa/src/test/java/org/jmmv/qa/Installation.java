package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Install and Remove of one build, on a machine where the stock agent works. */
final class Installation {
  private final MachinePcp pcp;
  private final Path build;
  private final String configuration;
  private final String names;

  /**
   * Remembers the configuration, which Remove must restore.
   *
   * @param build the directory of the build, on that machine
   */
  Installation(MachinePcp pcp, Path build) {
    this.pcp = pcp;
    this.build = build;
    configuration = pcp.configuration();
    names = pcp.namesAsTheyAre();
  }

  /** Copies the build to where every user may read it. */
  static Path copyOfBuild(TemporaryPcp here) {
    Path copy = here.file("jmmv");
    Shell.run(Map.of(), List.of("cp", "-R", AgentCommand.HOME.toString(), copy.toString()))
        .outOfSuccess();
    return copy;
  }

  /** Runs Install with these additions to its environment, each NAME=VALUE. */
  Shell.Result install(String... additions) {
    return run("Install", additions);
  }

  Shell.Result remove() {
    return run("Remove");
  }

  private Shell.Result run(String script, String... additions) {
    return pcp.run(
        Stream.of(Stream.of("env"), Stream.of(additions), Stream.of(build + "/" + script))
            .flatMap(part -> part)
            .toArray(String[]::new));
  }

  /**
   * Installs, serves an application, and removes.
   *
   * @param java the home of a Java on that machine
   */
  void installServeAndRemove(TemporaryPcp here, Path java) {
    Shell.Result installed = install("JMMV_JAVA=" + java);
    assertEquals("", installed.err(), installed::toString);
    installed.outOfSuccess();
    assertJmmvServes();
    assertEquals(java + "/bin/java", pcp.jmmvJava(), "the Java of Install");

    try (Application _ = Application.startAcme(pcp.machine(), here.file("acme.err"), pcp.mmv())) {
      String shown = pcp.run("pminfo", "-f", "mmv").outOfSuccess();
      assertTrue(
          shown.contains("mmv.acme.products.count\n    inst [0 or \"Anvils\"] value "), shown);
      String sampled = pcp.run("pmval", "-s2", "-t0.2", "mmv.acme.products.count").outOfSuccess();
      assertEquals(
          2, sampled.lines().filter(line -> line.matches("( +[0-9.]+){3} *")).count(), sampled);
    }
    pcp.run("rm", pcp.mmv().resolve("acme").toString()).outOfSuccess();
    assertEquals(1, pcp.run("pminfo", "mmv.acme").status());

    Shell.Result removed = remove();
    assertEquals("", removed.err(), removed::toString);
    removed.outOfSuccess();
    assertAsBefore();
    assertTrue(pcp.exists(pcp.log("mmv.log")), "the agent's log");
    assertEquals("", AgentLog.problems(pcp.text(pcp.log("mmv.log"))));
    assertFalse(pcp.exists(pcp.log("mmv.log.prev")), "the log of the run before");
  }

  void assertJmmvServes() {
    pcp.awaitWell("jmmv");
    String shown = pcp.run("pminfo", "-f", "mmv.control").outOfSuccess();
    assertTrue(shown.contains("mmv.control.files\n    value "), shown);
    assertFalse(pcp.isWell("mmv"), "the stock agent");
  }

  void assertAsBefore() {
    assertEquals(configuration, pcp.configuration());
    assertEquals(names, pcp.namesAsTheyAre());
    pcp.awaitWell("mmv");
    pcp.run("pminfo", "-f", "mmv.control.reload").outOfSuccess();
    assertFalse(pcp.isWell("jmmv"), "our agent");
  }
}
