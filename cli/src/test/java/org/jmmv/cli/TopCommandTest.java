package org.jmmv.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code jmmv top} prints for scripts. */
final class TopCommandTest {
  @TempDir private Path directory;

  @BeforeEach
  void write() {
    MmvWriter writer = new MmvWriter(2);
    writer.metric("a", 1, ValueType.U32).value(4_000_000_000L);
    writer.metric("b", 2, ValueType.DOUBLE).value(Double.NaN);
    writer.write(directory, "app");
  }

  private ToolRun top(Object... options) {
    List<Object> words = new ArrayList<>(List.of("top", "-t", "0.1", directory));
    words.addAll(List.of(options));
    return ToolRun.of(words.toArray());
  }

  @Test
  void onceIsATable() {
    ToolRun run = top("--once");
    assertTrue(
        run.out().matches("NAME .*\nmmv.app.a +4,000,000,000 +0.0 /s\nmmv.app.b +NaN\n"), run::out);
    assertEquals(0, run.status());
  }

  @Test
  void csvHasALineForEachValueOfEachSample() {
    List<String> lines = top("--csv", "-s", "2").out().lines().toList();
    assertEquals("time,metric,instance,value,rate,units", lines.get(0));
    assertEquals(5, lines.size());
    assertTrue(lines.get(1).matches("20[^,]*Z,mmv.app.a,,4000000000,,.*"), lines.get(1));
    assertTrue(lines.get(4).matches("20[^,]*Z,mmv.app.b,,NaN,,.*"), lines.get(4));
  }

  @Test
  void jsonHasALineForEachSample() throws IOException {
    String out = top("--json", "-s", "2").out();
    assertEquals(2, out.lines().count());
    int values = 0;
    try (JsonParser json = new JsonFactory().createParser(out)) {
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        values += "value".equals(json.currentName()) && token.isScalarValue() ? 1 : 0;
      }
    }
    assertEquals(4, values);
    assertTrue(out.contains("{\"metric\":\"mmv.app.a\",\"value\":4000000000,"), out);
  }

  @Test
  void withoutPcpThereAreDefaultDirectories() {
    ToolRun run = ToolRun.of("top", "--once", "-t", "0.1");
    assertFalse(run.err().contains("PCP_TMP_DIR"), run.err());
    for (String command : List.of("check", "top", "serve")) {
      String help = ToolRun.of(command, "--help").out().replaceAll("\\s+", " ");
      assertTrue(help.contains("without PCP /var/tmp/mmv and /tmp/mmv"), help);
    }
  }

  @Test
  void allDirectoriesThatCannotBeReadAreNamed() {
    Path one = directory.resolve("one");
    Path two = directory.resolve("two");
    ToolRun run = ToolRun.of("top", "--once", one, directory, two);
    String reason = ": No such file or directory";
    assertEquals("jmmv: " + one + reason + "; " + two + reason + "\n", run.err());
    assertEquals(2, run.status());
  }

  @Test
  void theFilterSelectsNames() {
    String out = top("--csv", "-s", "1", "-f", "APP.B").out();
    assertEquals(2, out.lines().count(), out);
    out = top("--csv", "-s", "1", "-f", "/p\\.[b-z]$/").out();
    assertEquals(2, out.lines().count(), out);
  }

  @Test
  void aFilterThatIsNoRegularExpressionIsRefused() {
    ToolRun run = top("--csv", "-s", "1", "-f", "/[/");
    assertEquals("jmmv: The regular expression can't be used: missing closing ]: [.\n", run.err());
    assertEquals(2, run.status());
  }

  @Test
  void severalDirectoriesAreShownTogether(@TempDir Path other) {
    MmvWriter writer = new MmvWriter(2);
    writer.metric("c", 1, ValueType.U32).value(3);
    writer.write(other, "more");
    String out = top("--csv", "-s", "1", other).out();
    assertTrue(out.contains(",mmv.app.a,") && out.contains(",mmv.more.c,"), out);
  }

  @Test
  void aFilterOfAnyLengthIsAnswered() {
    assertEquals(0, top("--csv", "-s", "1", "-f", "[".repeat(100)).status());
    ToolRun tooLong = top("--csv", "-s", "1", "-f", "a".repeat(101));
    assertTrue(tooLong.err().contains("a text of at most 100 bytes"), tooLong::err);
  }

  @Test
  void theDirectoryOfTheAgentIsTheDefault() {
    Map<String, String> environment =
        Map.of("PCP_CONF", "/nonexistent", "PCP_TMP_DIR", directory.getParent().toString());
    ToolRun run = ToolRun.with(environment, "top", "--once");
    assertEquals(
        "jmmv: " + directory.getParent().resolve("mmv"), run.err().replaceFirst(": No.*\n", ""));
    assertEquals(2, run.status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"--csv --json", "-t 0", "-t x", "-s 0", "-f"})
  void aWrongOptionIsExplained(String options) {
    ToolRun run = top((Object[]) options.split(" "));
    assertTrue(run.err().matches("jmmv top: .*\n"), run::err);
    assertEquals(2, run.status());
  }

  @Test
  void samplesOfATableThatIsPrintedOnceAreSaidToBeIgnored() {
    ToolRun run = ToolRun.of("top", "--once", "-s", "3", "-t", "0.1", directory);
    assertEquals("jmmv: with --once, --samples is ignored: the table is printed once\n", run.err());
    assertEquals(0, run.status());
  }
}
