package org.jmmv.example;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jmmv.testkit.StockAgent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@link LiveTable} as a separate process, with the stock agent of an installed PCP. */
@Timeout(120)
class LiveTableTest {

  @TempDir Path dir;

  private Process start(List<String> options, List<String> agent) throws IOException {
    return start(command(options, agent));
  }

  private Process start(List<String> command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(dir.resolve("errors").toFile());
    builder.environment().put("PCP_TMP_DIR", dir.toString());
    return builder.start();
  }

  private static List<String> command(List<String> options, List<String> agent) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(LiveTable.class.getName());
    command.addAll(options);
    command.addAll(agent);
    return command;
  }

  /** Starts the program on a new pseudo-terminal of 10 lines and 80 columns: script(1). */
  private Process startOnTerminal(List<String> options) throws IOException {
    String quoted =
        command(options, stockAgent()).stream()
            .map(word -> "'" + word + "'")
            .collect(Collectors.joining(" "));
    String command = "export TERM=xterm; stty rows 10 cols 80; exec " + quoted;
    return start(List.of("script", "-qec", command, "/dev/null"));
  }

  private List<String> stockAgent() {
    return StockAgent.command("mmv", dir.resolve("agent.log"));
  }

  /** Returns standard error without the warnings of SLF4J, which is not on ./demo's class path. */
  private String errors() throws IOException {
    return Files.readString(dir.resolve("errors")).replaceAll("SLF4J\\(W\\): .*\n", "");
  }

  private static String output(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), UTF_8);
  }

  @Test
  void showsATableASecond() throws Exception {
    ShopMetrics metrics = new ShopMetrics(dir.resolve("mmv/shop"));
    metrics.ordersPlaced(12);
    Process process = start(List.of("--plain", "--seconds", "1"), stockAgent());
    String output = output(process);
    assertEquals(0, process.waitFor(), errors());
    List<String> orders =
        output.lines().filter(line -> line.startsWith("mmv.shop.orders.placed ")).toList();
    assertEquals(2, orders.size(), output);
    assertTrue(orders.getFirst().matches("\\S+ +12 +count +Orders placed"), output);
    assertTrue(orders.getLast().matches("\\S+ +12 +0\\.0 /s +count +Orders placed"), output);
    assertFalse(output.contains("\033"), output);
    assertEquals("", errors());
  }

  @Test
  void redrawsInPlaceWithinTheTerminal() throws Exception {
    ShopMetrics metrics = new ShopMetrics(dir.resolve("mmv/shop"));
    metrics.ordersPlaced(12);
    Process process = startOnTerminal(List.of("--seconds", "1"));
    String output = output(process);
    assertEquals(0, process.waitFor(), output);
    String screen = output.substring(0, output.indexOf("\033[?1049l"));
    List<String> tables = List.of(screen.split("\033\\[1;1H", -1));
    assertEquals(1 + 2, tables.size(), output);
    assertTrue(tables.getFirst().contains("\033[?1049h"), output);
    for (String table : tables.subList(1, 3)) {
      assertFalse(table.contains("\n"), "the table does not scroll the screen");
      assertTrue(table.matches("(?s).*\033\\[10;1H[^a-z]*J[^.]*\\.\\.\\. and 7 more.*"), output);
    }
    String rest = output.substring(screen.length());
    assertTrue(rest.contains("mmv.shop.traffic.sent"), "the last table stays: " + rest);
  }

  @Test
  void keyQEndsTheProgramAndIsNotEchoed() throws Exception {
    new ShopMetrics(dir.resolve("mmv/shop"));
    Process process = startOnTerminal(List.of());
    StringBuilder output = new StringBuilder();
    while (output.indexOf("UNITS") < 0) {
      output.append((char) process.getInputStream().read());
    }
    process.getOutputStream().write('q');
    process.getOutputStream().flush();
    output.append(output(process));
    assertEquals(0, process.waitFor(), output::toString);
    assertFalse(
        output.toString().replaceAll("q: quit|request", "").contains("q"), output::toString);
  }

  @Test
  void aFileHasTheWholeTable() throws Exception {
    new ShopMetrics(dir.resolve("mmv/shop"));
    String output = output(start(List.of("--seconds", "1"), stockAgent()));
    assertTrue(output.contains("  Share of requests served from the cache\n"), output);
    assertFalse(output.contains("\033"), output);
  }

  @Test
  void reportsThatThereAreNoMetrics() throws Exception {
    Files.createDirectory(dir.resolve("mmv"));
    Process process = start(List.of("--plain", "--seconds", "1"), stockAgent());
    String output = output(process);
    assertEquals(0, process.waitFor(), errors());
    assertTrue(output.endsWith("  0 metrics, 0 values\nThere are no metrics.\n\n"), output);
  }

  @Test
  void aFailingAgentIsReported() throws Exception {
    Process process = start(List.of("--plain"), List.of("sh", "-c", "echo no luck >&2; exit 4"));
    assertEquals("", output(process));
    assertEquals(1, process.waitFor());
    assertEquals(
        "no luck\nLiveTable: the agent sh: it closed the connection; it exited with status 4; see its"
            + " messages on standard error\n",
        errors());
  }

  @Test
  void endsTheAgentWhenKilled() throws Exception {
    new ShopMetrics(dir.resolve("mmv/shop"));
    Process process = start(List.of("--plain"), stockAgent());
    try (BufferedReader reader = process.inputReader(UTF_8)) {
      assertTrue(reader.readLine().endsWith("8 metrics, 14 values"));
      List<ProcessHandle> agents;
      try (Stream<ProcessHandle> children = process.children()) {
        agents = children.toList();
      }
      assertEquals(1, agents.size());
      process.destroy();
      process.waitFor();
      assertFalse(agents.getFirst().isAlive());
      assertEquals("", errors());
    }
  }

  @Test
  void aWrongOptionShowsTheUsage() throws Exception {
    for (List<String> options :
        List.of(
            List.of("--speed"),
            List.of("--seconds", "ten"),
            List.of("--seconds", "0"),
            List.<String>of())) {
      Process process = start(options, List.of());
      assertEquals(1, process.waitFor());
      assertTrue(errors().startsWith("Usage: LiveTable "), errors());
    }
  }
}
