package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts with which shells complete options, as they are shipped. */
@Tag("quick")
final class CompletionTest {
  private static final Path SCRIPTS = AgentCommand.HOME.resolve("completion");
  private static final Path BASH = SCRIPTS.resolve("bash/pmdajmmv");
  private static final Path ZSH = SCRIPTS.resolve("zsh/_pmdajmmv");

  @ParameterizedTest
  @CsvSource({
    "--dom,--domain",
    "--max-f,--max-file-size --max-files",
    "--na,--name",
    "--no,--no-status",
    "--zz,''",
    "--ver,--version",
    "--l,--log"
  })
  void bashCompletesOptions(String begun, String completions) {
    String command =
        "source %s; COMP_WORDS=(pmdajmmv -p %s); COMP_CWORD=2; _complete_pmdajmmv; echo ${COMPREPLY[*]}"
            .formatted(BASH, begun);
    assertEquals(completions + "\n", bash(command).outOfSuccess());
  }

  @ParameterizedTest
  @CsvSource({
    "ch,check",
    "check --j,--json",
    "check --u,--username",
    "clean --d,--dry-run",
    "dump --h,--help",
    "--ver,--version"
  })
  void bashCompletesCommandsOfTheTools(String begun, String completions) {
    String command =
        "source %s; COMP_WORDS=(jmmv %s); COMP_CWORD=%d; _complete_jmmv; echo ${COMPREPLY[*]}"
            .formatted(BASH.resolveSibling("jmmv"), begun, begun.split(" ").length);
    assertEquals(completions + "\n", bash(command).outOfSuccess());
  }

  /** Anybody can choose the names of MMV files. */
  @ParameterizedTest
  @ValueSource(strings = {"check", "dump", "top", "clean", "serve", "serve --cert"})
  void bashDoesNotRunWhatFilesAreCalled(String begun, @TempDir Path directory) throws IOException {
    Files.createFile(directory.resolve("$(touch executed)"));
    String command =
        "cd %s; source %s; COMP_WORDS=(jmmv %s ''); COMP_CWORD=%d; _complete_jmmv; echo \"${COMPREPLY[*]}\""
            .formatted(
                directory,
                BASH.resolveSibling("jmmv").toAbsolutePath(),
                begun,
                begun.split(" ").length + 1);
    assertEquals("", bash(command).outOfSuccess().strip(), "the shell completes files");
    assertFalse(Files.exists(directory.resolve("executed")));
  }

  @Test
  void bashAsksTheScriptForThisCommand() {
    String out = bash("source " + BASH + "; complete -p pmdajmmv").outOfSuccess();
    assertEquals("complete -o default -F _complete_pmdajmmv pmdajmmv\n", out);
  }

  /** zsh itself would need a terminal. */
  @Test
  void zshFindsTheCommandInTheFirstLineAndTheFunctionInTheLast() {
    List<String> lines = TemporaryPcp.text(ZSH).lines().toList();
    assertEquals("#compdef pmdajmmv", lines.getFirst());
    assertEquals("_bash_complete -o default -F _complete_pmdajmmv", lines.getLast());
    assertTrue(lines.contains("function _complete_pmdajmmv() {"), lines::toString);
  }

  private static Shell.Result bash(String command) {
    Need.BASH.require();
    return Shell.run(Map.of(), List.of("bash", "--norc", "-c", command));
  }
}
