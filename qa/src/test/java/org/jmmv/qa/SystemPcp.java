package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * The machine's own pmcd with the stock agent, running. When the test is done, all is as it was
 * before: the configuration, the names, our agent not there, pmcd running or not.
 */
final class SystemPcp implements AutoCloseable {
  private static final Path PLACES = Path.of("/etc/pcp.conf");

  // what a daemon is started with: nothing of Maven's environment
  private static final List<String> AS_A_DAEMON =
      List.of(
          "env",
          "-i",
          "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
          "PCPQA_SYSTEMD=no");

  private final Properties places = new Properties();
  private final boolean wasRunning;
  private final Map<Path, String> before;

  SystemPcp() {
    try (var reader = Files.newBufferedReader(PLACES, ISO_8859_1)) {
      places.load(reader);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (configuration().contains("jmmv")) {
      throw new AssertionError("jmmv is installed on this machine: " + jmmv() + "/Remove it");
    }
    move(jmmv(), aside());
    wasRunning = isRunning();
    startPmcd();
    awaitWell("mmv");
    before = Map.of(place("PCP_PMCDCONF_PATH"), configuration(), names(), namesAsTheyAre());
  }

  /** Where something is, by its name in pcp.conf. */
  private Path place(String variable) {
    return Path.of(places.getProperty(variable));
  }

  /** Where our agent is when it is installed. */
  Path jmmv() {
    return place("PCP_PMDAS_DIR").resolve("jmmv");
  }

  /** Where a directory that Remove has left is kept meanwhile. */
  private Path aside() {
    return jmmv().resolveSibling(".jmmv-before-qa");
  }

  private static void move(Path from, Path to) {
    try {
      if (Files.exists(from)) {
        Files.move(from, to);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path mmv() {
    return place("PCP_TMP_DIR").resolve("mmv");
  }

  private Path names() {
    return place("PCP_VAR_DIR").resolve("pmns/root");
  }

  /** Pmcd's configuration. */
  String configuration() {
    return TemporaryPcp.text(place("PCP_PMCDCONF_PATH"));
  }

  /** The root of the namespace. */
  String namesAsTheyAre() {
    return TemporaryPcp.text(names());
  }

  /** One of the logs of pmcd and its agents. */
  Path log(String name) {
    return place("PCP_LOG_DIR").resolve("pmcd").resolve(name);
  }

  boolean isRunning() {
    return Shell.run(Map.of(), List.of("pminfo", "-v", "pmcd.version")).status() == 0;
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

  /** Runs a command as pmcd's start script runs things: without our environment. */
  Shell.Result run(String... command) {
    List<String> words = new ArrayList<>(AS_A_DAEMON);
    words.addAll(Arrays.asList(command));
    return Shell.run(Map.of(), words);
  }

  /** Runs one of PCP's clients. */
  Shell.Result client(String... command) {
    return Shell.run(Map.of(), List.of(command));
  }

  /** Whether pmcd says that it gets answers from an agent. */
  boolean isWell(String agent) {
    String status = client("pminfo", "-f", "pmcd.agent.status").out();
    return status.contains(" or \"" + agent + "\"] value 0\n");
  }

  void awaitWell(String agent) {
    Await.until(agent + " is well", () -> TemporaryPcp.text(log("pmcd.log")), () -> isWell(agent));
  }

  /** The command line of pmcd's jmmv, one word after the other. */
  List<String> jmmvCommandLine() {
    return ProcessHandle.allProcesses()
        .map(
            process -> TemporaryPcp.text(Path.of("/proc", Long.toString(process.pid()), "cmdline")))
        .filter(line -> line.contains(jmmv() + "/lib/"))
        .map(line -> List.of(line.split("\0", -1)))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    try {
      if (configuration().contains("jmmv") && Files.exists(jmmv().resolve("Remove"))) {
        run(jmmv().resolve("Remove").toString());
      }
      boolean isAsBefore = true;
      for (Map.Entry<Path, String> file : before.entrySet()) {
        if (!TemporaryPcp.text(file.getKey()).equals(file.getValue())) {
          Files.writeString(file.getKey(), file.getValue(), ISO_8859_1);
          isAsBefore = false;
        }
      }
      if (isRunning() && !(wasRunning && isAsBefore)) {
        stopPmcd();
      }
      if (wasRunning) {
        startPmcd();
      }
      for (Path ours : List.of(jmmv(), place("PCP_VAR_DIR").resolve("config/jmmv"))) {
        if (Files.exists(ours)) {
          Trees.delete(ours);
        }
      }
      Files.deleteIfExists(names().resolveSibling("root_jmmv"));
      move(aside(), jmmv());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
