package org.jmmv.core;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;
import static org.jmmv.core.TestCatalog.ENTRIES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What the agent tells about the entries of the directory and about itself. */
class ControlMetricsTest {
  private static final String FILE = "mmv.control.file.";
  private static final String AGENT = "mmv.control.agent.";

  private static final Map<Integer, String> TYPES =
      Map.of(
          ValueType.I32, "I32",
          ValueType.U32, "U32",
          ValueType.U64, "U64",
          ValueType.STRING, "STRING");

  @AutoClose private final TestCatalog catalog = new TestCatalog();

  private static MmvWriter sound() {
    MmvWriter writer = new MmvWriter(2);
    writer.metric("m", 1, ValueType.I64).value(1);
    return writer;
  }

  /** The numbers of all instances by their names. */
  private Map<String, Integer> instances() {
    return catalog.inDom(ENTRIES).table().list().stream()
        .collect(toMap(Instance::name, Instance::number, (_, _) -> -1, TreeMap::new));
  }

  /** The values of a metric by the names of their instances. */
  private Map<String, String> ofFiles(String metric) {
    View view = catalog.view();
    Metric read = view.metric(FILE + metric);
    InstanceDomain entries = view.instances(ENTRIES);
    RecordingSink sink = new RecordingSink();
    sink.readAll(view, read, InstanceFilter.ALL);
    Map<String, String> values = new TreeMap<>();
    for (String value : sink.numbers()) {
      String[] parts = value.split("=", 2);
      values.put(
          entries.table().name(entries.table().indexOf(Integer.parseInt(parts[0]))), parts[1]);
    }
    return values;
  }

  private String ofAgent(String metric) {
    return catalog.values(AGENT + metric);
  }

  // ---------------------------------------------------------------- files

  @Test
  void eachEntryIsAnInstanceWithItsStateAndReason() throws IOException {
    MmvWriter partly = sound();
    partly.metric("bad-name", 2, ValueType.I64).value(1);
    catalog.write("partly", partly);
    catalog.write("sound", sound());
    catalog.write("text", new byte[100]);
    MmvWriter.flux(catalog.write("a b", sound()));
    Files.createDirectory(catalog.directory().resolve(".x"));

    assertEquals(
        Map.of("partly", "1", "sound", "1", "text", "2", "a\\x20b", "2", ".x", "20"),
        ofFiles("state"));
    assertEquals(
        Map.of(
            "partly", "served",
            "sound", "served",
            "text", "in flux",
            "a\\x20b", "in flux",
            ".x", "hidden"),
        ofFiles("state_name"));
    Map<String, String> reasons = ofFiles("reason");
    assertEquals("", reasons.get("sound"));
    assertEquals("its name begins with a dot", reasons.get(".x"));
    assertTrue(
        reasons
            .get("partly")
            .matches("1 of 2 metrics served; metric\\[1\\] at \\d+: the name \"bad-name\" .*"),
        reasons.get("partly"));
    Map<String, String> none = Map.of("text", "0", "a\\x20b", "0", ".x", "0");
    assertEquals(with(none, "partly", "1", "sound", "1"), ofFiles("metrics"));
    assertEquals(with(none, "partly", "1", "sound", "0"), ofFiles("skipped"));
    assertEquals("1", ofFiles("loads").get("sound"));
    assertEquals(with(none, "partly", "1", "sound", "0"), ofFiles("faults"));
    assertEquals("2", catalog.values(TestCatalog.FILES), "as before");
  }

  private static Map<String, String> with(Map<String, String> more, String... entries) {
    Map<String, String> all = new TreeMap<>(more);
    for (int i = 0; i < entries.length; i += 2) {
      all.put(entries[i], entries[i + 1]);
    }
    return all;
  }

  @Test
  void hintsAreCountedApart() {
    MmvWriter odd = sound();
    odd.inDom(3).instance(0, "a").instance(1, "a").instance(2, "a");
    odd.metric("units", 2, ValueType.U32).units(0x48).value(1);
    catalog.write("odd", odd);
    assertEquals(Map.of("odd", "3"), ofFiles("hints"));
    assertEquals(Map.of("odd", "0"), ofFiles("faults"));
    assertEquals(Map.of("odd", "0"), ofFiles("skipped"));
    assertEquals(Map.of("odd", ""), ofFiles("reason"));
  }

  @Test
  void aFileWithoutAValuesSectionHasAFaultAndNoMetricsThatAreServed() {
    MmvWriter writer = sound();
    ByteBuffer image = writer.image();
    image.putInt(writer.tocAt(MmvWriter.VALUES), MmvWriter.STRINGS);
    MmvWriter.write(image, catalog.directory(), "app");
    catalog.names();
    assertEquals(Map.of("app", "1"), ofFiles("faults"));
    assertEquals(Map.of("app", "1"), ofFiles("skipped"));
    assertEquals(Map.of("app", "0"), ofFiles("metrics"));
    assertEquals(
        Map.of("app", "0 of 1 metrics served; there is no VALUES section, no metric has a value"),
        ofFiles("reason"));
  }

  @Test
  void directoriesThatAreMissingAreCounted() throws IOException {
    assertEquals("1", ofAgent("directories"));
    assertEquals("0", ofAgent("unreadable"));
    Path away = catalog.directory().resolveSibling("away");
    Files.move(catalog.directory(), away);
    awaitUnreadable("1");
    Files.move(away, catalog.directory());
    awaitUnreadable("0");
  }

  /** Asks until the directories have been looked up by their paths, once a second. */
  private void awaitUnreadable(String count) {
    for (long end = System.nanoTime() + 10_000_000_000L; System.nanoTime() < end; ) {
      catalog.names();
      if (ofAgent("unreadable").equals(count)) {
        return;
      }
    }
    assertEquals(count, ofAgent("unreadable"));
  }

  @Test
  void namesLeftOutBecauseOfOtherFilesCount() {
    catalog.write("a", sound().flags(MmvWriter.NOPREFIX).cluster(5));
    catalog.write("b", sound().flags(MmvWriter.NOPREFIX).cluster(6));
    assertEquals(Map.of("a", "0", "b", "1"), ofFiles("skipped"));
    assertTrue(
        ofFiles("reason").get("b").endsWith("the name mmv.m is taken by file a, left out"),
        ofFiles("reason")::toString);
    catalog.delete("a");
    assertEquals(Map.of("b", "0"), ofFiles("skipped"));
    assertEquals(Map.of("b", ""), ofFiles("reason"));
    catalog.write("a", sound().flags(MmvWriter.NOPREFIX).cluster(5));
    assertTrue(
        ofFiles("reason").get("b").endsWith("the name mmv.m is taken by file a, left out"),
        ofFiles("reason")::toString);
  }

  @Test
  void aConflictDoesNotHideAnotherOne() {
    MmvWriter three = new MmvWriter(1).flags(MmvWriter.NOPREFIX).cluster(7);
    for (int i = 0; i < 3; i++) {
      three.metric("m" + i, i, ValueType.I32).value(1);
    }
    catalog.write("c", three);
    for (int i = 0; i < 2; i++) {
      MmvWriter one = new MmvWriter(1).flags(MmvWriter.NOPREFIX).cluster(5 + i);
      one.metric("m" + i, 1, ValueType.I32).value(1);
      catalog.write("a" + i, one);
      catalog.names();
    }
    String reason = ofFiles("reason").get("c");
    assertTrue(reason.startsWith("1 of 3 metrics served; "), reason);
    assertTrue(
        reason.endsWith("the name mmv.m0 is taken by file a0, left out (and 1 more like it)"),
        reason);
  }

  @Test
  void aProfileSelectsFiles() {
    catalog.write("a", sound());
    catalog.write("b", sound());
    int b = instances().get("b");
    int state = catalog.pmid(FILE + "state");
    InstanceFilter filter = new InstanceFilter(true);
    filter.set(ENTRIES, false, b);
    assertEquals(List.of(b + "=1"), catalog.values(filter, state));
    filter.set(ENTRIES, true, b);
    assertEquals(List.of(instances().get("a") + "=1"), catalog.values(filter, state));
    assertEquals(List.of("no value"), catalog.values(new InstanceFilter(false), state));
  }

  @Test
  void aFileKeepsItsNumberAcrossRestarts() {
    catalog.write("abc", sound());
    catalog.write("z", sound());
    Map<String, Integer> before = instances();
    catalog.delete("z");
    catalog.write("a", sound());
    catalog.restart();
    assertEquals(before.get("abc"), instances().get("abc"));
    catalog.write("z", sound());
    assertEquals(before.get("z"), instances().get("z"));
  }

  @Test
  void instancesAreFoundByNumberAndByName() {
    catalog.write("a b", sound());
    int number = instances().get("a\\x20b");
    InstanceDomain entries = catalog.inDom(ENTRIES);
    assertEquals(0, entries.table().indexOf("a\\x20b"));
    assertEquals(0, entries.table().indexOf(number));
    assertEquals(-1, entries.table().indexOf("a"));
    assertEquals(-1, entries.table().indexOf(number + 1));
  }

  @Test
  void atMostTwentyThousandEntriesAreInstances() throws IOException {
    for (int i = 0; i < 19_500; i++) {
      Files.createFile(catalog.directory().resolve("file" + i));
    }
    for (int i = 0; i < 2_000; i++) {
      Files.createSymbolicLink(catalog.directory().resolve("link" + i), Path.of("nothing"));
    }
    catalog.write("sound", sound());
    catalog.idle();
    assertEquals(20_000, instances().size());
    assertTrue(ofFiles("reason").containsKey("sound"));
    assertEquals(20_000, ofFiles("reason").size());
  }

  // ---------------------------------------------------------------- the agent

  @Test
  void theAgentTellsItsLimitsAndWhatIsUsed() {
    catalog.write("app", sound());
    catalog.names();
    assertEquals("1.2.3", ofAgent("version"));
    assertEquals("0", ofAgent("uptime"));
    assertEquals("20000", ofAgent("limits.files"));
    assertEquals("1", ofAgent("used.files"));
    assertEquals("1", ofAgent("used.metrics"));
    assertEquals("1", ofAgent("used.values"));
    assertEquals("0", ofAgent("used.labels"));
    assertTrue(Long.parseLong(ofAgent("used.memory")) > 0);
    assertTrue(Long.parseLong(ofAgent("refresh_time")) > 0);
  }

  // ---------------------------------------------------------------- metadata

  /** Archives have the PMIDs and descriptors. */
  @Test
  void descriptorsNeverChange() {
    View view = catalog.view();
    Map<Integer, String> lines = new TreeMap<>();
    for (String name : view.names().leaves("mmv.control")) {
      Metric metric = view.metric(name);
      lines.put(
          metric.pmid(),
          String.join(
              ", ",
              Pmid.toString(metric.pmid()),
              name.substring("mmv.control.".length()),
              TYPES.get(metric.type()),
              metric.inDom() == ENTRIES ? "MMV files" : "singular",
              Semantics.toString(metric.semantics()),
              metric.units() == 0 ? "none" : Units.of(metric.units()).toString()));
    }
    assertEquals(
        """
        70.0.0, reload, I32, singular, instant, none
        70.0.1, debug, STRING, singular, instant, none
        70.0.2, files, I32, singular, instant, none
        70.0.3, metrics, I32, singular, instant, none
        70.0.100, file.state, U32, MMV files, discrete, none
        70.0.101, file.state_name, STRING, MMV files, discrete, none
        70.0.102, file.reason, STRING, MMV files, discrete, none
        70.0.103, file.metrics, U64, MMV files, instant, count
        70.0.105, file.skipped, U64, MMV files, instant, count
        70.0.111, file.loads, U64, MMV files, counter, count
        70.0.113, file.faults, U64, MMV files, counter, count
        70.0.116, file.writer, U32, MMV files, discrete, none
        70.0.117, file.hints, U64, MMV files, instant, count
        70.0.200, agent.version, STRING, singular, discrete, none
        70.0.201, agent.uptime, U64, singular, instant, sec
        70.0.202, agent.fetches, U64, singular, counter, count
        70.0.203, agent.values, U64, singular, counter, count
        70.0.204, agent.fetch_time, U64, singular, counter, nanosec
        70.0.205, agent.refresh_time, U64, singular, counter, nanosec
        70.0.208, agent.directories, U64, singular, instant, count
        70.0.209, agent.unreadable, U64, singular, instant, count
        70.0.210, agent.longest_step, U64, singular, instant, nanosec
        70.0.221, agent.limits.files, U64, singular, discrete, count
        70.0.222, agent.limits.metrics, U64, singular, discrete, count
        70.0.223, agent.limits.instances, U64, singular, discrete, count
        70.0.224, agent.limits.values, U64, singular, discrete, count
        70.0.225, agent.limits.labels, U64, singular, discrete, count
        70.0.226, agent.limits.memory, U64, singular, discrete, Mbyte
        70.0.227, agent.limits.clusters, U64, singular, discrete, count
        70.0.240, agent.used.files, U64, singular, instant, count
        70.0.241, agent.used.metrics, U64, singular, instant, count
        70.0.242, agent.used.instances, U64, singular, instant, count
        70.0.243, agent.used.values, U64, singular, instant, count
        70.0.244, agent.used.labels, U64, singular, instant, count
        70.0.245, agent.used.memory, U64, singular, instant, byte
        70.0.246, agent.used.clusters, U64, singular, instant, count
        """,
        lines.values().stream().collect(joining("\n", "", "\n")));
  }

  @Test
  void allHaveHelp() {
    View view = catalog.view();
    for (String name : view.names().leaves("mmv.control")) {
      assertHelps(view.metric(name).oneLine(), view.metric(name).help());
    }
    assertHelps(view.instances(ENTRIES).oneLine(), view.instances(ENTRIES).help());
    assertEquals(2, view.metric("mmv.control.reload").help().lines().count());
  }

  private static void assertHelps(String line, String text) {
    assertTrue(line.length() > 10 && !line.contains("\n"), line);
    assertTrue(text.length() > 10 && text.equals(text.strip()), text);
    assertFalse(text.contains("#") || text.contains("@"), text); // a comment, or the next entry
  }

  @Test
  void nothingCanBeStored() {
    for (String name : List.of(FILE + "state", AGENT + "fetches")) {
      assertFalse(catalog.metric(name).isStorable());
    }
  }

  /** In a file, serial 0 stands for no instance domain, so that only its definition is lost. */
  @Test
  void noFileGetsTheInstanceDomainOfTheAgent() {
    MmvWriter writer = new MmvWriter(2).cluster(2048);
    writer.inDom(0).instance(1, "stranger");
    writer.metric("m", 1, ValueType.I64).value(1);
    catalog.write("app", writer);
    assertEquals("[app]", instances().keySet().toString());
  }

  // ---------------------------------------------------------------- the log

  @Test
  void theLogTellsWhyEntriesAreSkippedIfADebugOptionIsOn() throws IOException {
    Files.createSymbolicLink(catalog.directory().resolve("link"), Path.of("nothing"));
    MmvWriter.flux(catalog.write("app", sound()));
    catalog.names();
    assertEquals(List.of(), notServed());
    assertNull(catalog.metric(TestCatalog.DEBUG).store("appl0", PmcdClients.NONE));
    catalog.names();
    catalog.names();
    List<String> both =
        List.of(
            "app: not served: its application is writing it: its generations differ or are 0",
            "link: not served: a symbolic link whose target does not exist or can't be reached");
    assertEquals(both, notServed());
    catalog.write("app", sound());
    catalog.names();
    assertEquals(both, notServed());
    MmvWriter.flux(catalog.write("app", sound()));
    catalog.names();
    assertEquals(3, notServed().size(), "a state that it has again is told again");
  }

  private List<String> notServed() {
    return catalog.log().messages().stream()
        .filter(line -> line.contains(": not served: "))
        .toList();
  }
}
