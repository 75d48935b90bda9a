package org.jmmv.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jmmv.config.AgentCommand;
import picocli.AutoComplete;

/** Writes the scripts with which shells complete the options of {@code pmdajmmv}. */
final class Completion {
  private Completion() {}

  /**
   * Writes {@code bash/pmdajmmv} and {@code zsh/_pmdajmmv}.
   *
   * @param args the directory for both
   */
  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[0]);
    String script =
        AutoComplete.bash("pmdajmmv", AgentCommand.commandLine())
            .replaceFirst("^#!.*\n", ""); // it is sourced, not run
    write(directory.resolve("bash/pmdajmmv"), script);
    // The script works in zsh, too, but for compopt, and registers itself there for the next time.
    // zsh loads the file as the completion function itself, which has to complete this time.
    write(
        directory.resolve("zsh/_pmdajmmv"),
        "#compdef pmdajmmv\n"
            + script.replaceAll(".*compopt.*\n", "")
            + "\n_bash_complete -o default -F _complete_pmdajmmv\n");
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
