package org.jmmv.example;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** PCP's own agent for MMV files, pmdammv. */
final class StockAgent {

  private StockAgent() {}

  /**
   * Returns the command that starts the agent on a pipe. The environment variable {@code
   * PCP_TMP_DIR} selects its files.
   *
   * @param log the agent's log file, which is replaced
   */
  static List<String> command(Path log) {
    try (Stream<String> lines = Files.lines(Path.of("/etc/pcp.conf"))) {
      String folder =
          lines
              .filter(line -> line.startsWith("PCP_PMDAS_DIR="))
              .map(line -> line.substring(line.indexOf('=') + 1))
              .findFirst()
              .orElseThrow();
      String program = Path.of(folder, "mmv", "pmdammv").toString();
      return List.of(program, "-l", log.toString(), "-U", System.getProperty("user.name"));
    } catch (IOException e) {
      throw new AssertionError("this test needs an installed PCP (Debian: package pcp)", e);
    }
  }
}
