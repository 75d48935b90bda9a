package org.jmmv.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line of {@code jmmv}. */
final class ToolsTest {
  @Test
  void versionIsThatOfTheBuild() {
    ToolRun run = ToolRun.of("--version");
    assertTrue(run.out().startsWith("jmmv version "), run.out());
    assertEquals(0, run.status());
  }

  @Test
  void helpListsTheCommands() {
    assertTrue(ToolRun.of("--help").out().contains("\nCommands:\n  check  "));
    assertEquals(ToolRun.of("--help"), ToolRun.of("help"));
  }

  @Test
  void helpOfACommandIsItsUsage() {
    ToolRun run = ToolRun.of("help", "dump");
    assertTrue(run.out().startsWith("Usage: jmmv dump "), run.out());
    assertEquals(run, ToolRun.of("dump", "--help"));
    assertEquals(0, run.status());
    assertEquals(
        "jmmv: there is no command \"x\" (see jmmv --help)\n", ToolRun.of("help", "x").err());
  }

  @Test
  void aMistypedCommandGetsASuggestion() {
    assertEquals(
        "jmmv: Unmatched argument at index 0: 'tpo'; did you mean top? (see jmmv --help)\n",
        ToolRun.of("tpo").err());
    assertEquals(
        "jmmv: Unmatched argument at index 0: 'xyzzy' (see jmmv --help)\n",
        ToolRun.of("xyzzy").err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"check ", "check -- ", "dump ", "top ", "clean ", "serve "})
  void anEmptyArgumentIsNamed(String words) {
    ToolRun run = ToolRun.of((Object[]) words.split(" ", -1));
    assertTrue(run.err().matches("jmmv \\w+: an argument is empty \\(see .*\n"), run.err());
    assertEquals(2, run.status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "dump", "dump a b", "dump --jsn a", "--jsn", "dmp a"})
  void aWrongCommandLineIsExplainedInOneLine(String words) {
    ToolRun run = words.isEmpty() ? ToolRun.of() : ToolRun.of((Object[]) words.split(" "));
    assertTrue(run.err().matches("jmmv( dump)?: .* \\(see jmmv( dump)? --help\\)\n"), run.err());
    assertEquals("", run.out());
    assertEquals(2, run.status());
  }

  @Test
  void aServerThatDoesNotAnswerIsNotReady() {
    ToolRun run = ToolRun.of("serve", "--ask", "ready", "--http", "127.0.0.1:1");
    assertTrue(run.out().matches("no answer: Connection refused.*\n"), run.out());
    assertEquals(1, run.status());
  }

  @Test
  void onlyWhatAServerCanSayIsAsked() {
    ToolRun run = ToolRun.of("serve", "--ask", "x");
    assertTrue(run.err().contains("\"x\" is not ready or healthy"), run.err());
    assertEquals(2, run.status());
  }

  @ParameterizedTest
  @CsvSource({
    "--listen none,--listen none needs --socket or --http",
    "--cert x,--cert and --key belong together",
    "--key x,--cert and --key belong together",
    "--max-clients 100001,is not a number from 1 to 100000",
    "a a,each of them once"
  })
  void optionsOfAServerThatContradictEachOtherAreRefused(String words, String reason) {
    ToolRun run = ToolRun.of((Object[]) ("serve " + words).split(" "));
    assertTrue(run.err().startsWith("jmmv serve: ") && run.err().contains(reason), run.err());
    assertEquals(2, run.status());
  }

  @Test
  void askingNeedsAnAddress() {
    for (String[] http : new String[][] {{}, {"--http", "127.0.0.1:0"}}) {
      Object[] words =
          Stream.concat(Stream.of("serve", "--ask", "ready"), Stream.of(http)).toArray();
      ToolRun run = ToolRun.of(words);
      assertTrue(run.err().startsWith("jmmv: --ask needs to know where"), run.err());
      assertEquals(2, run.status());
    }
  }

  @Test
  void settingsThatAreNamedMustBeThereAndRight(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("my.toml");
    ToolRun run = ToolRun.of("serve", "--settings", file);
    assertEquals("jmmv: " + file + ": no such file\n", run.err());
    assertEquals(2, run.status());
    Files.writeString(file, "[http]\nhost = ['x']");
    run = ToolRun.of("serve", "--settings", file);
    assertEquals(
        "jmmv: " + file + ":2:1: http.host: unknown key; did you mean http.hosts?\n", run.err());
    assertEquals(2, run.status());
    Files.writeString(file, "[http]\nlisten = ['127.0.0.1:1']");
    assertEquals(1, ToolRun.of("serve", "--settings", file, "--ask", "ready").status());
  }
}
