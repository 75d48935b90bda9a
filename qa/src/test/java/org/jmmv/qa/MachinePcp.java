package org.jmmv.qa;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/** The pmcd that a machine has as a service, with its agents, files and clients. */
final class MachinePcp {
  private static final Path PLACES = Path.of("/etc/pcp.conf");

  // what a daemon is started with: nothing of Maven's environment
  private static final List<String> AS_A_DAEMON =
      List.of(
          "env",
          "-i",
          "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
          "PCPQA_SYSTEMD=no");

  private final Machine machine;
  private final Properties places = new Properties();

  MachinePcp(Machine machine) {
    this.machine = machine;
    try {
      places.load(new StringReader(run("cat", PLACES.toString()).outOfSuccess()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Machine machine() {
    return machine;
  }

  /** Where something is, by its name in pcp.conf. */
  Path place(String variable) {
    return Path.of(places.getProperty(variable));
  }

  /** Where our agent is when it is installed. */
  Path jmmv() {
    return place("PCP_PMDAS_DIR").resolve("jmmv");
  }

  /** Where applications have their files. */
  Path mmv() {
    return place("PCP_TMP_DIR").resolve("mmv");
  }

  /** Where the root of the namespace is. */
  Path names() {
    return place("PCP_VAR_DIR").resolve("pmns/root");
  }

  /** One of the logs of pmcd and its agents. */
  Path log(String name) {
    return place("PCP_LOG_DIR").resolve("pmcd").resolve(name);
  }

  /** Pmcd's configuration. */
  String configuration() {
    return text(place("PCP_PMCDCONF_PATH"));
  }

  /** The root of the namespace. */
  String namesAsTheyAre() {
    return text(names());
  }

  /** What a file holds, one char per byte; nothing if it is not there. */
  String text(Path file) {
    return run("cat", file.toString()).out();
  }

  boolean exists(Path file) {
    return run("test", "-e", file.toString()).status() == 0;
  }

  boolean isRunning() {
    return run("pminfo", "-v", "pmcd.version").status() == 0;
  }

  void startPmcd() {
    if (!isRunning()) {
      run(place("PCP_RC_DIR").resolve("pmcd").toString(), "start").outOfSuccess();
      Await.until("pmcd runs", this::isRunning);
    }
  }

  void stopPmcd() {
    run(place("PCP_RC_DIR").resolve("pmcd").toString(), "stop").outOfSuccess();
    Await.until("pmcd has stopped", () -> !isRunning());
  }

  /** Runs a command there as pmcd's start script runs things: without our environment. */
  Shell.Result run(String... command) {
    return machine.run(
        Stream.concat(AS_A_DAEMON.stream(), Stream.of(command)).toArray(String[]::new));
  }

  /** Whether pmcd says that it gets answers from an agent. */
  boolean isWell(String agent) {
    String status = run("pminfo", "-f", "pmcd.agent.status").out();
    return status.contains(" or \"" + agent + "\"] value 0\n");
  }

  void awaitWell(String agent) {
    Await.until(agent + " is well", () -> text(log("pmcd.log")), () -> isWell(agent));
  }

  /** The program that pmcd's jmmv runs on. */
  String jmmvJava() {
    return run("ps", "-ewwo", "args=")
        .outOfSuccess()
        .lines()
        .filter(line -> line.contains(jmmv() + "/lib/"))
        .map(line -> line.substring(0, line.indexOf(' ')))
        .findFirst()
        .orElseThrow();
  }
}
