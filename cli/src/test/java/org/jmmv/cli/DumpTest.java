package org.jmmv.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code jmmv dump} prints of files that a test has written. */
final class DumpTest {
  private static final int KBYTES_PER_SECOND = 0x1f013000;

  @TempDir private Path directory;

  /** Writes a file with something of everything. */
  private static MmvWriter everything(int version) {
    MmvWriter writer = new MmvWriter(version).cluster(42).flags(MmvWriter.SENTINEL).pid(77);
    MmvWriter.InDom queues = writer.inDom(7).help("queues", "first line\nsecond line");
    queues.instance(0, "orders").instance(5, "na\u00c3\u00afve");
    writer.metric("depth", 1, ValueType.I32).inDom(queues).at(0, -4).at(5, 6);
    writer
        .metric("rate", 2, ValueType.DOUBLE)
        .semantics(Semantics.INSTANT)
        .units(KBYTES_PER_SECOND)
        .help("rate", "Kilobytes a second.")
        .value(13.75);
    writer.metric("big", 3, ValueType.U64).value(-2);
    writer.metric("nothing", 4, ValueType.DOUBLE).semantics(Semantics.DISCRETE).value(Double.NaN);
    writer.metric("infinite", 5, ValueType.DOUBLE).value(Double.POSITIVE_INFINITY);
    writer.metric("state", 6, ValueType.STRING).text("run\u001b[2J");
    writer.metric("busy", 7, MmvType.ELAPSED.code()).raw(1_500, 0);
    writer.metric("empty", 8, ValueType.U32);
    writer.label(LabelType.INSTANCES, 7, 5, "{\"name\":\"\u00c3\u00a9t\u00c3\u00a9\"}");
    writer.label(LabelType.CLUSTER | LabelType.OPTIONAL, 42, -1, " ");
    return writer;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void textShowsEverything(int version) {
    MmvWriter writer = everything(version);
    ToolRun run = ToolRun.of("dump", writer.write(directory, "app"));
    String text =
        """
        app: %d bytes
          version     %d
          generation  1763620000
          flags       SENTINEL
          process     77
          cluster     42
        """
            .formatted(writer.size(), version);
    assertTrue(run.out().startsWith(text), run.out());
    String rest =
        """

        Instance domain 7
          queues
          first line
          second line
          [0 or "orders"]
          [5 or "na\\xc3\\xafve"]

        Metric depth
          item 1 at %d, I32, counter, instance domain 7
          [0 or "orders"] = -4
          [5 or "na\\xc3\\xafve"] = 6

        Metric rate
          item 2 at %d, DOUBLE, instant, Kbyte / sec
          rate
          Kilobytes a second.
          = 13.75

        Metric big
          item 3 at %d, U64, counter
          = 18446744073709551614

        Metric nothing
          item 4 at %d, DOUBLE, discrete
          (no value at the moment)

        Metric infinite
          item 5 at %d, DOUBLE, counter
          = Infinity

        Metric state
          item 6 at %d, STRING, counter
          = "run\\x1b[2J"

        Metric busy
          item 7 at %d, ELAPSED, counter
          = 1500

        Metric empty
          item 8 at %d, U32, counter
          (the file has no value for it)

        Labels
          instance 7[5]: {"name":"\\xc3\\xa9t\\xc3\\xa9"}
          cluster 42: {}
        """
            .formatted(
                writer.metricAt(0),
                writer.metricAt(1),
                writer.metricAt(2),
                writer.metricAt(3),
                writer.metricAt(4),
                writer.metricAt(5),
                writer.metricAt(6),
                writer.metricAt(7));
    assertEquals(rest, run.out().substring(run.out().indexOf("\nInstance domain")));
    assertEquals("", run.err());
    assertEquals(0, run.status());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void jsonHasEverything(int version) throws IOException {
    MmvWriter writer = everything(version);
    ToolRun run = ToolRun.of("dump", "--json", writer.write(directory, "app"));
    assertEquals(0, run.status());
    assertTrue(run.out().chars().allMatch(c -> c == '\n' || (c >= ' ' && c <= '~')), run.out());
    Map<?, ?> root = (Map<?, ?>) parse(run.out());
    assertEquals("app", root.get("file"));
    assertEquals("1763620000", root.get("generation1"));
    assertEquals(List.of("SENTINEL"), root.get("flags"));
    assertEquals(
        "[{serial=7, shortHelp=queues, longHelp=first line\nsecond line,"
            + " instances=[{number=0, name=orders}, {number=5, name=na\u00efve}]}]",
        root.get("instanceDomains").toString());
    List<?> metrics = (List<?>) root.get("metrics");
    assertEquals(
        "{name=depth, offset=%d, item=1, type=I32, semantics=counter, units=, instanceDomain=7, values=[{instance=0, value=-4}, {instance=5, value=6}]}"
            .formatted(writer.metricAt(0)),
        metrics.get(0).toString());
    assertEquals(
        "{name=rate, offset=%d, item=2, type=DOUBLE, semantics=instant, units=Kbyte / sec, shortHelp=rate, longHelp=Kilobytes a second., values=[{value=13.75}]}"
            .formatted(writer.metricAt(1)),
        metrics.get(1).toString());
    assertEquals("[{value=18446744073709551614}]", field(metrics.get(2), "values"));
    assertEquals("no value at the moment", field(metrics.get(3), "noValue"));
    assertEquals("[{value=Infinity}]", field(metrics.get(4), "values"));
    assertEquals("[{value=run\u001b[2J}]", field(metrics.get(5), "values"));
    assertEquals(
        "[{of=instance, identity=7, instance=5, flags=32, labels={name=\u00e9t\u00e9}},"
            + " {of=cluster, identity=42, instance=-1, flags=136, labels={}}]",
        root.get("labels").toString());
    assertEquals(List.of(), root.get("faults"));
  }

  private static String field(Object object, String name) {
    return ((Map<?, ?>) object).get(name).toString();
  }

  @Test
  void aFileInFluxIsShownAndCalledSo() throws IOException {
    Path file = everything(2).write(directory, "app");
    MmvWriter.flux(file);
    ToolRun run = ToolRun.of("dump", file);
    assertTrue(run.out().contains("1763620000 and 0, in flux\n"), run.out());
    assertTrue(run.out().contains("\n  = 13.75\n"), run.out());
    assertTrue(run.out().contains("header at 8: in flux: its generations are 1763620000 and 0"));
    assertEquals(1, run.status());
    assertEquals(1, ((List<?>) ((Map<?, ?>) json(file)).get("faults")).size());
  }

  @Test
  void anEndedProcessIsShown() throws IOException {
    Path file = everything(2).flags(MmvWriter.PROCESS).pid(-7).write(directory, "app");
    ToolRun run = ToolRun.of("dump", file);
    assertTrue(run.out().contains("\n  process     -7, has ended: not served\n"), run.out());
    assertEquals("true", ((Map<?, ?>) json(file)).get("processGone"));
  }

  @Test
  void theRestOfADamagedFileIsShown() throws IOException {
    MmvWriter writer = everything(3);
    ByteBuffer image = writer.image();
    image.putLong(writer.metricAt(1), 70_000_000);
    Path file = MmvWriter.write(image, directory, "app");
    ToolRun run = ToolRun.of("dump", file);
    assertFalse(run.out().contains("Metric rate"), run.out());
    assertTrue(run.out().contains("Metric big"), run.out());
    String fault = "metric[1] at " + writer.metricAt(1) + ": name offset 70000000 is beyond";
    assertTrue(run.out().contains(fault), run.out());
    assertEquals(1, run.status());
    Map<?, ?> first = (Map<?, ?>) ((List<?>) ((Map<?, ?>) json(file)).get("faults")).getFirst();
    assertEquals("METRICS", first.get("section"));
    assertEquals("1", first.get("entry"));
    assertEquals(Integer.toString(writer.metricAt(1)), first.get("offset"));
  }

  @Test
  void theHeaderOfAnUnsupportedVersionIsShown() {
    ByteBuffer image = everything(3).image().putInt(MmvWriter.VERSION, 9);
    ToolRun run = ToolRun.of("dump", MmvWriter.write(image, directory, "app"));
    assertTrue(run.out().contains("version     9\n"), run.out());
    assertTrue(run.out().contains("METRICS: 8 entries from "), run.out());
    assertTrue(run.out().contains("header at 4: version 9 is not supported"), run.out());
    assertEquals(1, run.status());
  }

  @Test
  void nothingOfAnotherFileIsShown() throws IOException {
    Path secret = Files.writeString(directory.resolve("secret"), "secret ".repeat(10));
    assertEquals(
        "secret: 70 bytes\n\nFaults\n  secret: not an MMV file: it does not begin with \"MMV\""
            + " and a NUL byte\n",
        ToolRun.of("dump", secret).out());
    Path shorter = Files.writeString(directory.resolve("short"), "MMV");
    assertTrue(ToolRun.of("dump", shorter).out().contains("it has 3 bytes, a header has 40"));
  }

  @Test
  void whatIsNoFileIsReported() {
    ToolRun run = ToolRun.of("dump", directory.resolve("none"));
    assertEquals("jmmv: " + directory + "/none: No such file or directory\n", run.err());
    assertEquals(2, run.status());
    assertEquals(2, ToolRun.of("dump", directory).status());
    assertEquals(2, ToolRun.of("dump", "/").status());
    assertEquals(2, ToolRun.of("dump", "/dev/zero").status());
  }

  @Test
  void mutatedFilesAreShownInValidJson() throws IOException {
    Random random = new Random(17);
    for (int i = 0; i < 300; i++) {
      MmvWriter writer = everything(1 + i % 3);
      ByteBuffer image = writer.image();
      for (int changes = random.nextInt(8); changes >= 0; changes--) {
        int at = random.nextInt(image.limit() - 8);
        image.putLong(at & ~3, random.nextInt(4) == 0 ? random.nextLong() : random.nextInt(4096));
      }
      image.limit(random.nextInt(5) == 0 ? random.nextInt(image.limit()) : image.limit());
      Path file = MmvWriter.write(image, directory, "app");
      ToolRun run = ToolRun.of("dump", file);
      assertTrue(run.status() < 2, run.err());
      assertTrue(run.out().chars().allMatch(c -> c == '\n' || (c >= ' ' && c <= '~')), run.out());
      json(file);
    }
  }

  private static Object json(Path file) throws IOException {
    return parse(ToolRun.of("dump", file, "--json").out());
  }

  /** Parses JSON into maps, lists, and strings. */
  static Object parse(String json) throws IOException {
    try (JsonParser parser = new JsonFactory().createParser(json)) {
      parser.nextToken();
      Object value = value(parser);
      assertEquals(null, parser.nextToken());
      return value;
    }
  }

  private static Object value(JsonParser parser) throws IOException {
    if (parser.currentToken() == JsonToken.START_OBJECT) {
      Map<String, Object> object = new LinkedHashMap<>();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String name = parser.currentName();
        parser.nextToken();
        object.put(name, value(parser));
      }
      return object;
    }
    if (parser.currentToken() == JsonToken.START_ARRAY) {
      List<Object> list = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        list.add(value(parser));
      }
      return list;
    }
    return parser.getText();
  }
}
