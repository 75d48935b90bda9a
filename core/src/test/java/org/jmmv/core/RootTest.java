package org.jmmv.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Set;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A catalogue whose names do not begin with {@code mmv}: that of pmproxy's own metrics. */
class RootTest {
  private static final int DOMAIN = 4;

  @TempDir Path directory;

  @BeforeEach
  void create() {
    write("server", 1, MmvWriter.NOPREFIX, "pid");
    write("webgroup", 7, 0, "gc.drops");
  }

  private View view(boolean hasStatus) {
    Catalog catalog =
        new Catalog(
            new CatalogOptions(directory)
                .root("pmproxy")
                .domain(DOMAIN)
                .pcpVersion(600)
                .status(hasStatus));
    catalog.load();
    return catalog.begin(new Scope.AllFiles());
  }

  private void write(String name, int cluster, int flags, String metric) {
    MmvWriter file = new MmvWriter(2).cluster(cluster).flags(flags);
    file.metric(metric, 1, ValueType.U32).value(1);
    file.write(directory, name);
  }

  @Test
  void itIsTheFirstComponentOfAllNames() {
    NameTree names = view(false).names();

    assertEquals(
        Set.of(
            "pmproxy.pid",
            "pmproxy.webgroup.gc.drops",
            "pmproxy.control.reload",
            "pmproxy.control.debug",
            "pmproxy.control.files"),
        Set.copyOf(names.leaves("pmproxy")));
    assertEquals(Pmid.build(DOMAIN, 1, 1), names.pmid("pmproxy.pid"));
    assertEquals(Pmid.build(DOMAIN, 0, 2), names.pmid("pmproxy.control.files"));
  }

  @Test
  void itIsTheAgentsLabel() {
    assertEquals("{\"agent\":\"pmproxy\"}", view(true).labels(LabelType.DOMAIN, DOMAIN).json());
  }

  @Test
  void helpTextsNameTheMetricsOfThisRoot() {
    View view = view(true);
    for (String name : view.names().leaves("pmproxy.control")) {
      Metric metric = view.metric(name);
      assertNotNull(metric.oneLine(), name);
      assertFalse(metric.help().contains("mmv.control"), name);
    }
    Metric state = view.metric("pmproxy.control.file.state");
    assertTrue(state.help().contains("see pmproxy.control.file.skipped"), state.help());
    InstanceDomain files = view.instances(state.inDom());
    assertEquals(2, files.table().size());
    assertNotNull(files.oneLine());
  }
}
