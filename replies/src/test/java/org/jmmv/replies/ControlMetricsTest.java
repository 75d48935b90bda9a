package org.jmmv.replies;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.TextType;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Desc;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.InDomProfile;
import org.jmmv.protocol.InstanceReq;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.Instances;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.protocol.PmnsTraverse;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.Text;
import org.jmmv.protocol.TextReq;
import org.jmmv.protocol.Value;
import org.jmmv.protocol.ValueSet;
import org.jmmv.reader.watch.Limits;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the agent tells about the entries of the directory and about itself. */
class ControlMetricsTest {
  private static final String FILE = "mmv.control.file.";
  private static final String AGENT = "mmv.control.agent.";
  private static final int FILES = InDom.build(ServiceTester.DOMAIN, 0);

  private static final Map<Integer, String> TYPES =
      Map.of(ValueType.U32, "U32", ValueType.U64, "U64", ValueType.STRING, "STRING");

  @TempDir Path root;
  private ServiceTester tester;

  @BeforeEach
  void start() {
    tester = new ServiceTester(root);
  }

  @AfterEach
  void stop() {
    tester.close();
  }

  private void restart() {
    stop();
    start();
  }

  private static MmvWriter sound() {
    MmvWriter writer = new MmvWriter(2);
    writer.metric("m", 1, ValueType.I64).value(1);
    return writer;
  }

  /** The numbers of all instances by their names. */
  private Map<String, Integer> instances() {
    return tester
        .ask(Instances.class, new InstanceReq(0, FILES, Instance.NULL, ""))
        .instances()
        .stream()
        .collect(toMap(Instance::name, Instance::number, (_, _) -> -1, TreeMap::new));
  }

  /** The values of a metric by the names of their instances. */
  private Map<String, String> ofFiles(String metric) {
    Map<Integer, String> names = new TreeMap<>();
    instances().forEach((name, number) -> names.put(number, name));
    ValueSet set = tester.fetch(tester.pmid(FILE + metric)).sets().getFirst();
    Map<String, String> values = new TreeMap<>();
    set.values().forEach(value -> values.put(names.get(value.instance()), value.value().asText()));
    return values;
  }

  private String ofAgent(String metric) {
    return tester.values(tester.pmid(AGENT + metric));
  }

  // ---------------------------------------------------------------- files

  @Test
  void eachEntryIsAnInstanceWithItsStateAndReason() throws IOException {
    MmvWriter partly = sound();
    partly.metric("bad-name", 2, ValueType.I64).value(1);
    tester.write("partly", partly);
    tester.write("sound", sound());
    tester.write("text", new byte[100]);
    MmvWriter.flux(tester.write("a b", sound()));
    Files.createDirectory(tester.directory().resolve(".x"));

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
    assertEquals("2", tester.values(ServiceTester.pmid(0, ServiceTester.FILES)), "as before");
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
    tester.write("odd", odd);
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
    MmvWriter.write(image, tester.directory(), "app");
    tester.names();
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
    Path away = tester.directory().resolveSibling("away");
    Files.move(tester.directory(), away);
    awaitUnreadable("1");
    Files.move(away, tester.directory());
    awaitUnreadable("0");
  }

  /** Asks until the directories have been looked up by their paths, once a second. */
  private void awaitUnreadable(String count) {
    for (long end = System.nanoTime() + 10_000_000_000L; System.nanoTime() < end; ) {
      tester.names();
      if (ofAgent("unreadable").equals(count)) {
        return;
      }
    }
    assertEquals(count, ofAgent("unreadable"));
  }

  @Test
  void namesLeftOutBecauseOfOtherFilesCount() {
    tester.write("a", sound().flags(MmvWriter.NOPREFIX).cluster(5));
    tester.write("b", sound().flags(MmvWriter.NOPREFIX).cluster(6));
    assertEquals(Map.of("a", "0", "b", "1"), ofFiles("skipped"));
    assertTrue(
        ofFiles("reason").get("b").endsWith("the name mmv.m is taken by file a, left out"),
        ofFiles("reason")::toString);
    tester.delete("a");
    assertEquals(Map.of("b", "0"), ofFiles("skipped"));
  }

  @Test
  void aProfileSelectsFiles() {
    tester.write("a", sound());
    tester.write("b", sound());
    int b = instances().get("b");
    int state = tester.pmid(FILE + "state");
    tester.send(new Profile(0, 0, true, List.of(new InDomProfile(FILES, false, b))));
    assertEquals(b + "=1", tester.values(state));
    tester.send(new Profile(0, 0, true, List.of(new InDomProfile(FILES, true, b))));
    assertEquals(instances().get("a") + "=1", tester.values(state));
    tester.send(new Profile(0, 0, false, List.of()));
    assertEquals("", tester.values(state));
  }

  @Test
  void aFileKeepsItsNumberAcrossRestarts() {
    tester.write("abc", sound());
    tester.write("z", sound());
    Map<String, Integer> before = instances();
    assertEquals(0x3a7816bf, before.get("abc"), "the beginning of its SHA-256 without the sign");
    tester.delete("z");
    tester.write("a", sound());
    restart();
    assertEquals(before.get("abc"), instances().get("abc"));
    tester.write("z", sound());
    assertEquals(before.get("z"), instances().get("z"));
  }

  @Test
  void instancesAreFoundByNumberAndByName() {
    tester.write("a b", sound());
    int number = instances().get("a\\x20b");
    assertEquals(
        List.of(new Instance(number, "")),
        tester
            .ask(Instances.class, new InstanceReq(0, FILES, Instance.NULL, "a\\x20b"))
            .instances());
    assertEquals(
        List.of(new Instance(Instance.NULL, "a\\x20b")),
        tester.ask(Instances.class, new InstanceReq(0, FILES, number, "")).instances());
    tester.assertError(PmError.INST, new InstanceReq(0, FILES, Instance.NULL, "a"));
    tester.assertError(PmError.INST, new InstanceReq(0, FILES, number + 1, ""));
  }

  @Test
  void atMostTwentyThousandEntriesAreInstances() throws IOException {
    for (int i = 0; i < 19_500; i++) {
      Files.createFile(tester.directory().resolve("file" + i));
    }
    for (int i = 0; i < 2_000; i++) {
      Files.createSymbolicLink(tester.directory().resolve("link" + i), Path.of("nothing"));
    }
    tester.write("sound", sound());
    tester.names();
    tester.idle();
    assertEquals(20_000, instances().size());
    assertTrue(instances().containsKey("sound"));
    assertEquals(
        20_000, tester.fetch(tester.pmid(FILE + "reason")).sets().getFirst().values().size());
  }

  @Test
  void repeatedRequestsForAllStatusesAreBounded() throws IOException {
    for (int i = 0; i < 1_000; i++) {
      Files.createFile(tester.directory().resolve("file" + i));
    }
    tester.names();
    tester.idle();
    int[] pmids = new int[10_000];
    Arrays.fill(pmids, tester.pmid(FILE + "reason"));
    tester.assertError(PmError.GENERIC, Fetch.of(0, 0, pmids));
  }

  // ---------------------------------------------------------------- the agent

  @Test
  void fetchesAndTheirValuesAreCounted() {
    tester.write("app", sound());
    int m = tester.pmid("mmv.app.m");
    assertEquals("0", ofAgent("fetches"));
    tester.fetch(m, m, ServiceTester.pmid(0, ServiceTester.FILES), ServiceTester.pmid(9, 9));
    assertEquals("2", ofAgent("fetches"));
    assertEquals("5", ofAgent("values"), "1, 3 and 1");
    assertTrue(Long.parseLong(ofAgent("fetch_time")) > 0);
  }

  @Test
  void theAgentTellsItsLimitsAndWhatIsUsed() {
    tester.close();
    tester = new ServiceTester(root, 700, Limits.DEFAULT);
    tester.write("app", sound());
    tester.names();
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
    List<String> names =
        tester.ask(PmnsNames.class, new PmnsTraverse(0, "mmv.control")).names().stream()
            .filter(name -> name.startsWith(FILE) || name.startsWith(AGENT))
            .toList();
    Map<Integer, String> lines = new TreeMap<>();
    for (String name : names) {
      Desc desc = tester.ask(Desc.class, new DescReq(0, tester.pmid(name)));
      lines.put(
          desc.pmid(),
          String.join(
              ", ",
              Pmid.toString(desc.pmid()),
              name.substring("mmv.control.".length()),
              TYPES.get(desc.valueType()),
              desc.inDom() == FILES ? "MMV files" : "singular",
              Semantics.toString(desc.semantics()),
              desc.units() == 0 ? "none" : Units.of(desc.units()).toString()));
    }
    assertEquals(
        """
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
        70.0.240, agent.used.files, U64, singular, instant, count
        70.0.241, agent.used.metrics, U64, singular, instant, count
        70.0.242, agent.used.instances, U64, singular, instant, count
        70.0.243, agent.used.values, U64, singular, instant, count
        70.0.244, agent.used.labels, U64, singular, instant, count
        70.0.245, agent.used.memory, U64, singular, instant, byte
        """,
        lines.values().stream().collect(joining("\n", "", "\n")));
  }

  @Test
  void allHaveHelp() {
    for (String name : tester.ask(PmnsNames.class, new PmnsTraverse(0, "mmv.control")).names()) {
      assertHelps(tester.pmid(name), TextType.PMID);
    }
    assertHelps(FILES, TextType.INDOM);
  }

  private void assertHelps(int ident, int type) {
    String line = tester.ask(Text.class, new TextReq(0, ident, type | TextType.ONELINE)).text();
    String text = tester.ask(Text.class, new TextReq(0, ident, type | TextType.HELP)).text();
    assertTrue(line.length() > 10 && !line.contains("\n"), line);
    assertTrue(text.length() > 10, text);
  }

  @Test
  void nothingCanBeStored() {
    for (String name : List.of(FILE + "state", AGENT + "fetches")) {
      List<InstanceValue> one = List.of(new InstanceValue(Instance.NULL, new Value.Word(1)));
      ValueSet set = ValueSet.of(tester.pmid(name), one);
      tester.assertError(PmError.PERMISSION, new Result(0, 0, -1, List.of(set)));
    }
  }

  /** In a file, serial 0 stands for no instance domain, so that only its definition is lost. */
  @Test
  void noFileGetsTheInstanceDomainOfTheAgent() {
    MmvWriter writer = new MmvWriter(2).cluster(2048);
    writer.inDom(0).instance(1, "stranger");
    writer.metric("m", 1, ValueType.I64).value(1);
    tester.write("app", writer);
    assertEquals("[app]", instances().keySet().toString());
  }

  // ---------------------------------------------------------------- the log

  @Test
  void theLogTellsWhyEntriesAreSkippedIfADebugOptionIsOn() throws IOException {
    Files.createSymbolicLink(tester.directory().resolve("link"), Path.of("nothing"));
    MmvWriter.flux(tester.write("app", sound()));
    tester.names();
    assertEquals(List.of(), notServed());
    ValueSet debug =
        ValueSet.of(
            ServiceTester.pmid(0, ServiceTester.DEBUG),
            List.of(new InstanceValue(Instance.NULL, Value.ofText("appl0"))));
    tester.ask(new Result(0, 0, -1, List.of(debug)));
    tester.names();
    tester.names();
    List<String> both =
        List.of(
            "app: not served: its application is writing it: its generations differ or are 0",
            "link: not served: a symbolic link whose target does not exist or can't be reached");
    assertEquals(both, notServed());
    tester.write("app", sound());
    tester.names();
    assertEquals(both, notServed());
    MmvWriter.flux(tester.write("app", sound()));
    tester.names();
    assertEquals(3, notServed().size(), "a state that it has again is told again");
  }

  private List<String> notServed() {
    return tester.log().messages().stream()
        .filter(line -> line.contains(": not served: "))
        .toList();
  }
}
