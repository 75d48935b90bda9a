package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The machine's own pmcd, running with the stock agent. {@link #close} restores the configuration
 * and the name space, removes jmmv, and stops pmcd if it did not run before.
 */
final class SystemPcp implements AutoCloseable {
  private final MachinePcp pcp = new MachinePcp(new ThisMachine());
  private final boolean wasRunning;
  private final Map<Path, String> before;
  private final List<Path> rulesBefore;

  SystemPcp() {
    Need.ROOT.require();
    if (pcp.configuration().contains("jmmv")) {
      throw new AssertionError("jmmv is installed on this machine: " + pcp.jmmv() + "/Remove it");
    }
    for (Path ours : ours()) {
      if (Files.exists(aside(ours))) { // a test was killed
        remove(ours);
      } else {
        move(ours, aside(ours));
      }
    }
    rulesBefore = rules();
    wasRunning = pcp.isRunning();
    pcp.startPmcd();
    pcp.awaitWell("mmv");
    before =
        Map.of(
            pcp.place("PCP_PMCDCONF_PATH"), pcp.configuration(), pcp.names(), pcp.namesAsTheyAre());
  }

  MachinePcp pcp() {
    return pcp;
  }

  /** Returns what Remove leaves, and what a failed test may leave. */
  private List<Path> ours() {
    Path variables = pcp.place("PCP_VAR_DIR");
    return List.of(
        MachinePcp.HOME,
        pcp.jmmv(),
        variables.resolve("config/jmmv"),
        variables.resolve("config/jmmv.line"),
        variables.resolve("config/pmda/jmmv.clusters"),
        variables.resolve("pmns/root_jmmv"));
  }

  /** Where a file that an earlier Remove has left is kept during the test. */
  private static Path aside(Path ours) {
    return ours.resolveSibling("." + ours.getFileName() + "-before-qa");
  }

  /** Returns the files of rules that Install and Remove have written. */
  private List<Path> rules() {
    try (Stream<Path> files = Files.list(pcp.place("PCP_VAR_DIR").resolve("config"))) {
      return files
          .filter(file -> file.getFileName().toString().matches("jmmv-.*\\.pmlogrewrite"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void remove(Path ours) {
    try {
      if (Files.exists(ours)) {
        Trees.delete(ours);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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

  @Override
  public void close() {
    try {
      if (pcp.configuration().contains("jmmv") && Files.exists(pcp.jmmv().resolve("Remove"))) {
        pcp.run(pcp.jmmv().resolve("Remove").toString());
      }
      boolean isAsBefore = true;
      for (Map.Entry<Path, String> file : before.entrySet()) {
        if (!pcp.text(file.getKey()).equals(file.getValue())) {
          Files.writeString(file.getKey(), file.getValue(), ISO_8859_1);
          isAsBefore = false;
        }
      }
      if (pcp.isRunning() && !(wasRunning && isAsBefore)) {
        pcp.stopPmcd();
      }
      if (wasRunning) {
        pcp.startPmcd();
      }
      for (Path ours : ours()) {
        remove(ours);
        move(aside(ours), ours);
      }
      for (Path rules : rules()) {
        if (!rulesBefore.contains(rules)) {
          Files.delete(rules);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
