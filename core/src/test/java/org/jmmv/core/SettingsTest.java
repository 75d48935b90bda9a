package org.jmmv.core;

import static org.jmmv.core.TestCatalog.pmid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.jmmv.pcp.LabelParser;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.StateChange;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.reader.watch.FileRules;
import org.jmmv.reader.watch.Limit;
import org.jmmv.reader.watch.Limits;
import org.jmmv.reader.watch.NamePattern;
import org.jmmv.reader.watch.ProcessRule;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Settings that change while a client asks. */
class SettingsTest {
  private static final Labels NONE = DirectorySettings.DEFAULT.labels();

  @AutoClose private final TestCatalog catalog = new TestCatalog();

  @BeforeEach
  void start() {
    write("app", 1, 0);
  }

  private void write(String name, int cluster, int flags) {
    MmvWriter writer = new MmvWriter(3).cluster(cluster).flags(flags);
    writer.metric("m", 1, ValueType.I32).value(7);
    if (cluster == 2) {
      writer.label(LabelType.CLUSTER, 0, 0, "{\"a\":\"own\",\"b\":1}");
    }
    catalog.write(name, writer);
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
    assertEquals(List.of("mmv.app.m", "mmv.m"), catalog.names());
    catalog.set(settings("site.one", NONE));
    assertEquals(List.of("mmv.site.one.app.m", "mmv.site.one.m"), catalog.names());
    assertEquals("7", catalog.values("mmv.site.one.app.m"));
    assertEquals(pmid(1, 1), catalog.pmid("mmv.site.one.app.m"));
    catalog.set(settings("", NONE));
    assertEquals(List.of("mmv.app.m", "mmv.m"), catalog.names());
  }

  @Test
  void labelsAreThoseOfAllClustersUnlessAFileHasThemItself() {
    write("labelled", 2, 0);
    catalog.set(settings("", labels("{\"a\":\"x\",\"c\":2}")));
    assertEquals("{\"a\":\"x\",\"c\":2}", catalog.labels(pmid(1, 1), LabelType.CLUSTER));
    assertEquals("{\"a\":\"own\",\"b\":1,\"c\":2}", catalog.labels(pmid(2, 1), LabelType.CLUSTER));
    assertEquals("", catalog.labels(pmid(3, 1), LabelType.CLUSTER));
    assertEquals("", catalog.labels(pmid(1, 1), LabelType.ITEM));
    catalog.set(settings("", NONE));
    assertEquals("", catalog.labels(pmid(1, 1), LabelType.CLUSTER));
  }

  @Test
  void pmcdIsToldOfOtherNamesAndLabels() {
    catalog.names();
    long reported = catalog.catalog().changes().version();
    catalog.set(settings("x", labels("{\"a\":1}")));
    reported = assertBothChanged(reported);
    write("late", 4, 0);
    assertBothChanged(reported);
  }

  /** Asserts that names and labels have changed once, and returns what is reported then. */
  private long assertBothChanged(long reported) {
    catalog.names();
    Changes changes = catalog.catalog().changes();
    assertEquals(StateChange.NAMES | StateChange.LABELS, changes.since(reported));
    reported = changes.version();
    catalog.names();
    assertEquals(0, changes.since(reported));
    return reported;
  }

  @Test
  void settingsAreInForceForTheRequestThatFindsThem() {
    catalog.set(settings("x", NONE));
    assertEquals(pmid(1, 1), catalog.pmid("mmv.x.app.m"));
  }

  @Test
  void theLimitsInForceAreMetrics() {
    Limits limits = Limits.DEFAULT.with(Limit.FILES, 2).with(Limit.MEMORY, 7);
    catalog.set(TestCatalog.settings(limits));
    assertEquals("2", catalog.values("mmv.control.agent.limits.files"));
    assertEquals("7", catalog.values("mmv.control.agent.limits.memory"));
  }

  @Test
  void theStateOfAnExcludedFileIsShown() {
    int state = catalog.pmid("mmv.control.file.state_name");
    String served = catalog.values(state);
    assertTrue(served.endsWith("=served"), served);
    FileRules rules =
        new FileRules(List.of(), List.of(NamePattern.of("app")), ProcessRule.PID, Optional.empty());
    catalog.set(
        new SettingsSource.Settings(
            Limits.DEFAULT, List.of(new DirectorySettings(Optional.empty(), rules, "", NONE))));
    assertEquals(served.replace("served", "excluded"), catalog.values(state));
    catalog.set(settings("", NONE));
    assertEquals(served, catalog.values(state));
  }

  @Test
  void aReloadLooksForSettingsAtOnce() {
    catalog.setAtReload(settings("x", NONE));
    assertEquals(List.of("mmv.app.m"), catalog.names());
    catalog.reload();
    assertEquals(List.of("mmv.x.app.m"), catalog.names());
  }

  /** Settings also say which clients may ask. */
  @Test
  void theFirstRequestAfterAReloadWasRequestedSeesTheNewSettings() {
    catalog.setAtReload(settings("x", NONE));
    catalog.catalog().requestReload();
    assertEquals(List.of("mmv.x.app.m"), catalog.names());
  }
}
