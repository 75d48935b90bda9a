package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The machine's own pmcd, running with the stock agent. {@link #close} restores the configuration
 * and the name space, removes jmmv, and stops pmcd if it did not run before.
 */
final class SystemPcp implements AutoCloseable {
  private final MachinePcp pcp = new MachinePcp(new ThisMachine());
  private final boolean wasRunning;
  private final Map<Path, String> before;

  SystemPcp() {
    if (pcp.configuration().contains("jmmv")) {
      throw new AssertionError("jmmv is installed on this machine: " + pcp.jmmv() + "/Remove it");
    }
    move(pcp.jmmv(), aside());
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

  /** Where a directory that an earlier Remove has left is kept during the test. */
  private Path aside() {
    return pcp.jmmv().resolveSibling(".jmmv-before-qa");
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
      for (Path ours : List.of(pcp.jmmv(), pcp.place("PCP_VAR_DIR").resolve("config/jmmv"))) {
        if (Files.exists(ours)) {
          Trees.delete(ours);
        }
      }
      Files.deleteIfExists(pcp.names().resolveSibling("root_jmmv"));
      move(aside(), pcp.jmmv());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
