package org.jmmv.qa;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The agents that come with the installed PCP. */
final class StockAgent {
  private static final Path CONFIGURATION = Path.of("/etc/pcp.conf");
  private static final String FOLDER = "PCP_PMDAS_DIR=";

  private StockAgent() {}

  /**
   * Returns an agent's program.
   *
   * @param name the agent's name, for instance {@code mmv}
   */
  static Path program(String name) {
    Need.PCP.require();
    try (Stream<String> lines = Files.lines(CONFIGURATION)) {
      String folder = lines.filter(line -> line.startsWith(FOLDER)).findFirst().orElseThrow();
      return Path.of(folder.substring(FOLDER.length()), name, "pmda" + name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the command that starts an agent as the user of this process. The environment variable
   * PCP_TMP_DIR says where its files are.
   *
   * @param log replaced if it exists
   */
  static List<String> command(String name, Path log, String... options) {
    List<String> command = new ArrayList<>();
    command.add(program(name).toString());
    command.addAll(List.of("-l", log.toString(), "-U", System.getProperty("user.name")));
    command.addAll(List.of(options));
    return command;
  }
}
