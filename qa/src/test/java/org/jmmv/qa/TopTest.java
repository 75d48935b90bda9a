package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jmmv.pcp.ValueType;
import org.jmmv.qa.Application.Library;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code jmmv top} in a real terminal, tmux(1), and read by other programs. */
@Tag("quick")
final class TopTest {
  private static final String JMMV = AgentCommand.TOOL.toString();
  private static final int METRICS = 60;
  private static final Pattern CYAN = Pattern.compile("\033\\[[0-9;]*36[;m]");

  /** Sets the title of the window, clears the screen, and writes a text at its first place. */
  private static final String ATTACK = "\033]0;owned\007\033[2J\033[Howned\u009b2J\r\n";

  private final TemporaryPcp pcp = new TemporaryPcp();

  @AfterEach
  void tidyUp() {
    if (Files.exists(Path.of(socket()))) {
      tmux("kill-server");
    }
    pcp.close();
  }

  private String socket() {
    return pcp.file("tmux").toString();
  }

  private String tmux(String... words) {
    Need.TMUX.require();
    List<String> command =
        Stream.concat(Stream.of("tmux", "-u", "-S", socket(), "-f", "/dev/null"), Stream.of(words))
            .toList();
    return Shell.run(Map.of("LC_ALL", "C.UTF-8"), command).outOfSuccess();
  }

  private List<String> screen() {
    return tmux("capture-pane", "-p").lines().toList();
  }

  private void awaitScreen(String what) {
    Await.until(
        what, () -> String.join("\n", screen()), () -> String.join("\n", screen()).contains(what));
  }

  private void writeMetrics() {
    MmvWriter writer = new MmvWriter(2);
    for (int i = 0; i < METRICS; i++) {
      writer.metric("m%02d".formatted(i), i + 1, ValueType.U32).value(i);
    }
    writer.write(pcp.mmv(), "app");
  }

  /** Starts the command between two digests of the terminal's settings. */
  private void start() {
    start("");
  }

  /** As {@link #start()}, with additions to the environment. */
  private void start(String environment) {
    String settings = "stty -g | md5sum";
    String command =
        "trap : INT; %s; %s top %s; echo status $?; %s; exec sleep 600"
            .formatted(settings, environment + JMMV, pcp.mmv(), settings);
    tmux("new-session", "-d", "-x", "80", "-y", "24", command);
    tmux("pipe-pane", "cat >" + pcp.file("raw"));
    awaitScreen("q: quit");
  }

  private void assertRestored(int status) {
    awaitScreen("status " + status);
    Await.until("three lines", () -> screen().stream().filter(l -> !l.isBlank()).count() == 3);
    List<String> lines = screen();
    assertEquals(List.of("status " + status, lines.getFirst()), lines.subList(1, 3));
    assertEquals("0 1\n", tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}"));
  }

  /** Waits until the screen has what a terminal of this size shows, and nothing else. */
  private void assertShown(int columns, int rows) {
    tmux("resize-window", "-x", "" + columns, "-y", "" + rows);
    List<String> names = new ArrayList<>(List.of("mmv.app"));
    IntStream.range(0, rows - 5).forEach(i -> names.add("m%02d".formatted(i)));
    Await.until(
        "table of " + columns + "x" + rows,
        () -> String.join("\n", screen()),
        () -> {
          List<String> lines = screen();
          return lines.size() == rows
              && lines.get(0).matches("\\d\\d:\\d\\d:\\d\\d  60 values.*")
              && lines.get(1).startsWith("NAME ")
              && lines.get(rows - 1).startsWith("q: quit")
              && names.equals(
                  lines.subList(2, rows - 2).stream()
                      .map(line -> line.replaceFirst("^[- ]*", "").replaceFirst(" .*", ""))
                      .toList());
        });
    // -J joins what was wrapped
    assertEquals(rows, tmux("capture-pane", "-p", "-J").lines().count());
  }

  @Test
  void theTableFitsTheTerminalAfterEachResizeAndLeavesNothingBehind() {
    writeMetrics();
    start();
    assertShown(80, 24);
    Await.until(
        "titles have a colour",
        () -> TemporaryPcp.text(pcp.file("raw")),
        () -> CYAN.matcher(TemporaryPcp.text(pcp.file("raw"))).find());
    assertShown(60, 12);
    assertShown(160, 40);
    assertShown(80, 24);
    tmux("send-keys", "q");
    assertRestored(0);
  }

  @Test
  void controlCRestoresTheScreen() {
    writeMetrics();
    start();
    tmux("send-keys", "C-c");
    assertRestored(130);
  }

  @Test
  void sigtermRestoresTheScreen() {
    writeMetrics();
    start();
    long shell = Long.parseLong(tmux("display-message", "-p", "#{pane_pid}").strip());
    ProcessHandle.of(shell).orElseThrow().children().forEach(ProcessHandle::destroy);
    assertRestored(143);
  }

  @Test
  void keysFoldFilterSortAndScroll() {
    writeMetrics();
    start();
    tmux("send-keys", "End");
    awaitScreen("m59");
    assertFalse(String.join("\n", screen()).contains("m00"));
    tmux("send-keys", "Home", "Left");
    awaitScreen("+ mmv.app");
    assertFalse(String.join("\n", screen()).contains("m00"));
    tmux("send-keys", "/", "M3");
    awaitScreen("filter: M3_");
    awaitScreen("m39");
    assertFalse(String.join("\n", screen()).contains("m29"));
    tmux("send-keys", "Escape");
    awaitScreen("+ mmv.app");
    tmux("send-keys", "v");
    Await.until("sorted by value", () -> screen().get(2).startsWith("mmv.app.m59 "));
  }

  @Test
  void helpListsTheKeysAndTheHeaderHasTheState() {
    writeMetrics();
    new MmvWriter(9).write(pcp.mmv(), "refused");
    start();
    awaitScreen("60 values  1 file not served: see jmmv check  every 1s  by name");
    tmux("send-keys", "?");
    awaitScreen("return to the shell; fg continues");
    tmux("send-keys", "G");
    awaitScreen("mmv.app.m59 (file app)"); // the full name of the selected row
    tmux("send-keys", "R", "p", "-");
    awaitScreen("see jmmv check  paused  by name, rev");
    tmux("send-keys", "p", "/", "a*M3", "Enter");
    awaitScreen("10 of 60 values  filter: a*M3  1 file not served");
    tmux("send-keys", "Escape");
    awaitScreen("every 0.5s");
  }

  @Test
  void theEndOfALongNameIsShown() {
    MmvWriter writer = new MmvWriter(2);
    String name = "a.name.of.a.metric.that.does.not.fit.into.eighty.columns.of.a.terminal.";
    writer.metric(name + "one", 1, ValueType.U32).value(1);
    writer.metric(name + "two", 2, ValueType.U32).value(2);
    writer.write(pcp.mmv(), "app");
    start();
    tmux("send-keys", "v");
    awaitScreen(".terminal.two (file app)");
    tmux("send-keys", "j");
    awaitScreen(".terminal.one (file app)");
  }

  /** Under a shell with job control, as a user has it. */
  @Test
  void controlZReturnsToTheShellAndFgToTheTable() {
    Need.BASH.require();
    writeMetrics();
    tmux("new-session", "-d", "-x", "80", "-y", "24", "bash --norc --noprofile -i");
    tmux("send-keys", JMMV + " top " + pcp.mmv(), "Enter");
    awaitScreen("q: quit");
    tmux("send-keys", "C-z");
    awaitScreen("Stopped");
    assertFalse(String.join("\n", screen()).contains("q: quit"));
    assertEquals("0 1\n", tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}"));
    tmux("send-keys", "echo $((40 + 2))", "Enter");
    awaitScreen("\n42");
    tmux("send-keys", "fg", "Enter");
    awaitScreen("q: quit");
    tmux("send-keys", "q");
    Await.until("the shell", () -> !String.join("\n", screen()).contains("q: quit"));
  }

  @Test
  void theTableIsAsciiWithoutUtf8AndHasNoColoursWithNoColor() {
    writeMetrics();
    start("LC_ALL=C NO_COLOR=1 ");
    awaitScreen("_");
    String raw = TemporaryPcp.text(pcp.file("raw"));
    assertTrue(raw.matches("(?s)[ -~\\s\033\016\017]*"), raw);
    assertFalse(CYAN.matcher(raw).find(), raw);
  }

  @Test
  void aFileCantControlTheTerminal() {
    MmvWriter writer = new MmvWriter(2);
    MmvWriter.InDom inDom = writer.inDom(1).instance(1, ATTACK);
    writer.metric("name" + ATTACK, 1, ValueType.U32).help(ATTACK, ATTACK).value(1);
    writer.metric("instance", 2, ValueType.U32).inDom(inDom).at(1, 2);
    writer.metric("text", 3, ValueType.STRING).help(ATTACK, ATTACK).text(ATTACK);
    writer.write(pcp.mmv(), "app");
    start();
    tmux("send-keys", "End");
    awaitScreen("text");
    awaitScreen("owned");
    String raw = TemporaryPcp.text(pcp.file("raw"));
    assertFalse(raw.contains("\033]0;"), raw);
    assertFalse(raw.contains("\033[2J\033[Howned"), raw);
    assertFalse(raw.contains("\u009b"), raw);
    tmux("send-keys", "q");
    assertRestored(0);
    String once = jmmv("--once", pcp.mmv().toString()).outOfSuccess();
    assertTrue(once.matches("[ -~\n]+"), once);
  }

  // --- for scripts

  private Shell.Result jmmv(String... options) {
    return Shell.jmmv(
        pcp.environment(),
        Stream.concat(Stream.of("top", "-t", "0.1"), Stream.of(options)).toArray(String[]::new));
  }

  @Test
  void jsonAndCsvHaveTheSameValues() throws JsonProcessingException {
    try (Application application = Application.start(pcp, Library.LIBPCP_MMV, "shop", "plain")) {
      application.set("state", "run,\"ning\"");
      List<String> json = new ArrayList<>();
      String samples = jmmv("--json", "-s", "2").outOfSuccess();
      assertEquals(2, samples.lines().count());
      for (JsonNode value : new ObjectMapper().readTree(samples).path("values")) {
        String instance = value.path("instance").asText();
        json.add(
            value.path("metric").asText() + "|" + instance + "|" + value.path("value").asText());
      }
      Need.PYTHON.require();
      String script =
          "import csv, sys\nfor row in csv.DictReader(sys.stdin):"
              + " print(row['metric'], row['instance'], row['value'], sep='|')";
      Shell.Result csv =
          Shell.run(
              pcp.environment(),
              List.of("python3", "-c", script),
              jmmv("--csv", "-s", "1").outOfSuccess());
      List<String> lines = new ArrayList<>(csv.outOfSuccess().lines().toList());
      String timer = "mmv.shop.busy|orders|"; // which runs
      assertTrue(json.removeIf(line -> line.startsWith(timer)), json::toString);
      assertTrue(lines.removeIf(line -> line.startsWith(timer)), lines::toString);
      assertEquals(json, lines);
      assertTrue(json.contains("mmv.shop.state||run,\"ning\""), json::toString);
    }
  }

  @Test
  void aClosedPipeEndsItQuietly() {
    Need.BASH.require();
    writeMetrics();
    Shell.Result result =
        Shell.run(
            pcp.environment(),
            List.of("bash", "-c", JMMV + " top --csv -t 0.1 | head -n 1; exit ${PIPESTATUS[0]}"));
    assertEquals("time,metric,instance,value,rate,units\n", result.outOfSuccess());
    assertEquals("", result.err());
  }

  @Test
  void withoutATerminalItSaysWhatToUse() {
    writeMetrics();
    Shell.Result result = jmmv();
    assertEquals("", result.outOf(2));
    assertTrue(result.err().matches("jmmv: .* use --once, --csv or --json\n"), result.err());
  }
}
