package org.jmmv.replies;

import static org.jmmv.replies.ServiceTester.pmid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jmmv.core.SettingsSource;
import org.jmmv.pcp.LabelParser;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.StateChange;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.Result;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.reader.watch.FileRules;
import org.jmmv.reader.watch.Limits;
import org.jmmv.reader.watch.NamePattern;
import org.jmmv.reader.watch.ProcessRule;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings that change while a client asks. */
class SettingsTest {
  private static final int RELOAD = pmid(0, ServiceTester.RELOAD);
  private static final Labels NONE = DirectorySettings.DEFAULT.labels();

  @TempDir Path root;
  private ServiceTester tester;

  @BeforeEach
  void start() {
    tester = new ServiceTester(root);
    write("app", 1, 0);
  }

  @AfterEach
  void stop() {
    tester.close();
  }

  private void write(String name, int cluster, int flags) {
    MmvWriter writer = new MmvWriter(3).cluster(cluster).flags(flags);
    writer.metric("m", 1, ValueType.I32).value(7);
    if (cluster == 2) {
      writer.label(LabelType.CLUSTER, 0, 0, "{\"a\":\"own\",\"b\":1}");
    }
    tester.write(name, writer);
  }

  private static SettingsSource.Settings settings(String prefix, Labels labels) {
    return new SettingsSource.Settings(
        Limits.DEFAULT,
        List.of(new DirectorySettings(Optional.empty(), FileRules.DEFAULT, prefix, labels)));
  }

  private static Labels labels(String json) {
    return LabelParser.parse(json, LabelType.CLUSTER);
  }

  @Test
  void thePrefixIsPartOfTheNames() {
    write("bare", 2, MmvWriter.NOPREFIX);
    assertEquals(List.of("mmv.app.m", "mmv.m"), tester.names());
    tester.set(settings("site.one", NONE));
    assertEquals(List.of("mmv.site.one.app.m", "mmv.site.one.m"), tester.names());
    assertEquals("7", tester.values(tester.pmid("mmv.site.one.app.m")));
    assertEquals(pmid(1, 1), tester.pmid("mmv.site.one.app.m"));
    tester.set(settings("", NONE));
    assertEquals(List.of("mmv.app.m", "mmv.m"), tester.names());
  }

  @Test
  void labelsAreThoseOfAllClustersUnlessAFileHasThemItself() {
    write("labelled", 2, 0);
    tester.set(settings("", labels("{\"a\":\"x\",\"c\":2}")));
    assertEquals("{\"a\":\"x\",\"c\":2}", tester.labels(pmid(1, 1), LabelType.CLUSTER));
    assertEquals("{\"a\":\"own\",\"b\":1,\"c\":2}", tester.labels(pmid(2, 1), LabelType.CLUSTER));
    assertEquals("", tester.labels(pmid(3, 1), LabelType.CLUSTER));
    assertEquals("", tester.labels(pmid(1, 1), LabelType.ITEM));
    tester.set(settings("", NONE));
    assertEquals("", tester.labels(pmid(1, 1), LabelType.CLUSTER));
  }

  @Test
  void pmcdIsToldOfOtherNamesAndLabels() {
    tester.fetch(pmid(1, 1));
    assertEquals(0, changes(tester.fetch(pmid(1, 1))));
    tester.set(settings("x", labels("{\"a\":1}")));
    assertEquals(StateChange.NAMES | StateChange.LABELS, changes(tester.fetch(pmid(1, 1))));
    assertEquals(0, changes(tester.fetch(pmid(1, 1))));
    write("late", 4, 0);
    assertEquals(StateChange.NAMES | StateChange.LABELS, changes(tester.fetch(pmid(4, 1))));
  }

  private static int changes(Result result) {
    return result.seconds();
  }

  @Test
  void settingsAreInForceForTheRequestThatFindsThem() {
    tester.set(settings("x", NONE));
    assertEquals(pmid(1, 1), tester.pmid("mmv.x.app.m"));
  }

  @Test
  void theLimitsInForceAreMetrics() {
    Limits limits = new Limits(100_000, 2, 3, 4, 5, 6, 7, 8, 9);
    tester.set(new SettingsSource.Settings(limits, List.of(DirectorySettings.DEFAULT)));
    assertEquals("2", tester.values(tester.pmid("mmv.control.agent.limits.files")));
    assertEquals("7", tester.values(tester.pmid("mmv.control.agent.limits.memory")));
  }

  @Test
  void theStateOfAnExcludedFileIsShown() {
    int state = tester.pmid("mmv.control.file.state_name");
    String served = tester.values(state);
    assertTrue(served.endsWith("=served"), served);
    FileRules rules =
        new FileRules(List.of(), List.of(NamePattern.of("app")), ProcessRule.PID, Optional.empty());
    tester.set(
        new SettingsSource.Settings(
            Limits.DEFAULT, List.of(new DirectorySettings(Optional.empty(), rules, "", NONE))));
    assertEquals(served.replace("served", "excluded"), tester.values(state));
    tester.set(settings("", NONE));
    assertEquals(served, tester.values(state));
  }

  @Test
  void aReloadLooksForSettingsAtOnce() {
    tester.setAtReload(settings("x", NONE));
    assertEquals(List.of("mmv.app.m"), tester.names());
    assertEquals(
        new PduError(0, 0), tester.ask(StoreTest.store(StoreTest.set(RELOAD, StoreTest.ONE))));
    assertEquals(List.of("mmv.x.app.m"), tester.names());
  }
}
