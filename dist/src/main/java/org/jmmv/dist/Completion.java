package org.jmmv.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jmmv.cli.Tools;
import org.jmmv.config.AgentCommand;
import picocli.AutoComplete;
import picocli.CommandLine;

/**
 * Writes the scripts with which shells complete the options of {@code pmdajmmv} and {@code jmmv}.
 */
final class Completion {
  private Completion() {}

  /**
   * Writes {@code bash/pmdajmmv} and {@code zsh/_pmdajmmv}, and the same for {@code jmmv}.
   *
   * @param args the directory for all of them
   */
  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[0]);
    write(directory, "pmdajmmv", new AgentCommand().commandLine());
    write(directory, "jmmv", Tools.newCommandLine());
  }

  private static void write(Path directory, String name, CommandLine command) throws IOException {
    // The script is sourced, not run. Names of files are completed by the shell: picocli has them
    // expanded like words of a command, so that a file $(x) would have a command run.
    String script =
        AutoComplete.bash(name, command)
            .replaceFirst("^#!.*\n", "")
            .replaceAll(".*compgen -f .*\n", "")
            .replace("compopt -o filenames", "compopt -o default");
    write(directory.resolve("bash").resolve(name), script);
    // The script works in zsh, too, but for compopt, and registers itself there for the next time.
    // zsh loads the file as the completion function itself, which has to complete this time.
    write(
        directory.resolve("zsh").resolve("_" + name),
        "#compdef %s\n%s\n_bash_complete -o default -F _complete_%s\n"
            .formatted(name, script.replaceAll(".*compopt.*\n", ""), name));
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
