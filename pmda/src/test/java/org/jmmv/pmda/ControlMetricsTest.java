package org.jmmv.pmda;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
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
import org.jmmv.reader.Limits;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the agent tells about the entries of the directory and about itself. */
class ControlMetricsTest {
  private static final String FILE = "mmv.control.file.";
  private static final String AGENT = "mmv.control.agent.";
  private static final int FILES = InDom.build(AgentTester.DOMAIN, 0);

  private static final Map<Integer, String> TYPES =
      Map.of(ValueType.U32, "U32", ValueType.U64, "U64", ValueType.STRING, "STRING");

  @TempDir Path root;
  private AgentTester agent;

  @BeforeEach
  void start() {
    agent = new AgentTester(root);
  }

  @AfterEach
  void stop() {
    agent.close();
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
    return agent
        .ask(Instances.class, new InstanceReq(0, FILES, Instance.NULL, ""))
        .instances()
        .stream()
        .collect(toMap(Instance::name, Instance::number, (_, _) -> -1, TreeMap::new));
  }

  /** The values of a metric by the names of their instances. */
  private Map<String, String> ofFiles(String metric) {
    Map<Integer, String> names = new TreeMap<>();
    instances().forEach((name, number) -> names.put(number, name));
    ValueSet set = agent.fetch(agent.pmid(FILE + metric)).sets().getFirst();
    Map<String, String> values = new TreeMap<>();
    set.values().forEach(value -> values.put(names.get(value.instance()), value.value().asText()));
    return values;
  }

  private String ofAgent(String metric) {
    return agent.values(agent.pmid(AGENT + metric));
  }

  // ---------------------------------------------------------------- files

  @Test
  void eachEntryIsAnInstanceWithItsStateAndReason() throws IOException {
    MmvWriter partly = sound();
    partly.metric("bad-name", 2, ValueType.I64).value(1);
    agent.write("partly", partly);
    agent.write("sound", sound());
    agent.write("text", new byte[100]);
    MmvWriter.flux(agent.write("a b", sound()));
    Files.createDirectory(agent.directory().resolve(".x"));

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
    assertEquals("2", agent.values(AgentTester.pmid(0, AgentTester.FILES)), "as before");
  }

  private static Map<String, String> with(Map<String, String> more, String... entries) {
    Map<String, String> all = new TreeMap<>(more);
    for (int i = 0; i < entries.length; i += 2) {
      all.put(entries[i], entries[i + 1]);
    }
    return all;
  }

  @Test
  void namesLeftOutBecauseOfOtherFilesCount() {
    agent.write("a", sound().flags(MmvWriter.NOPREFIX).cluster(5));
    agent.write("b", sound().flags(MmvWriter.NOPREFIX).cluster(6));
    assertEquals(Map.of("a", "0", "b", "1"), ofFiles("skipped"));
    assertTrue(
        ofFiles("reason").get("b").endsWith("the name mmv.m is taken by file a, left out"),
        ofFiles("reason")::toString);
    agent.delete("a");
    assertEquals(Map.of("b", "0"), ofFiles("skipped"));
  }

  @Test
  void aProfileSelectsFiles() {
    agent.write("a", sound());
    agent.write("b", sound());
    int b = instances().get("b");
    int state = agent.pmid(FILE + "state");
    agent.send(new Profile(0, 0, true, List.of(new InDomProfile(FILES, false, b))));
    assertEquals(b + "=1", agent.values(state));
    agent.send(new Profile(0, 0, true, List.of(new InDomProfile(FILES, true, b))));
    assertEquals(instances().get("a") + "=1", agent.values(state));
    agent.send(new Profile(0, 0, false, List.of()));
    assertEquals("", agent.values(state));
  }

  @Test
  void aFileKeepsItsNumberAcrossRestarts() {
    agent.write("abc", sound());
    agent.write("z", sound());
    Map<String, Integer> before = instances();
    assertEquals(0x3a7816bf, before.get("abc"), "the beginning of its SHA-256 without the sign");
    agent.delete("z");
    agent.write("a", sound());
    restart();
    assertEquals(before.get("abc"), instances().get("abc"));
    agent.write("z", sound());
    assertEquals(before.get("z"), instances().get("z"));
  }

  @Test
  void instancesAreFoundByNumberAndByName() {
    agent.write("a b", sound());
    int number = instances().get("a\\x20b");
    assertEquals(
        List.of(new Instance(number, "")),
        agent
            .ask(Instances.class, new InstanceReq(0, FILES, Instance.NULL, "a\\x20b"))
            .instances());
    assertEquals(
        List.of(new Instance(Instance.NULL, "a\\x20b")),
        agent.ask(Instances.class, new InstanceReq(0, FILES, number, "")).instances());
    agent.assertError(PmError.INST, new InstanceReq(0, FILES, Instance.NULL, "a"));
    agent.assertError(PmError.INST, new InstanceReq(0, FILES, number + 1, ""));
  }

  @Test
  void atMostTwentyThousandEntriesAreInstances() throws IOException {
    for (int i = 0; i < 19_500; i++) {
      Files.createFile(agent.directory().resolve("file" + i));
    }
    for (int i = 0; i < 2_000; i++) {
      Files.createSymbolicLink(agent.directory().resolve("link" + i), Path.of("nothing"));
    }
    agent.write("sound", sound());
    agent.names();
    agent.idle();
    assertEquals(20_000, instances().size());
    assertTrue(instances().containsKey("sound"));
    assertEquals(
        20_000, agent.fetch(agent.pmid(FILE + "reason")).sets().getFirst().values().size());
  }

  @Test
  void repeatedRequestsForAllStatusesAreBounded() throws IOException {
    for (int i = 0; i < 1_000; i++) {
      Files.createFile(agent.directory().resolve("file" + i));
    }
    agent.names();
    agent.idle();
    int[] pmids = new int[10_000];
    Arrays.fill(pmids, agent.pmid(FILE + "reason"));
    agent.assertError(PmError.GENERIC, Fetch.of(0, 0, pmids));
  }

  // ---------------------------------------------------------------- the agent

  @Test
  void fetchesAndTheirValuesAreCounted() {
    agent.write("app", sound());
    int m = agent.pmid("mmv.app.m");
    assertEquals("0", ofAgent("fetches"));
    agent.fetch(m, m, AgentTester.pmid(0, AgentTester.FILES), AgentTester.pmid(9, 9));
    assertEquals("2", ofAgent("fetches"));
    assertEquals("5", ofAgent("values"), "1, 3 and 1");
    assertTrue(Long.parseLong(ofAgent("fetch_time")) > 0);
  }

  @Test
  void theAgentTellsItsLimitsAndWhatIsUsed() {
    agent.close();
    agent = new AgentTester(root, 7, Limits.DEFAULT);
    agent.write("app", sound());
    agent.names();
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
        agent.ask(PmnsNames.class, new PmnsTraverse(0, "mmv.control")).names().stream()
            .filter(name -> name.startsWith(FILE) || name.startsWith(AGENT))
            .toList();
    Map<Integer, String> lines = new TreeMap<>();
    for (String name : names) {
      Desc desc = agent.ask(Desc.class, new DescReq(0, agent.pmid(name)));
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
        70.0.200, agent.version, STRING, singular, discrete, none
        70.0.201, agent.uptime, U64, singular, instant, sec
        70.0.202, agent.fetches, U64, singular, counter, count
        70.0.203, agent.values, U64, singular, counter, count
        70.0.204, agent.fetch_time, U64, singular, counter, nanosec
        70.0.205, agent.refresh_time, U64, singular, counter, nanosec
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
    for (String name : agent.ask(PmnsNames.class, new PmnsTraverse(0, "mmv.control")).names()) {
      assertHelps(agent.pmid(name), TextType.PMID);
    }
    assertHelps(FILES, TextType.INDOM);
  }

  private void assertHelps(int ident, int type) {
    String line = agent.ask(Text.class, new TextReq(0, ident, type | TextType.ONELINE)).text();
    String text = agent.ask(Text.class, new TextReq(0, ident, type | TextType.HELP)).text();
    assertTrue(line.length() > 10 && !line.contains("\n"), line);
    assertTrue(text.length() > 10, text);
  }

  @Test
  void nothingCanBeStored() {
    for (String name : List.of(FILE + "state", AGENT + "fetches")) {
      List<InstanceValue> one = List.of(new InstanceValue(Instance.NULL, new Value.Word(1)));
      ValueSet set = ValueSet.of(agent.pmid(name), one);
      agent.assertError(PmError.PERMISSION, new Result(0, 0, -1, List.of(set)));
    }
  }

  /** In a file, serial 0 stands for no instance domain, so that only its definition is lost. */
  @Test
  void noFileGetsTheInstanceDomainOfTheAgent() {
    MmvWriter writer = new MmvWriter(2).cluster(2048);
    writer.inDom(0).instance(1, "stranger");
    writer.metric("m", 1, ValueType.I64).value(1);
    agent.write("app", writer);
    assertEquals("[app]", instances().keySet().toString());
  }

  // ---------------------------------------------------------------- the log

  @Test
  void theLogTellsWhyEntriesAreSkippedIfADebugOptionIsOn() throws IOException {
    Files.createSymbolicLink(agent.directory().resolve("link"), Path.of("nothing"));
    MmvWriter.flux(agent.write("app", sound()));
    agent.names();
    assertEquals(List.of(), notServed());
    ValueSet debug =
        ValueSet.of(
            AgentTester.pmid(0, AgentTester.DEBUG),
            List.of(new InstanceValue(Instance.NULL, Value.ofText("appl0"))));
    agent.ask(new Result(0, 0, -1, List.of(debug)));
    agent.names();
    agent.names();
    List<String> both =
        List.of(
            "app: not served: its application is writing it: its generations differ or are 0",
            "link: not served: a symbolic link whose target does not exist or can't be reached");
    assertEquals(both, notServed());
    agent.write("app", sound());
    agent.names();
    assertEquals(both, notServed());
    MmvWriter.flux(agent.write("app", sound()));
    agent.names();
    assertEquals(3, notServed().size(), "a state that it has again is told again");
  }

  private List<String> notServed() {
    return agent.log().messages().stream().filter(line -> line.contains(": not served: ")).toList();
  }

  @Test
  void theFirstLineOfTheLogTellsWhatIsServed() {
    agent.write("a", sound());
    agent.write("b", sound());
    restart();
    assertEquals(
        List.of(
            "version 1.2.3: 2 metrics of 2 files in %s are served".formatted(agent.directory())),
        agent.log().messages());
    assertEquals(List.of(), agent.log().warnings());
  }
}
