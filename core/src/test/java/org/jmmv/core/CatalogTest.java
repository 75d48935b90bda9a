package org.jmmv.core;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.jmmv.core.TestCatalog.inDom;
import static org.jmmv.core.TestCatalog.pmid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What several files make up together, and how that changes. */
class CatalogTest {
  @AutoClose private final TestCatalog catalog = new TestCatalog();

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
    catalog.idle();
    return catalog.names();
  }

  private int inDomOf(String name) {
    return catalog.metric(name).inDom();
  }

  // ---------------------------------------------------------------- files that share something

  @Test
  void filesThatShareAClusterAreOneMetricWithSeveralNames() {
    MmvWriter b = new MmvWriter(2).cluster(5);
    b.metric("m", 1, ValueType.I64).help("b's", "b's text").semantics(4).units(0x01000000).value(2);
    MmvWriter a = new MmvWriter(2).cluster(5);
    a.metric("n", 1, ValueType.I64).help("a's", "a's text").semantics(3).units(0x10000000).value(1);
    catalog.write("b", b);
    catalog.write("a", a);

    assertEquals(List.of("mmv.a.n", "mmv.b.m"), catalog.namesOf(pmid(5, 1)));
    assertEquals("1", catalog.values(pmid(5, 1)));
    assertEquals("a's", catalog.metric(pmid(5, 1)).oneLine());
    catalog.delete("a");
    assertEquals(List.of("mmv.b.m"), catalog.namesOf(pmid(5, 1)));
    assertEquals("2", catalog.values(pmid(5, 1)));
    assertEquals("b's", catalog.metric(pmid(5, 1)).oneLine());
  }

  /** Counters go on if an application makes a new file for more metrics. */
  @Test
  void theStartOfAMetricIsKnownUntilItsFileIsMadeAnew() {
    catalog.write("a", file(5).generation(1_700_000_000));
    catalog.names();
    assertEquals(
        1_700_000_000_000_000_000L, catalog.metric(pmid(5, 1)).origins(1).getFirst().startNanos());
    catalog.write("a", file(5).generation(1_700_000_060));
    catalog.names();
    assertEquals(0, catalog.metric(pmid(5, 1)).origins(1).getFirst().startNanos());
  }

  @Test
  void aMetricWhoseNameIsTakenIsLeftOutWithALine() {
    catalog.write("a", file(1, "x").flags(MmvWriter.NOPREFIX));
    MmvWriter b = file(2, "x").flags(MmvWriter.NOPREFIX);
    catalog.write("b", b);

    assertEquals("mmv.x=1", catalog.clusters());
    assertEquals(List.of(), catalog.namesOf(pmid(2, 1)));
    assertEquals("PM_ERR_PMID", catalog.values(pmid(2, 1)));
    assertEquals(
        List.of(
            "b: metric[0] at " + b.metricAt(0) + ": the name mmv.x is taken by file a, left out",
            "b: 0 of 1 metrics served"),
        catalog.log().warnings());
    catalog.delete("a");
    assertEquals("mmv.x=2", catalog.clusters());
  }

  @Test
  void aMetricWhoseNameContinuesAnotherIsFoundByItsPmid() {
    catalog.write("a", file(1, "x").flags(MmvWriter.NOPREFIX));
    MmvWriter b = new MmvWriter(2).cluster(2).flags(MmvWriter.NOPREFIX);
    b.metric("x.y", 1, ValueType.U64).help("b's", null).value(8);
    catalog.write("b", b);

    assertEquals("mmv.x=1", catalog.clusters());
    assertNull(catalog.metric("mmv.x.y"));
    assertEquals(List.of("mmv.x.y"), catalog.namesOf(pmid(2, 1)));
    assertEquals(ValueType.U64, catalog.metric(pmid(2, 1)).type());
    assertEquals("b's", catalog.metric(pmid(2, 1)).oneLine());
    assertEquals("8", catalog.values(pmid(2, 1)));
    String what = ": the name mmv.x.y conflicts with mmv.x of file a, served only by its PMID";
    assertEquals(
        List.of("b: metric[0] at " + b.metricAt(0) + what, "b: 0 of 1 metrics served"),
        catalog.log().warnings());
    catalog.delete("a");
    assertEquals("mmv.x.y=2", catalog.clusters());
  }

  @Test
  void aMetricWhoseNameIsTheBeginningOfAnotherIsFoundByItsPmidWithoutAName() {
    catalog.write("a", file(1, "x.y").flags(MmvWriter.NOPREFIX));
    catalog.write("b", file(2, "x").flags(MmvWriter.NOPREFIX));

    assertEquals("mmv.x.y=1", catalog.clusters());
    assertEquals(List.of(), catalog.namesOf(pmid(2, 1)));
    assertEquals(ValueType.I64, catalog.metric(pmid(2, 1)).type());
    assertEquals("7", catalog.values(pmid(2, 1)));
  }

  @Test
  void noFileGetsTheNamesOfTheControlMetrics() {
    catalog.write("control", file(1, "files"));
    catalog.write("other", file(2, "control").flags(MmvWriter.NOPREFIX));

    assertEquals("", catalog.clusters());
    assertEquals(TestCatalog.FILES, catalog.pmid("mmv.control.files"));
    assertEquals(4, catalog.log().warnings().size());
    String first = catalog.log().warnings().getFirst();
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
    catalog.write("b", b);
    catalog.write("a", a);

    assertEquals("2=two 7=seven 1=one", catalog.instances(inDom(5, 3)));
    assertEquals("b's", catalog.inDom(inDom(5, 3)).oneLine());
    catalog.delete("a");
    assertEquals("7=b's seven 1=one", catalog.instances(inDom(5, 3)));
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
    catalog.write("a", file);

    assertEquals(inDom(1, 5), inDom(1, 2053), "what the stock agent makes of both");
    assertEquals(inDom(1, 5), inDomOf("mmv.a.m"));
    assertEquals("1=one 2=two", catalog.instances(inDomOf("mmv.a.m")));
    assertEquals("first", catalog.inDom(inDomOf("mmv.a.m")).oneLine());
    assertEquals("", catalog.labels(inDomOf("mmv.a.m"), LabelType.INDOM));
    assertEquals("1=11 2=12", catalog.values(pmid(1, 1)));
    assertEquals("2=second two 3=three", catalog.instances(inDomOf("mmv.a.n")));
    assertEquals("second text", catalog.inDom(inDomOf("mmv.a.n")).help());
    assertEquals("{\"x\":2}", catalog.labels(inDomOf("mmv.a.n"), LabelType.INDOM));
    assertEquals("2=22 3=23", catalog.values(pmid(1, 2)));
    catalog.delete("a");
    assertNull(catalog.inDom(inDom(1, 5)));
  }

  @Test
  void instanceDomainsOfDifferentClustersNeverShareAnInDom() {
    MmvWriter web = new MmvWriter(2).cluster(2);
    web.metric("m", 1, ValueType.I64).inDom(web.inDom(4).instance(9, "GET")).at(9, 1);
    catalog.write("web", web);
    assertEquals(inDom(2, 4), inDomOf("mmv.web.m"));
    MmvWriter db = new MmvWriter(2).cluster(2050);
    db.metric("m", 1, ValueType.I64).inDom(db.inDom(4).instance(9, "read")).at(9, 2);
    catalog.write("db", db);

    assertEquals("9=read", catalog.instances(inDomOf("mmv.db.m")));
    assertEquals("9=GET", catalog.instances(inDomOf("mmv.web.m")));
    int before = inDomOf("mmv.db.m");
    catalog.restart();
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
    catalog.write(hostile, bad);
    catalog.write("good", good);

    assertEquals(inDom(5, 1), inDom(1, 0x2801), "what the stock agent makes of both");
    int served = inDomOf("mmv.good.n");
    assertEquals("7=seven", catalog.instances(served));
    assertEquals("7=70", catalog.values(pmid(5, 2)));
    assertEquals("", catalog.labels(served, LabelType.INDOM));
    assertEquals("7=", catalog.labels(served, LabelType.INSTANCES));
    assertNull(catalog.inDom(served).oneLine());
  }

  @Test
  void numbersOfFilesThatHaveGoneAreDealtAgainBeforeInDomsOverflow() {
    for (int job = 1; job <= 2047; job++) {
      catalog.write("job" + job, file(0));
    }
    assertEquals(2047, namesOfAllFiles().size());
    for (int job = 1; job <= 2047; job++) {
      catalog.delete("job" + job);
    }
    assertEquals(List.of(), namesOfAllFiles());
    MmvWriter db = new MmvWriter(2);
    db.metric("m", 1, ValueType.I64).inDom(db.inDom(4).instance(9, "read")).at(9, 2);
    catalog.write("db", db);

    assertEquals(1, namesOfAllFiles().size());
    assertTrue(Pmid.cluster(catalog.pmid("mmv.db.m")) <= 2047);
  }

  // ---------------------------------------------------------------- automatic clusters

  @Test
  void aNewFileDoesNotGetTheNumberOfOneThatIsReadAfterIt() {
    for (int job = 1; job <= 2047; job++) {
      catalog.write("job" + job, file(0));
    }
    assertEquals(2047, namesOfAllFiles().size());
    String before = catalog.clusters();
    catalog.write("a", file(0));
    catalog.restart();
    assertEquals(2048, namesOfAllFiles().size());
    assertEquals("mmv.a.m=2048 " + before, catalog.clusters());
    int free = Pmid.cluster(catalog.pmid("mmv.job7.m"));
    catalog.delete("job7");
    namesOfAllFiles();
    catalog.write("b", file(0));
    namesOfAllFiles();
    assertEquals(free, Pmid.cluster(catalog.pmid("mmv.b.m")));
  }

  @Test
  void automaticClustersAreDealtInTheOrderOfTheFiles() {
    catalog.write("c", file(0));
    catalog.write("a", file(0));
    catalog.write("b", file(2));

    assertEquals("mmv.a.m=1 mmv.b.m=2 mmv.c.m=3", catalog.clusters());
  }

  @Test
  void anAutomaticClusterStaysWhateverOthersComeAndGo() {
    catalog.write("b", file(0));
    catalog.write("c", file(0));
    assertEquals("mmv.b.m=1 mmv.c.m=2", catalog.clusters());

    catalog.write("a", file(0));
    catalog.delete("b");
    assertEquals("mmv.a.m=3 mmv.c.m=2", catalog.clusters());
    catalog.write("b", file(0, "n"));

    assertEquals("mmv.a.m=3 mmv.b.n=1 mmv.c.m=2", catalog.clusters());
    assertEquals(List.of(), catalog.log().warnings());
  }

  @Test
  void anAutomaticClusterStaysOverARestart() {
    catalog.write("b", file(0));
    assertEquals("mmv.b.m=1", catalog.clusters());
    catalog.write("a", file(0));
    assertEquals("mmv.a.m=2 mmv.b.m=1", catalog.clusters());
    catalog.delete("b");
    assertEquals("mmv.a.m=2", catalog.clusters());

    catalog.restart();
    catalog.write("c", file(0));
    assertEquals("mmv.a.m=2 mmv.c.m=3", catalog.clusters());
    catalog.write("b", file(0));

    assertEquals("mmv.a.m=2 mmv.b.m=1 mmv.c.m=3", catalog.clusters());
  }

  @Test
  void anAutomaticClusterMovesWhenAFileAsksForItsNumber() {
    MmvWriter automatic = new MmvWriter(2);
    MmvWriter.InDom inDom = automatic.inDom(3).instance(1, "one");
    automatic.metric("m", 1, ValueType.I64).inDom(inDom).at(1, 11);
    automatic.label(LabelType.CLUSTER, 0, 0, "{\"whose\":\"a\"}");
    catalog.write("a", automatic);
    catalog.write("b", file(0));
    assertEquals("mmv.a.m=1 mmv.b.m=2", catalog.clusters());

    catalog.write("z", file(1));

    assertEquals("mmv.a.m=3 mmv.b.m=2 mmv.z.m=1", catalog.clusters());
    assertEquals(
        List.of(
            "a: its cluster 1 is now that of file z, whose header asks for it; another one is assigned to this file, so that its PMIDs change"),
        catalog.log().warnings());
    assertEquals("7", catalog.values(pmid(1, 1)));
    assertEquals("1=11", catalog.values(pmid(3, 1)));
    assertNull(catalog.inDom(inDom(1, 3)));
    assertEquals("1=one", catalog.instances(inDom(3, 3)));
    catalog.delete("z");
    assertEquals("mmv.a.m=3 mmv.b.m=2", catalog.clusters());
    catalog.restart();
    assertEquals("mmv.a.m=3 mmv.b.m=2", catalog.clusters());
  }

  @Test
  void aFileBeyondTheLimitOfClustersIsServedLater() {
    for (int cluster = 1; cluster <= Pmid.MAX_CLUSTER; cluster++) {
      catalog.write("explicit" + cluster, new MmvWriter(1).cluster(cluster));
    }
    catalog.idle();
    catalog.write("a", file(0));
    catalog.write("b", file(0, "gone"));
    assertEquals("", catalog.clusters());
    List<String> warnings = List.copyOf(catalog.log().warnings());
    assertEquals(
        List.of(
            "a: over the limit of 4095 clusters in all (--max-clusters). No metrics of it are"
                + " served. (and 1 more like it)"),
        warnings);
    assertEquals("4095", catalog.values(TestCatalog.FILES));
    String states = catalog.values(catalog.pmid("mmv.control.file.state_name"));
    assertEquals(2, states.split("=over limit", -1).length - 1, states);

    catalog.delete("b");
    catalog.delete("explicit1000");

    assertEquals("mmv.a.m=1000", catalog.clusters());
    assertEquals("7", catalog.values(pmid(1000, 1)));
    assertEquals(warnings, catalog.log().warnings());
    catalog.delete("explicit2000");
    assertEquals("mmv.a.m=1000", catalog.clusters());
  }

  // ---------------------------------------------------------------- labels

  @Test
  void labelsOfSeveralFilesAreMerged() {
    MmvWriter a = file(5).label(LabelType.CLUSTER, 0, 0, "{\"x\":\"a\",\"only\":1}");
    a.label(LabelType.CLUSTER, 6, 0, "{\"x\":\"another cluster's\"}");
    MmvWriter b = file(5, "n").label(LabelType.CLUSTER, 5, 0, "{\"x\":\"b\"}");
    b.label(LabelType.CLUSTER, 5, 0, "{\"y\":[1, 2]}");
    catalog.write("b", b);
    catalog.write("a", a);

    assertEquals(
        "{\"only\":1,\"x\":\"b\",\"y\":[1,2]}", catalog.labels(pmid(5, 0), LabelType.CLUSTER));
    catalog.delete("b");
    assertEquals("{\"x\":\"a\",\"only\":1}", catalog.labels(pmid(5, 0), LabelType.CLUSTER));
  }

  // ---------------------------------------------------------------- any order

  @Test
  void filesForWhichARequestHasNoTimeAreReadWhileTheAgentWaits() {
    for (int f = 0; f < 300; f++) {
      MmvWriter many = file(0);
      for (int item = 1; item <= 100; item++) {
        many.metric("m" + item, item, ValueType.I32).value(item);
      }
      catalog.write("f" + f, many);
    }
    catalog.set(TestCatalog.settings(TestCatalog.loadingFor(1)));
    assertTrue(catalog.names().size() < 30_000, "2 ms are not enough");
    catalog.idle();
    assertEquals(30_000, catalog.names().size());
  }

  /**
   * Files come, change and go: the agent has to say what one says that has just been started. If
   * the disk was so busy that to read a file took 50 ms, it may do so later.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void aChangedSetOfFilesIsServedLikeAFreshOne(int seed) throws IOException {
    Path other =
        Files.createDirectory(catalog.root().resolve("other")); // whose memory is not locked
    Files.createSymbolicLink(other.resolve("mmv"), catalog.directory());
    Random random = new Random(seed);
    int late = 0; // number of steps
    for (int step = 0; step < 40; step++) {
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        String name = pick(random, "a", "b", "c", "c-d", "e", "f");
        if (random.nextInt(3) == 0) {
          catalog.delete(name);
        } else {
          catalog.write(name, randomFile(random));
        }
      }

      String changed = catalog.describe();
      String expected = fresh(other); // which knows the clusters that were assigned
      late += changed.equals(expected) ? 0 : 1;
      for (int i = 0; i < 1_000 && late <= 3 && !changed.equals(expected); i++) {
        changed = catalog.describe();
        expected = fresh(other);
      }
      assertEquals(expected, changed, "seed " + seed + ", step " + step);
    }
  }

  /** Returns what an agent says that has just been started over the same files. */
  private String fresh(Path other) throws IOException {
    catalog.awaitSaved();
    Path clusters = catalog.root().resolve("jmmv.clusters");
    if (Files.exists(clusters)) {
      Files.copy(clusters, other.resolve("jmmv.clusters"), REPLACE_EXISTING);
    }
    try (TestCatalog fresh = new TestCatalog(other, TestCatalog.LIMITS)) {
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
    Files.writeString(catalog.root().resolve("jmmv.clusters"), memory);
    catalog.restart();
  }

  @Test
  void knownFileKeepsItsClusterWhenThoseThatHaveGoneAreForgotten() throws IOException {
    rememberAppAndFilesThatHaveGone();
    catalog.write("aaa", file(0));
    catalog.write("app", file(0));
    assertEquals("mmv.app.m=500", lastOf(catalog.clusters()));
  }

  @Test
  void rewrittenFileKeepsItsClusterWhenThoseThatHaveGoneAreForgotten() throws IOException {
    rememberAppAndFilesThatHaveGone();
    catalog.write("app", file(0));
    assertEquals("mmv.app.m=500", lastOf(catalog.clusters()));
    catalog.write("aaa", file(0));
    catalog.write("app", file(0));
    assertEquals("mmv.app.m=500", lastOf(catalog.clusters()));
  }

  private static String lastOf(String words) {
    return words.substring(words.lastIndexOf(' ') + 1);
  }

  @Test
  void nameLostWhileTheFileIsRewrittenIsReported() {
    catalog.write("b", file(2).flags(MmvWriter.NOPREFIX));
    catalog.names();
    catalog.write("b", file(2).flags(MmvWriter.NOPREFIX));
    catalog.write("a", file(1).flags(MmvWriter.NOPREFIX));
    assertEquals(List.of("mmv.m"), catalog.names());
    assertEquals("b: 0 of 1 metrics served", catalog.log().warnings().getLast());
    assertEquals(2, catalog.log().warnings().size());
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
