package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The programs of docs whose libraries are those of other tests. */
final class QuickStartTest {
  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();

  @Test
  void java() throws IOException, InterruptedException {
    assertCounts("java_app", java("instrumenting.md", "    import org.jmmv.writer"));
  }

  /** Its file has the metrics of a counter and of a timer. */
  @Test
  void micrometer() throws IOException, InterruptedException {
    assertCounts("micrometer_app", java("micrometer.md", "    import io.micrometer"));
  }

  private String[] java(String document, String firstLine) throws IOException {
    Path source = write("QuickStart.java", document, firstLine);
    return new String[] {
      Path.of(System.getProperty("java.home"), "bin", "java").toString(),
      "-cp",
      System.getProperty("java.class.path"),
      source.toString()
    };
  }

  @Test
  void c() throws IOException, InterruptedException {
    Need.COMPILER.require();
    Path source = write("app.c", "    #include <pcp/pmapi.h>");
    Path program = pcp.file("app");
    List<String> compiler =
        List.of("cc", source.toString(), "-lpcp_mmv", "-lpcp", "-o", program.toString());
    Shell.run(Map.of(), compiler).outOfSuccess();
    assertCounts("c_app", program.toString());
  }

  @Test
  void python() throws IOException, InterruptedException {
    Need.PYTHON.require();
    assertCounts("python_app", "/usr/bin/python3", write("app.py", "    import time").toString());
  }

  /** PCP's module takes one cluster for all programs that set none. */
  @Test
  void twoProgramsInPythonHaveValuesOfTheirOwn() throws IOException, InterruptedException {
    Need.PYTHON.require();
    Path source = write("app.py", "    import time");
    String faster = Files.readString(source).replace("python_app", "other_app");
    Path other = Files.writeString(pcp.file("other.py"), faster.replace("sleep(1)", "sleep(0.1)"));
    Process first = start("/usr/bin/python3", source.toString());
    Process second = start("/usr/bin/python3", other.toString());
    try {
      Await.until(
          "the values of the two differ",
          () -> values().toString(),
          () -> values().stream().distinct().count() == 2);
      String checked = jmmv("check", pcp.mmv().toString()).outOfSuccess();
      assertTrue(checked.contains("\n2 of 2 files served completely"), checked);
    } finally {
      first.destroyForcibly().waitFor();
      second.destroyForcibly().waitFor();
    }
  }

  /** Returns the values of all metrics. */
  private List<String> values() {
    return jmmv("top", "--csv", "-s1", pcp.mmv().toString())
        .outOfSuccess()
        .lines()
        .skip(1)
        .map(line -> line.split(",", -1)[3])
        .toList();
  }

  /** Writes the block of the document with a first line to a file. */
  private Path write(String name, String firstLine) throws IOException {
    return write(name, "instrumenting.md", firstLine);
  }

  private Path write(String name, String file, String firstLine) throws IOException {
    String document = TemporaryPcp.text(Path.of("../docs", file));
    int start = document.indexOf("\n" + firstLine) + 1;
    assertTrue(start > 0, firstLine);
    String block = document.substring(start, document.indexOf("\n\n", start) + 1);
    return Files.writeString(pcp.file(name), block.replaceAll("(?m)^ {4}", ""), ISO_8859_1);
  }

  /** Runs a program, whose metric must be served and count. */
  private void assertCounts(String file, String... program)
      throws IOException, InterruptedException {
    Process process = start(program);
    try {
      String path = pcp.mmv().resolve(file).toString();
      Await.until(
          file + " counts",
          () -> jmmv("dump", path) + TemporaryPcp.text(pcp.file("output")),
          () -> jmmv("dump", path).out().matches("(?s).*Metric requests\n.*  = [1-9].*"));
      String checked = jmmv("check", path).outOfSuccess();
      assertTrue(checked.matches("(?s)" + file + ": served, ([14]) of \\1 metrics\n.*"), checked);
      assertFalse(checked.contains("hint: "), checked);
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private Process start(String... program) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(program)
            .redirectErrorStream(true)
            .redirectOutput(pcp.file("output").toFile());
    builder.environment().putAll(pcp.environment());
    return builder.start();
  }

  private static Shell.Result jmmv(String... words) {
    return Shell.jmmv(Map.of(), words);
  }
}
