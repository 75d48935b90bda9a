package org.jmmv.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code jmmv check} says of files with planted faults. */
final class CheckTest {
  private static final int VALUE_METRIC = 16;
  private static final int COUNT = 0x00100000; // units

  private static final String USER = System.getProperty("user.name");

  private static final MmvWriter SOUND = sound();

  private static long ended;

  @TempDir private Path directory;

  @BeforeAll
  static void endAProcess() throws Exception {
    Process process = new ProcessBuilder("true").start();
    process.waitFor();
    ended = process.pid();
  }

  private static MmvWriter sound() {
    MmvWriter writer = new MmvWriter(2).cluster(7);
    MmvWriter.InDom inDom = writer.inDom(3).instance(0, "one").instance(1, "two");
    writer.inDom(4).instance(9, "nine");
    writer.metric("single", 1, ValueType.I32).units(COUNT).help("short", "long").value(42);
    writer
        .metric("multi", 2, ValueType.U64)
        .units(COUNT)
        .help("s", "l")
        .inDom(inDom)
        .at(0, 10)
        .at(1, 11);
    writer.metric("text", 3, ValueType.STRING).help("s", "l").text("hello");
    writer.metric("with.dot", 4, ValueType.U32).units(COUNT).help("s", "l").value(1);
    writer.label(8, 0, 0, "{\"a\":1}").label(16, 1, 0, "{\"b\":2}");
    return writer;
  }

  private static Arguments planted(
      String record, int at, int field, Number number, String problem) {
    return arguments(record, at, at + field, number, problem);
  }

  /** One for each kind of record; all kinds of faults are in the tests of the reader. */
  static List<Arguments> planted() {
    long size = SOUND.size();
    return List.of(
        planted("header", MmvWriter.VERSION, 0, 4, "version 4 is not supported"),
        planted("header", MmvWriter.GENERATION1, 0, 5L, "in flux: its generations are 5 and"),
        planted("TOC[3]", SOUND.tocAt(MmvWriter.VALUES), 4, -1, "-1 VALUES entries of 32"),
        planted("indom[0]", SOUND.inDomAt(0), 0, 1 << 22, "serial 4194304"),
        planted("instance[1]", SOUND.instanceAt(1), 16, size, "name offset \\d+ is beyond"),
        planted("metric[1]", SOUND.metricAt(1), 0, size, "name offset \\d+ is beyond"),
        planted("value[0]", SOUND.valueAt(0), VALUE_METRIC, 1L, "metric offset 1 is"),
        planted("label[1]", SOUND.labelAt(1), 12, -1, ".* of the JSON text"));
  }

  @ParameterizedTest
  @MethodSource("planted")
  void aPlantedFaultIsNamedWithItsOffset(
      String record, int at, int field, Number number, String problem) throws IOException {
    ByteBuffer image = SOUND.image();
    if (number instanceof Long offset) {
      image.putLong(field, offset);
    } else {
      image.putInt(field, number.intValue());
    }
    String findings =
        assertNamed("\\Q%s at %d: \\E%s".formatted(record, at, problem), image).toString();
    assertTrue(findings.contains("offset=" + at + ", "), findings);
  }

  @Test
  void aFileThatIsNotServedIsNamed() throws IOException {
    assertNamed("not an MMV file: it has 0 bytes", SOUND.image().limit(0));
    ByteBuffer ofProcess = SOUND.image().putInt(MmvWriter.FLAGS, MmvWriter.PROCESS);
    assertNamed(
        "it has the PROCESS flag, and its process \\d+ has ended",
        ofProcess.putInt(MmvWriter.PID, (int) ended));
  }

  /** Asserts that a fault of a file is named, with what to do, and returns the findings. */
  private List<?> assertNamed(String fault, ByteBuffer image) throws IOException {
    Path file = MmvWriter.write(image, directory, "app");
    ToolRun run = ToolRun.of("check", file);
    assertEquals(1, run.status(), run.out());
    List<String> lines = run.out().lines().toList();
    int found = -1;
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).matches("  " + fault + ".*")) {
        found = i;
      }
    }
    assertTrue(found > 0, () -> fault + " is not in:\n" + run.out());
    assertTrue(lines.get(found + 1).matches("    lost: \\w.*"), run.out());
    assertFalse(lines.get(found + 1).endsWith("nothing"), run.out());
    assertTrue(lines.get(found + 2).matches("    to do: \\w.*"), run.out());
    assertEquals(run.out(), ToolRun.of("check", directory).out());

    Map<?, ?> path = (Map<?, ?>) json("check", "--json", file).getFirst();
    Map<?, ?> checked = (Map<?, ?>) ((List<?>) path.get("files")).getFirst();
    List<?> findings = (List<?>) checked.get("findings");
    assertEquals(
        lines.stream().filter(line -> line.startsWith("    lost:")).count(), findings.size());
    return findings;
  }

  private static List<?> json(Object... args) throws IOException {
    return (List<?>) DumpTest.parse(ToolRun.of(args).out());
  }

  @Test
  void aFindingSaysWhatIsLostAndWhatToDo() {
    ByteBuffer image = SOUND.image();
    image.putInt(SOUND.metricItemAt(1), 1024).putInt(SOUND.metricItemAt(2), 1025);
    Path file = MmvWriter.write(image, directory, "app");
    assertEquals(
        """
        app: partly served, 2 of 4 metrics
          metric[1] at %d: item 1024 of multi is over 1023
            lost: the metric
            to do: give the metric an item from 0 to 1023
          metric[2] at %d: item 1025 of text is over 1023
            lost: the metric
            to do: give the metric an item from 0 to 1023
        0 of 1 files served completely, judged as user %s
        """
            .formatted(SOUND.metricAt(1), SOUND.metricAt(2), USER),
        ToolRun.of("check", file).out());
  }

  @Test
  void aThousandFaultsOfAKindAreNamed() {
    MmvWriter writer = new MmvWriter(2);
    MmvWriter.Metric metric = writer.metric("m", 1, ValueType.U32);
    for (int i = 0; i < 1500; i++) {
      metric.value(i);
    }
    ByteBuffer image = writer.image();
    for (int i = 0; i < 1500; i++) {
      image.putLong(writer.valueAt(i) + VALUE_METRIC, -1);
    }
    List<String> lines =
        ToolRun.of("check", MmvWriter.write(image, directory, "app"))
            .out()
            .lines()
            .filter(line -> line.startsWith("  value["))
            .toList();
    assertEquals(1000, lines.size());
    for (int i = 0; i < 999; i++) {
      String place = "  value[%d] at %d: metric offset ".formatted(i, writer.valueAt(i));
      assertTrue(lines.get(i).startsWith(place), lines.get(i));
    }
    assertTrue(lines.getLast().endsWith(" (and 500 more like it)"), lines.getLast());
  }

  @Test
  void soundFilesAreServed() {
    SOUND.write(directory, "a");
    new MmvWriter(1).write(directory, "empty");
    ToolRun run = ToolRun.of("check", directory);
    assertEquals(
        """
        a: served, 4 of 4 metrics
        empty: served, 0 of 0 metrics
        2 of 2 files served completely, judged as user %s
        """
            .formatted(USER),
        run.out());
    assertEquals(0, run.status());
    assertEquals("", run.err());
  }

  /** A file that is served, but of which a hint of each kind can be given. */
  private static MmvWriter odd() {
    MmvWriter writer = new MmvWriter(2).cluster(7).pid(ended);
    MmvWriter.InDom inDom = writer.inDom(3).instance(0, "one").instance(1, "one");
    writer.metric("a.b", 1, ValueType.DOUBLE).value(Double.longBitsToDouble(0x3f800000));
    writer.metric("a_b", 2, MmvWriter.ELAPSED).units(COUNT).help("s", "l").value(-5);
    writer.metric("m", 3, ValueType.U32).units(COUNT | 0x49).help("s", "l").inDom(inDom).at(0, 1);
    return writer.label(8, 0, 0, "{\"a\":{\"b\":1}}");
  }

  @Test
  void hintsAreGivenForWhatIsServed() throws IOException {
    Path file = odd().write(directory, "app");
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2026-01-02T03:04:05Z")));
    ToolRun run = ToolRun.of("check", file);
    List<String> hints = run.out().lines().filter(line -> line.startsWith("  hint: ")).toList();
    MmvWriter at = odd();
    assertEquals(
        List.of(
            "  hint: instance[1] at %d: the name \"one\" is also that of another instance of the instance domain"
                .formatted(at.instanceAt(1)),
            "  hint: metric[2] at %d: no version of PCP knows the units extra-9 count (00100049)"
                .formatted(at.metricAt(2)),
            "  hint: its application has ended (process %d, last written 2026-01-02T03:04:05Z), but it is served: it has no PROCESS flag"
                .formatted(ended),
            "  hint: metric[0] at %d: a.b has no help text".formatted(at.metricAt(0)),
            "  hint: metric[0] at %d: a.b has no units".formatted(at.metricAt(0)),
            "  hint: metric[0] at %d: the value 5.263544247E-315 of a.b, a DOUBLE, is denormal: a float was probably stored"
                .formatted(at.metricAt(0)),
            "  hint: metric[1] at %d: the names a.b and a_b are one name in Prometheus, which has no dots"
                .formatted(at.metricAt(1)),
            "  hint: metric[1] at %d: the elapsed time -5 of a_b is negative, or longer than 31 years"
                .formatted(at.metricAt(1)),
            "  hint: the label a.b has to get another name in Prometheus"),
        hints);
    assertTrue(run.out().startsWith("app: served, 3 of 3 metrics\n"), run.out());
    assertEquals(0, run.status());
    assertEquals(
        "app: served, 3 of 3 metrics\n1 of 1 files served completely, judged as user "
            + USER
            + "\n",
        ToolRun.of("check", "--quiet", file).out());

    Map<?, ?> path = (Map<?, ?>) json("check", "--json", file).getFirst();
    Map<?, ?> checked = (Map<?, ?>) ((List<?>) path.get("files")).getFirst();
    Map<?, ?> first = (Map<?, ?>) ((List<?>) checked.get("findings")).getFirst();
    assertEquals("hint", first.get("severity"));
    assertEquals("instance-name", first.get("code"));
  }

  @Test
  void aCounterThatDecreasesWhileItIsWatchedIsNamed() throws Exception {
    MmvWriter writer = new MmvWriter(2).cluster(7);
    writer.metric("up", 1, ValueType.U64).units(COUNT).help("s", "l").value(Long.MAX_VALUE);
    writer.metric("down", 2, ValueType.U64).units(COUNT).help("s", "l").value(Long.MIN_VALUE);
    Path file = writer.write(directory, "app");
    AtomicBoolean hasEnded = new AtomicBoolean();
    Thread application =
        new Thread(() -> {
          for (long i = 1; !hasEnded.get(); i++) {
            MmvWriter.storeLong(file, writer.valueAt(0), Long.MAX_VALUE + i);
            MmvWriter.storeLong(file, writer.valueAt(1), Long.MIN_VALUE - i);
          }
        });
    application.start();
    ToolRun run = ToolRun.of("check", "--watch", "0.5", file);
    hasEnded.set(true);
    application.join();
    assertTrue(run.out().contains("  hint: metric[1] at "), run.out());
    assertTrue(run.out().contains(": the counter down went from "), run.out());
    assertFalse(run.out().contains("metric[0]"), run.out());
    assertEquals(0, run.status());
  }

  @Test
  void aPmidThatTwoApplicationsShareByAccidentIsAFault() {
    for (String name : List.of("alpha", "beta")) {
      MmvWriter writer = new MmvWriter(2).cluster(42);
      writer.metric(name, 1, ValueType.U32).units(COUNT).help("s", "l").value(1);
      writer.write(directory, name);
    }
    ToolRun run = ToolRun.of("check", directory);
    assertTrue(run.out().startsWith("alpha: served, 1 of 1 metrics\n"), run.out());
    assertTrue(
        run.out()
            .contains(
                "its PMID 70.42.1 is also that of mmv.alpha.alpha of file alpha, from which it differs in name"),
        run.out());
    assertTrue(run.out().contains("    lost: the metric's own values\n"), run.out());
    assertTrue(run.out().contains("beta: partly served, 1 of 1 metrics\n"), run.out());
    assertEquals(1, run.status());
  }

  /** The application may have written all of it, under a clock that is wrong. */
  @Test
  void aCompleteFileOfGeneration0NamesTheClock() {
    MmvWriter writer = new MmvWriter(2).cluster(7).generation(0);
    writer.metric("m", 1, ValueType.U32).value(1);
    ToolRun run = ToolRun.of("check", writer.write(directory, "app"));
    assertTrue(run.out().contains("in flux: its generations are 0\n"), run.out());
    assertTrue(run.out().contains("wait; otherwise set the clock, or let the program"), run.out());
  }

  @Test
  void entriesThatAreNoFilesAreNamed() throws IOException, InterruptedException {
    Files.createDirectory(directory.resolve("directory"));
    Files.createSymbolicLink(directory.resolve("link"), directory.resolve("none"));
    new ProcessBuilder("mkfifo", directory + "/fifo").start().waitFor();
    Files.createFile(directory.resolve(".hidden"));
    SOUND.write(directory, "n\u00e4me");
    String out = ToolRun.of("check", directory).out();
    List<String> lines = out.lines().filter(line -> !line.contains("lost:")).toList();
    assertEquals(
        Stream.of(
                "directory: not served",
                "  a directory, or a symbolic link to one, not a regular file",
                "    to do: remove it from the directory",
                "fifo: not served",
                "  a FIFO, or a symbolic link to one, not a regular file",
                "    to do: remove it from the directory",
                "link: not served",
                "  a symbolic link whose target does not exist or can't be reached",
                "    to do: remove it from the directory")
            .toList(),
        lines.subList(0, 9));
    assertTrue(out.contains("n\\xc3\\xa4me: partly served, 0 of 4 metrics\n"), out);
    assertTrue(
        out.contains(
            "  the file's name can't be part of the metrics' names, because it has characters other"
                + " than letters, digits, \"_\" and \".\"; all metrics (4) are left out\n"),
        out);
    assertTrue(out.contains("    lost: all metrics of the file\n"), out);
  }

  @Test
  void conflictsBetweenFilesAreFoundInTheirDirectory() {
    MmvWriter other = new MmvWriter(2).cluster(8).flags(MmvWriter.NOPREFIX);
    other.metric("a.single", 1, ValueType.U32).value(1);
    SOUND.write(directory, "a");
    Path b = other.write(directory, "b");
    assertEquals(0, ToolRun.of("check", b).status());
    String out = ToolRun.of("check", directory).out();
    assertTrue(out.contains("b: partly served, 0 of 1 metrics\n"), out);
    assertTrue(
        out.contains("the name mmv.a.single is taken by file a\n    lost: the metric\n"), out);
  }

  @Test
  void aHiddenFileIsSkippedByTheAgent() {
    Path file = SOUND.write(directory, ".app");
    String out = ToolRun.of("check", file).out();
    assertTrue(out.contains("  its name begins with a dot\n"), out);
    assertTrue(out.contains("    to do: rename the file\n"), out);
  }

  @Test
  void whatCannotBeReadDoesNotHideTheOthers() throws IOException {
    Path good = SOUND.write(directory, "good");
    Path missing = directory.resolve("none");
    ToolRun run = ToolRun.of("check", "--json", missing, good);
    Map<?, ?> path = (Map<?, ?>) ((List<?>) DumpTest.parse(run.out())).getFirst();
    assertEquals(good.toString(), path.get("path"));
    assertEquals("jmmv: " + missing + ": No such file or directory\n", run.err());
    assertEquals(2, run.status());
    assertTrue(ToolRun.of("check", missing, good).out().startsWith("good: served, 4 of 4"));
  }

  @Test
  void theDirectoryOfTheAgentIsCheckedWithItsSettings() throws IOException {
    SOUND.write(directory, "a");
    SOUND.write(directory, "b");
    Path settings = Files.createDirectories(directory.resolve("jmmv")).resolve("jmmv.toml");
    Map<String, String> pcp =
        Map.of("PCP_CONF", "/nonexistent", "PCP_SYSCONF_DIR", directory.toString());
    Files.writeString(settings, "[[directory]]\npath = \"" + directory + "\"\nexclude = [\"b\"]\n");
    ToolRun run = ToolRun.with(pcp, "check");
    assertTrue(run.out().contains("a: served, 4 of 4 metrics\n"), run.out());
    assertTrue(run.out().contains("b: not served\n  the settings exclude its name\n"), run.out());

    Files.writeString(settings, "limits.files = 0\n");
    ToolRun failed = ToolRun.with(pcp, "check");
    assertTrue(failed.err().startsWith("jmmv: " + settings + ":1:"), failed.err());
    assertEquals(2, failed.status());
  }

  @Test
  void allDirectoriesOfTheAgentAreChecked() throws IOException {
    Path one = Files.createDirectory(directory.resolve("one"));
    Path two = Files.createDirectory(directory.resolve("two"));
    Path missing = directory.resolve("missing");
    SOUND.write(one, "app");
    SOUND.write(two, "b");
    Path settings = Files.createDirectories(directory.resolve("jmmv")).resolve("jmmv.toml");
    Map<String, String> pcp =
        Map.of("PCP_CONF", "/nonexistent", "PCP_SYSCONF_DIR", directory.toString());
    String tables =
        Stream.of(one, two, missing)
            .map(path -> "[[directory]]\npath = \"" + path + "\"\nexclude = [\"b\"]\n")
            .collect(Collectors.joining());
    Files.writeString(settings, tables);
    String out = ToolRun.with(pcp, "check").out();
    assertTrue(
        out.startsWith(
            """
            %s:
            app: served, 4 of 4 metrics
            %s:
            b: not served
              the settings exclude its name
            """
                .formatted(one, two)),
        out);
    assertTrue(
        out.contains(
            """
            %s:
            the directory: not served
              the directory can't be read: No such file or directory
                lost: all files
                to do: create the directory\
            """
                .formatted(missing)),
        out);
    assertTrue(
        out.endsWith("\n1 of 3 files served completely, judged as user " + USER + "\n"), out);
  }

  /** JmmvTest in qa checks as another user: the change is irrevocable. */
  @Test
  void theUserWhoJudgesIsNamed() throws IOException {
    SOUND.write(directory, "a");
    Map<?, ?> path = (Map<?, ?>) json("check", "--json", "-U", USER, directory).getFirst();
    assertEquals(USER, path.get("user"));
    ToolRun failed = ToolRun.of("check", "-U", "nobody of this name", directory);
    assertTrue(failed.err().startsWith("jmmv: there is no user \"nobody of"), failed.err());
    assertEquals(2, failed.status());
  }

  @Test
  void nothingIsWritten() throws IOException {
    SOUND.write(directory, "a");
    ToolRun.of("check", directory);
    try (Stream<Path> entries = Files.list(directory)) {
      assertEquals(1, entries.count());
    }
  }
}
