package org.jmmv.pmda;

import static org.jmmv.pmda.AgentTester.pmid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jmmv.core.SettingsSource;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.StateChange;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.Result;
import org.jmmv.reader.LabelParser;
import org.jmmv.reader.Labels;
import org.jmmv.reader.Limits;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.reader.watch.FileRules;
import org.jmmv.reader.watch.NamePattern;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings that change while a client asks. */
class SettingsTest {
  private static final int RELOAD = pmid(0, AgentTester.RELOAD);
  private static final Labels NONE = DirectorySettings.DEFAULT.labels();

  @TempDir Path root;
  private AgentTester agent;

  @BeforeEach
  void start() {
    agent = new AgentTester(root);
    write("app", 1, 0);
  }

  @AfterEach
  void stop() {
    agent.close();
  }

  private void write(String name, int cluster, int flags) {
    MmvWriter writer = new MmvWriter(3).cluster(cluster).flags(flags);
    writer.metric("m", 1, ValueType.I32).value(7);
    if (cluster == 2) {
      writer.label(LabelType.CLUSTER, 0, 0, "{\"a\":\"own\",\"b\":1}");
    }
    agent.write(name, writer);
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
    assertEquals(List.of("mmv.app.m", "mmv.m"), agent.names());
    agent.set(settings("site.one", NONE));
    assertEquals(List.of("mmv.site.one.app.m", "mmv.site.one.m"), agent.names());
    assertEquals("7", agent.values(agent.pmid("mmv.site.one.app.m")));
    assertEquals(pmid(1, 1), agent.pmid("mmv.site.one.app.m"));
    agent.set(settings("", NONE));
    assertEquals(List.of("mmv.app.m", "mmv.m"), agent.names());
  }

  @Test
  void labelsAreThoseOfAllClustersUnlessAFileHasThemItself() {
    write("labelled", 2, 0);
    agent.set(settings("", labels("{\"a\":\"x\",\"c\":2}")));
    assertEquals("{\"a\":\"x\",\"c\":2}", agent.labels(pmid(1, 1), LabelType.CLUSTER));
    assertEquals("{\"a\":\"own\",\"b\":1,\"c\":2}", agent.labels(pmid(2, 1), LabelType.CLUSTER));
    assertEquals("", agent.labels(pmid(3, 1), LabelType.CLUSTER));
    assertEquals("", agent.labels(pmid(1, 1), LabelType.ITEM));
    agent.set(settings("", NONE));
    assertEquals("", agent.labels(pmid(1, 1), LabelType.CLUSTER));
  }

  @Test
  void pmcdIsToldOfOtherNamesAndLabels() {
    agent.fetch(pmid(1, 1));
    assertEquals(0, changes(agent.fetch(pmid(1, 1))));
    agent.set(settings("x", labels("{\"a\":1}")));
    assertEquals(StateChange.NAMES | StateChange.LABELS, changes(agent.fetch(pmid(1, 1))));
    assertEquals(0, changes(agent.fetch(pmid(1, 1))));
    write("late", 4, 0);
    assertEquals(StateChange.NAMES | StateChange.LABELS, changes(agent.fetch(pmid(4, 1))));
  }

  private static int changes(Result result) {
    return result.seconds();
  }

  @Test
  void settingsAreInForceForTheRequestThatFindsThem() {
    agent.set(settings("x", NONE));
    assertEquals(pmid(1, 1), agent.pmid("mmv.x.app.m"));
  }

  @Test
  void theLimitsInForceAreMetrics() {
    Limits limits = new Limits(100_000, 2, 3, 4, 5, 6, 7, 8, 9);
    agent.set(new SettingsSource.Settings(limits, List.of(DirectorySettings.DEFAULT)));
    assertEquals("2", agent.values(agent.pmid("mmv.control.agent.limits.files")));
    assertEquals("7", agent.values(agent.pmid("mmv.control.agent.limits.memory")));
  }

  @Test
  void theStateOfAnExcludedFileIsShown() {
    int state = agent.pmid("mmv.control.file.state_name");
    String served = agent.values(state);
    assertTrue(served.endsWith("=served"), served);
    FileRules rules = new FileRules(List.of(), List.of(NamePattern.of("app")), false);
    agent.set(
        new SettingsSource.Settings(
            Limits.DEFAULT, List.of(new DirectorySettings(Optional.empty(), rules, "", NONE))));
    assertEquals(served.replace("served", "excluded"), agent.values(state));
    agent.set(settings("", NONE));
    assertEquals(served, agent.values(state));
  }

  @Test
  void aReloadLooksForSettingsAtOnce() {
    agent.setAtReload(settings("x", NONE));
    assertEquals(List.of("mmv.app.m"), agent.names());
    assertEquals(
        new PduError(0, 0), agent.ask(StoreTest.store(StoreTest.set(RELOAD, StoreTest.ONE))));
    assertEquals(List.of("mmv.x.app.m"), agent.names());
  }
}
