package org.jmmv.pmda;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.util.stream.Collectors.joining;
import static org.jmmv.pmda.AgentTester.inDom;
import static org.jmmv.pmda.AgentTester.pmid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.TextType;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Desc;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.InstanceReq;
import org.jmmv.protocol.Instances;
import org.jmmv.protocol.PmnsIds;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.protocol.Text;
import org.jmmv.protocol.TextReq;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What several files make up together, and how that changes. */
class CatalogTest {
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
    agent.close();
    agent = new AgentTester(root);
  }

  /** A file with one metric, item 1. */
  private static MmvWriter file(int cluster, String metric) {
    MmvWriter file = new MmvWriter(2).cluster(cluster);
    file.metric(metric, 1, ValueType.I64).value(7);
    return file;
  }

  private static MmvWriter file(int cluster) {
    return file(cluster, "m");
  }

  /** The names when the agent has read all files; one request may have no time for thousands. */
  private List<String> namesOfAllFiles() {
    agent.names();
    agent.idle();
    return agent.names();
  }

  /** The names of all metrics with their clusters, {@code mmv.a.m=1}. */
  private String clusters() {
    return agent.names().stream()
        .map(name -> name + "=" + Pmid.cluster(agent.pmid(name)))
        .collect(joining(" "));
  }

  private List<String> namesOf(int pmid) {
    return agent.ask(PmnsNames.class, new PmnsIds(0, 0, List.of(pmid))).names();
  }

  private String instances(int inDom) {
    return agent
        .ask(Instances.class, new InstanceReq(0, inDom, Instance.NULL, ""))
        .instances()
        .stream()
        .map(instance -> instance.number() + "=" + instance.name())
        .collect(joining(" "));
  }

  private int inDomOf(String name) {
    return agent.ask(Desc.class, new DescReq(0, agent.pmid(name))).inDom();
  }

  private String text(int ident, int textType) {
    return agent.ask(Text.class, new TextReq(0, ident, textType)).text();
  }

  // ---------------------------------------------------------------- files that share something

  @Test
  void filesThatShareAClusterAreOneMetricWithSeveralNames() {
    MmvWriter b = new MmvWriter(2).cluster(5);
    b.metric("m", 1, ValueType.I64).help("b's", "b's text").semantics(4).units(0x01000000).value(2);
    MmvWriter a = new MmvWriter(2).cluster(5);
    a.metric("n", 1, ValueType.I64).help("a's", "a's text").semantics(3).units(0x10000000).value(1);
    agent.write("b", b);
    agent.write("a", a);

    assertEquals(List.of("mmv.a.n", "mmv.b.m"), namesOf(pmid(5, 1)));
    assertEquals("1", agent.values(pmid(5, 1)));
    assertEquals("a's", text(pmid(5, 1), TextType.PMID | TextType.ONELINE));
    agent.delete("a");
    assertEquals(List.of("mmv.b.m"), namesOf(pmid(5, 1)));
    assertEquals("2", agent.values(pmid(5, 1)));
    assertEquals("b's", text(pmid(5, 1), TextType.PMID | TextType.ONELINE));
  }

  @Test
  void aMetricWhoseNameIsTakenIsLeftOutWithALine() {
    agent.write("a", file(1, "x").flags(MmvWriter.NOPREFIX));
    MmvWriter b = file(2, "x").flags(MmvWriter.NOPREFIX);
    agent.write("b", b);

    assertEquals("mmv.x=1", clusters());
    agent.assertError(PmError.PMID, new PmnsIds(0, 0, List.of(pmid(2, 1))));
    assertEquals("PM_ERR_PMID", agent.values(pmid(2, 1)));
    assertEquals(
        List.of(
            "b: metric[0] at " + b.metricAt(0) + ": the name mmv.x is taken by file a, left out",
            "b: 0 of 1 metrics served"),
        agent.log().warnings());
    agent.delete("a");
    assertEquals("mmv.x=2", clusters());
  }

  @Test
  void aMetricWhoseNameContinuesAnotherIsFoundByItsPmid() {
    agent.write("a", file(1, "x").flags(MmvWriter.NOPREFIX));
    MmvWriter b = new MmvWriter(2).cluster(2).flags(MmvWriter.NOPREFIX);
    b.metric("x.y", 1, ValueType.U64).help("b's", null).value(8);
    agent.write("b", b);

    assertEquals("mmv.x=1", clusters());
    agent.assertError(PmError.NAME, new PmnsNames(0, List.of("mmv.x.y"), List.of()));
    assertEquals(List.of("mmv.x.y"), namesOf(pmid(2, 1)));
    assertEquals(ValueType.U64, agent.ask(Desc.class, new DescReq(0, pmid(2, 1))).valueType());
    assertEquals("b's", text(pmid(2, 1), TextType.PMID | TextType.ONELINE));
    assertEquals("8", agent.values(pmid(2, 1)));
    String what = ": the name mmv.x.y conflicts with mmv.x of file a, served only by its PMID";
    assertEquals(
        List.of("b: metric[0] at " + b.metricAt(0) + what, "b: 0 of 1 metrics served"),
        agent.log().warnings());
    agent.delete("a");
    assertEquals("mmv.x.y=2", clusters());
  }

  @Test
  void aMetricWhoseNameIsTheBeginningOfAnotherIsFoundByItsPmidWithoutAName() {
    agent.write("a", file(1, "x.y").flags(MmvWriter.NOPREFIX));
    agent.write("b", file(2, "x").flags(MmvWriter.NOPREFIX));

    assertEquals("mmv.x.y=1", clusters());
    agent.assertError(PmError.PMID, new PmnsIds(0, 0, List.of(pmid(2, 1))));
    assertEquals(ValueType.I64, agent.ask(Desc.class, new DescReq(0, pmid(2, 1))).valueType());
    assertEquals("7", agent.values(pmid(2, 1)));
  }

  @Test
  void noFileGetsTheNamesOfTheControlMetrics() {
    agent.write("control", file(1, "files"));
    agent.write("other", file(2, "control").flags(MmvWriter.NOPREFIX));

    assertEquals("", clusters());
    assertEquals(pmid(0, AgentTester.FILES), agent.pmid("mmv.control.files"));
    assertEquals(4, agent.log().warnings().size());
    String first = agent.log().warnings().getFirst();
    assertEquals(
        "the name mmv.control.files is taken by the agent itself, left out",
        first.substring(first.indexOf("the name")));
  }

  @Test
  void filesThatShareAnInDomMergeTheirInstances() {
    MmvWriter a = file(5);
    a.inDom(3).instance(2, "two").instance(7, "seven");
    MmvWriter b = file(5, "n");
    b.inDom(3).help("b's", null).instance(7, "b's seven").instance(1, "one");
    agent.write("b", b);
    agent.write("a", a);

    assertEquals("2=two 7=seven 1=one", instances(inDom(5, 3)));
    assertEquals("b's", text(inDom(5, 3), TextType.INDOM | TextType.ONELINE));
    agent.delete("a");
    assertEquals("7=b's seven 1=one", instances(inDom(5, 3)));
  }

  @Test
  void twoInstanceDomainsOfAFileNeverShareAnInDom() {
    MmvWriter file = new MmvWriter(2).cluster(1);
    MmvWriter.InDom first = file.inDom(5).help("first", "first text");
    first.instance(1, "one").instance(2, "two");
    MmvWriter.InDom second = file.inDom(2053).help("second", "second text");
    second.instance(2, "second two").instance(3, "three");
    file.metric("m", 1, ValueType.I64).inDom(first).at(2, 12).at(1, 11);
    file.metric("n", 2, ValueType.I64).inDom(second).at(3, 23).at(2, 22);
    file.label(LabelType.INDOM, 2053, 0, "{\"x\":2}");
    agent.write("a", file);

    assertEquals(inDom(1, 5), inDom(1, 2053), "what the stock agent makes of both");
    assertEquals(inDom(1, 5), inDomOf("mmv.a.m"));
    assertEquals("1=one 2=two", instances(inDomOf("mmv.a.m")));
    assertEquals("first", text(inDomOf("mmv.a.m"), TextType.INDOM | TextType.ONELINE));
    assertEquals("", agent.labels(inDomOf("mmv.a.m"), LabelType.INDOM));
    assertEquals("1=11 2=12", agent.values(pmid(1, 1)));
    assertEquals("2=second two 3=three", instances(inDomOf("mmv.a.n")));
    assertEquals("second text", text(inDomOf("mmv.a.n"), TextType.INDOM | TextType.HELP));
    assertEquals("{\"x\":2}", agent.labels(inDomOf("mmv.a.n"), LabelType.INDOM));
    assertEquals("2=22 3=23", agent.values(pmid(1, 2)));
    agent.delete("a");
    agent.assertError(PmError.INDOM, new InstanceReq(0, inDom(1, 5), Instance.NULL, ""));
  }

  @Test
  void instanceDomainsOfDifferentClustersNeverShareAnInDom() {
    MmvWriter web = new MmvWriter(2).cluster(2);
    web.metric("m", 1, ValueType.I64).inDom(web.inDom(4).instance(9, "GET")).at(9, 1);
    agent.write("web", web);
    assertEquals(inDom(2, 4), inDomOf("mmv.web.m"));
    MmvWriter db = new MmvWriter(2).cluster(2050);
    db.metric("m", 1, ValueType.I64).inDom(db.inDom(4).instance(9, "read")).at(9, 2);
    agent.write("db", db);

    assertEquals("9=read", instances(inDomOf("mmv.db.m")));
    assertEquals("9=GET", instances(inDomOf("mmv.web.m")));
    int before = inDomOf("mmv.db.m");
    restart();
    assertEquals(before, inDomOf("mmv.db.m"), "although this file is read first");
    assertEquals(inDom(2, 4), inDomOf("mmv.web.m"));
  }

  /** 0x2801 of cluster 1 and 1 of cluster 5 make the same number for the stock agent. */
  @ParameterizedTest
  @ValueSource(strings = {"a", "z"})
  void anInstanceDomainOfAnotherClusterAddsNothingToOneOfTheSameNumber(String hostile) {
    MmvWriter good = file(5);
    MmvWriter.InDom inDom = good.inDom(1).instance(7, "seven");
    good.metric("n", 2, ValueType.I64).inDom(inDom).at(7, 70);
    MmvWriter bad = file(1);
    bad.inDom(0x2801).help("bad", "bad").instance(7, "renamed").instance(8, "eight");
    bad.label(LabelType.INDOM, 0x2801, 0, "{\"bad\":1}");
    bad.label(LabelType.INSTANCES, 0x2801, 7, "{\"bad\":1}");
    agent.write(hostile, bad);
    agent.write("good", good);

    assertEquals(inDom(5, 1), inDom(1, 0x2801), "what the stock agent makes of both");
    int served = inDomOf("mmv.good.n");
    assertEquals("7=seven", instances(served));
    assertEquals("7=70", agent.values(pmid(5, 2)));
    assertEquals("", agent.labels(served, LabelType.INDOM));
    assertEquals("7=", agent.labels(served, LabelType.INSTANCES));
    agent.assertError(PmError.TEXT, new TextReq(0, served, TextType.INDOM | TextType.ONELINE));
  }

  @Test
  void numbersOfFilesThatHaveGoneAreDealtAgainBeforeInDomsOverflow() {
    for (int job = 1; job <= 2047; job++) {
      agent.write("job" + job, file(0));
    }
    assertEquals(2047, namesOfAllFiles().size());
    for (int job = 1; job <= 2047; job++) {
      agent.delete("job" + job);
    }
    MmvWriter db = new MmvWriter(2);
    db.metric("m", 1, ValueType.I64).inDom(db.inDom(4).instance(9, "read")).at(9, 2);
    agent.write("db", db);

    assertEquals(1, namesOfAllFiles().size());
    assertTrue(Pmid.cluster(agent.pmid("mmv.db.m")) <= 2047);
  }

  // ---------------------------------------------------------------- automatic clusters

  @Test
  void automaticClustersAreDealtInTheOrderOfTheFiles() {
    agent.write("c", file(0));
    agent.write("a", file(0));
    agent.write("b", file(2));

    assertEquals("mmv.a.m=1 mmv.b.m=2 mmv.c.m=3", clusters());
  }

  @Test
  void anAutomaticClusterStaysWhateverOthersComeAndGo() {
    agent.write("b", file(0));
    agent.write("c", file(0));
    assertEquals("mmv.b.m=1 mmv.c.m=2", clusters());

    agent.write("a", file(0));
    agent.delete("b");
    assertEquals("mmv.a.m=3 mmv.c.m=2", clusters());
    agent.write("b", file(0, "n"));

    assertEquals("mmv.a.m=3 mmv.b.n=1 mmv.c.m=2", clusters());
    assertEquals(List.of(), agent.log().warnings());
  }

  @Test
  void anAutomaticClusterStaysOverARestart() {
    agent.write("b", file(0));
    assertEquals("mmv.b.m=1", clusters());
    agent.write("a", file(0));
    assertEquals("mmv.a.m=2 mmv.b.m=1", clusters());
    agent.delete("b");
    assertEquals("mmv.a.m=2", clusters());

    restart();
    agent.write("c", file(0));
    assertEquals("mmv.a.m=2 mmv.c.m=3", clusters());
    agent.write("b", file(0));

    assertEquals("mmv.a.m=2 mmv.b.m=1 mmv.c.m=3", clusters());
  }

  @Test
  void anAutomaticClusterMovesWhenAFileAsksForItsNumber() {
    MmvWriter automatic = new MmvWriter(2);
    MmvWriter.InDom inDom = automatic.inDom(3).instance(1, "one");
    automatic.metric("m", 1, ValueType.I64).inDom(inDom).at(1, 11);
    automatic.label(LabelType.CLUSTER, 0, 0, "{\"whose\":\"a\"}");
    agent.write("a", automatic);
    agent.write("b", file(0));
    assertEquals("mmv.a.m=1 mmv.b.m=2", clusters());

    agent.write("z", file(1));

    assertEquals("mmv.a.m=3 mmv.b.m=2 mmv.z.m=1", clusters());
    assertEquals(
        List.of(
            "a: its cluster 1 is now that of file z, whose header asks for it; another one is assigned to this file, so that its PMIDs change"),
        agent.log().warnings());
    assertEquals("7", agent.values(pmid(1, 1)));
    assertEquals("1=11", agent.values(pmid(3, 1)));
    agent.assertError(PmError.INDOM, new InstanceReq(0, inDom(1, 3), Instance.NULL, ""));
    assertEquals("1=one", instances(inDom(3, 3)));
    agent.delete("z");
    assertEquals("mmv.a.m=3 mmv.b.m=2", clusters());
    restart();
    assertEquals("mmv.a.m=3 mmv.b.m=2", clusters());
  }

  @Test
  void aRememberedClusterThatAFileAsksForIsNotUsed() {
    agent.write("a", file(0));
    assertEquals("mmv.a.m=1", clusters());
    agent.delete("a");
    assertEquals("", clusters());

    restart();
    agent.write("b", file(1));
    agent.write("a", file(0));

    assertEquals("mmv.a.m=2 mmv.b.m=1", clusters());
  }

  @Test
  void aFileLeftOutForLackOfAClusterIsServedLater() {
    for (int cluster = 1; cluster <= Pmid.MAX_CLUSTER; cluster++) {
      agent.write("explicit" + cluster, new MmvWriter(1).cluster(cluster));
    }
    agent.write("a", file(0));
    agent.write("b", file(0, "gone"));
    agent.names();
    agent.idle();
    assertEquals("", clusters());
    String leftOut = ": all clusters are in use. No metrics of it are served.";
    // there are others if there was no time to read all files at once
    List<String> warnings = List.copyOf(agent.log().warnings());
    assertEquals(
        List.of("a" + leftOut, "b" + leftOut),
        warnings.subList(warnings.size() - 2, warnings.size()));
    assertEquals("4095", agent.values(pmid(0, AgentTester.FILES)));
    String states = agent.values(agent.pmid("mmv.control.file.state_name"));
    assertEquals(2, states.split("=over limit", -1).length - 1, states);

    agent.delete("b");
    agent.delete("explicit1000");

    assertEquals("mmv.a.m=1000", clusters());
    assertEquals("7", agent.values(pmid(1000, 1)));
    assertEquals(warnings, agent.log().warnings());
    agent.delete("explicit2000");
    assertEquals("mmv.a.m=1000", clusters());
  }

  // ---------------------------------------------------------------- labels

  @Test
  void labelsOfSeveralFilesAreMerged() {
    MmvWriter a = file(5).label(LabelType.CLUSTER, 0, 0, "{\"x\":\"a\",\"only\":1}");
    a.label(LabelType.CLUSTER, 6, 0, "{\"x\":\"another cluster's\"}");
    MmvWriter b = file(5, "n").label(LabelType.CLUSTER, 5, 0, "{\"x\":\"b\"}");
    b.label(LabelType.CLUSTER, 5, 0, "{\"y\":[1, 2]}");
    agent.write("b", b);
    agent.write("a", a);

    assertEquals(
        "{\"only\":1,\"x\":\"b\",\"y\":[1,2]}", agent.labels(pmid(5, 0), LabelType.CLUSTER));
    agent.delete("b");
    assertEquals("{\"x\":\"a\",\"only\":1}", agent.labels(pmid(5, 0), LabelType.CLUSTER));
  }

  // ---------------------------------------------------------------- any order

  @Test
  void filesForWhichARequestHasNoTimeAreReadWhileTheAgentWaits() {
    for (int f = 0; f < 300; f++) {
      MmvWriter many = file(0);
      for (int item = 1; item <= 100; item++) {
        many.metric("m" + item, item, ValueType.I32).value(item);
      }
      agent.write("f" + f, many);
    }
    agent.close();
    agent = new AgentTester(root, 7, AgentTester.loadingFor(1));
    assertTrue(agent.names().size() < 30_000, "2 ms are not enough");
    agent.idle();
    assertEquals(30_000, agent.names().size());
  }

  /** Files come, change and go: the agent has to say what one says that has just been started. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void aChangedSetOfFilesIsServedLikeAFreshOne(int seed) throws IOException, InterruptedException {
    Path other = Files.createDirectory(root.resolve("other")); // whose memory is not locked
    Files.createSymbolicLink(other.resolve("mmv"), root.resolve("mmv"));
    Random random = new Random(seed);
    for (int step = 0; step < 40; step++) {
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        String name = pick(random, "a", "b", "c", "c-d", "e", "f");
        if (random.nextInt(3) == 0) {
          agent.delete(name);
        } else {
          agent.write(name, randomFile(random));
        }
      }

      String changed = agent.describe();
      String right = fresh(other);
      // On a busy machine, a file whose load took over 50 ms rests before it is loaded again.
      for (int tries = 0; tries < 50 && !right.equals(changed); tries++) {
        Thread.sleep(200);
        changed = agent.describe();
        right = fresh(other);
      }
      assertEquals(right, changed, "seed " + seed + ", step " + step);
    }
  }

  /** Returns what an agent says that has just been started over the same files. */
  private String fresh(Path other) throws IOException {
    Path clusters = root.resolve("jmmv.clusters");
    if (Files.exists(clusters)) {
      Files.copy(clusters, other.resolve("jmmv.clusters"), REPLACE_EXISTING);
    }
    try (AgentTester fresh = new AgentTester(other)) {
      return fresh.describe();
    }
  }

  @SafeVarargs
  private static <T> T pick(Random random, T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private static MmvWriter randomFile(Random random) {
    MmvWriter file = new MmvWriter(1 + random.nextInt(3));
    file.cluster(pick(random, 0, 0, 1, 2, 3, 2049));
    file.flags(pick(random, 0, MmvWriter.NOPREFIX) | pick(random, 0, MmvWriter.SENTINEL));
    int first = random.nextInt(3); // of the instances of both
    List<MmvWriter.InDom> inDoms = List.of(file.inDom(5), file.inDom(2053));
    for (MmvWriter.InDom inDom : inDoms) {
      inDom.help(pick(random, null, "", "one line"), pick(random, null, "text", "other text"));
      inDom.instance(first + 1, pick(random, "one", "two", "two words"));
      inDom.instance(first, pick(random, "one", "three"));
    }
    for (int i = random.nextInt(5); i >= 0; i--) {
      addRandomMetric(file, inDoms, first, random);
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      int what =
          pick(random, LabelType.CLUSTER, LabelType.ITEM, LabelType.INDOM, LabelType.INSTANCES);
      int identity = pick(random, 0, 1, 2, 5, 2053);
      String json = "{\"" + pick(random, "x", "y") + "\":" + random.nextInt(100) + "}";
      file.label(what, identity, random.nextInt(4), json);
    }
    return file;
  }

  /** Fills the memory with files that have gone, but for {@code app}, which has cluster 500. */
  private void rememberAppAndFilesThatHaveGone() throws IOException {
    StringBuilder memory = new StringBuilder("/count=" + Pmid.MAX_CLUSTER);
    for (int cluster = 1; cluster <= Pmid.MAX_CLUSTER; cluster++) {
      memory
          .append('\n')
          .append(cluster == 500 ? "app" : "gone" + cluster)
          .append('=')
          .append(cluster);
    }
    Files.writeString(root.resolve("jmmv.clusters"), memory);
    restart();
  }

  @Test
  void knownFileKeepsItsClusterWhenThoseThatHaveGoneAreForgotten() throws IOException {
    rememberAppAndFilesThatHaveGone();
    agent.write("aaa", file(0));
    agent.write("app", file(0));
    assertEquals("mmv.app.m=500", lastOf(clusters()));
  }

  @Test
  void rewrittenFileKeepsItsClusterWhenThoseThatHaveGoneAreForgotten() throws IOException {
    rememberAppAndFilesThatHaveGone();
    agent.write("app", file(0));
    assertEquals("mmv.app.m=500", lastOf(clusters()));
    agent.write("aaa", file(0));
    agent.write("app", file(0));
    assertEquals("mmv.app.m=500", lastOf(clusters()));
  }

  private static String lastOf(String words) {
    return words.substring(words.lastIndexOf(' ') + 1);
  }

  @Test
  void nameLostWhileTheFileIsRewrittenIsReported() {
    agent.write("b", file(2).flags(MmvWriter.NOPREFIX));
    agent.names();
    agent.write("b", file(2).flags(MmvWriter.NOPREFIX));
    agent.write("a", file(1).flags(MmvWriter.NOPREFIX));
    assertEquals(List.of("mmv.m"), agent.names());
    assertEquals("b: 0 of 1 metrics served", agent.log().warnings().getLast());
    assertEquals(2, agent.log().warnings().size());
  }

  private static void addRandomMetric(
      MmvWriter file, List<MmvWriter.InDom> inDoms, int first, Random random) {
    int type = pick(random, ValueType.I32, ValueType.I64, ValueType.DOUBLE);
    MmvWriter.Metric metric =
        file.metric(pick(random, "m", "n", "m.x", "m.x.y", "mx"), random.nextInt(4), type);
    metric.help(pick(random, null, "one line"), pick(random, null, "a text"));
    metric.semantics(random.nextInt(5)).units(random.nextInt());
    if (random.nextInt(3) == 0) {
      metric.raw(pick(random, -1L, random.nextLong()), 0);
      return;
    }
    metric.inDom(pick(random, inDoms.get(0), inDoms.get(1)));
    for (int value = random.nextInt(4); value > 0; value--) {
      metric.rawAt(first + random.nextInt(2), pick(random, -1L, random.nextLong()), 0);
    }
  }
}
