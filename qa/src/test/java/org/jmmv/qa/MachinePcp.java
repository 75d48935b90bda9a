package org.jmmv.qa;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/** The pmcd that a machine runs as a service, with its agents, files and clients. */
final class MachinePcp {
  /** The directory into which jmmv is installed. */
  static final Path HOME = Path.of("/usr/lib/jmmv");

  private static final Path PLACES = Path.of("/etc/pcp.conf");

  // the environment of a daemon, without Maven's variables
  private static final List<String> AS_A_DAEMON =
      List.of(
          "env",
          "-i",
          "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
          "PCPQA_SYSTEMD=no");

  private final Machine machine;
  private final Properties places = new Properties();

  MachinePcp(Machine machine) {
    machine.require(Need.PCP);
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

  /** Returns the path that a variable in pcp.conf holds. */
  Path place(String variable) {
    return Path.of(places.getProperty(variable));
  }

  /** Returns the directory of the links to the installed jmmv. */
  Path jmmv() {
    return place("PCP_PMDAS_DIR").resolve("jmmv");
  }

  /** Returns the directory of the MMV files. */
  Path mmv() {
    return place("PCP_TMP_DIR").resolve("mmv");
  }

  /** Returns the file with the root of the name space. */
  Path names() {
    return place("PCP_VAR_DIR").resolve("pmns/root");
  }

  /** Returns the path of a log of pmcd or an agent. */
  Path log(String name) {
    return place("PCP_LOG_DIR").resolve("pmcd").resolve(name);
  }

  /** Returns pmcd's configuration. */
  String configuration() {
    return text(place("PCP_PMCDCONF_PATH"));
  }

  /** Returns the root of the name space. */
  String namesAsTheyAre() {
    return text(names());
  }

  /** Returns what a file holds, one char per byte; empty if the file is missing. */
  String text(Path file) {
    return run("cat", file.toString()).out();
  }

  boolean exists(Path file) {
    return run("test", "-e", file.toString()).status() == 0;
  }

  /** Makes pmcd read its configuration again and start agents that have ended. */
  void reconfigurePmcd() {
    run(place("PCP_BINADM_DIR").resolve("pmsignal").toString(), "-a", "-s", "HUP", "pmcd")
        .outOfSuccess();
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

  /** Runs a command there in the environment of a daemon. */
  Shell.Result run(String... command) {
    return machine
        .run(Stream.concat(AS_A_DAEMON.stream(), Stream.of(command)).toArray(String[]::new))
        .of(command);
  }

  /** Returns whether pmcd reports that an agent answers. */
  boolean isWell(String agent) {
    String status = run("pminfo", "-f", "pmcd.agent.status").out();
    return status.contains(" or \"" + agent + "\"] value 0\n");
  }

  void awaitWell(String agent) {
    awaitWell(agent, "");
  }

  /** As {@link #awaitWell(String)}. A failure also shows what has been printed before. */
  void awaitWell(String agent, String printed) {
    Await.until(agent + " is well", () -> printed + text(log("pmcd.log")), () -> isWell(agent));
  }

  /** Returns the java program that the installed jmmv runs on. */
  String jmmvJava() {
    return jmmvProcess("args=").split(" ", 2)[0];
  }

  /** Returns the process id of the installed jmmv. */
  String jmmvPid() {
    return jmmvProcess("pid=,args=").strip().split(" ", 2)[0];
  }

  /** Waits until pmcd gets answers from a jmmv with another process id. */
  void awaitJmmvOtherThan(String pid) {
    Await.until(
        "pmcd starts the agent again",
        () -> text(log("pmcd.log")),
        () ->
            run("pminfo", "-f", "mmv.control.reload").out().contains("value 0")
                && !jmmvPid().equals(pid));
    awaitWell("jmmv");
  }

  private String jmmvProcess(String format) {
    return run("ps", "-ewwo", format)
        .outOfSuccess()
        .lines()
        .filter(line -> line.contains(HOME + "/lib/"))
        .findFirst()
        .orElseThrow();
  }
}
