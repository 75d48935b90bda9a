package org.jmmv.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What an operator reads about a file: few lines that say what is left out and why, once. */
class FaultsInLogTest {
  @AutoClose private final TestCatalog catalog = new TestCatalog();

  /** The lines of the log after all files were read, and read again twice. */
  private List<String> lines() {
    catalog.names();
    List<String> lines = catalog.log().warnings();
    catalog.reload();
    catalog.reload();
    assertEquals(lines, catalog.log().warnings(), "a reload says nothing new");
    return lines;
  }

  private static MmvWriter fileOf(int metrics, String name) {
    MmvWriter writer = new MmvWriter(2);
    for (int i = 0; i < metrics; i++) {
      writer.metric(name + i, i, ValueType.I32).help("help", null).value(i);
    }
    return writer;
  }

  @Test
  void fileWithABadMetric() {
    MmvWriter writer = fileOf(4, "m");
    writer.metric("bad-name", 9, ValueType.I32).value(1);
    catalog.write("app", writer);
    assertEquals(
        List.of(
            "app: metric[4] at 280: the name \"bad-name\" has characters other than letters,"
                + " digits, \"_\" and \".\", left out",
            "app: 4 of 5 metrics served"),
        lines());
  }

  @Test
  void filesThatWantTheSameNames() {
    catalog.write("a", fileOf(50, "m").flags(MmvWriter.NOPREFIX));
    catalog.write("b", fileOf(60, "m").flags(MmvWriter.NOPREFIX));
    catalog.write("c", fileOf(1, "m0.").flags(MmvWriter.NOPREFIX));
    MmvWriter twice = fileOf(1, "m");
    twice.metric("m0", 7, ValueType.I32).value(1);
    catalog.write("d", twice);
    assertEquals(
        List.of(
            "b: metric[0] at 88: the name mmv.m0 is taken by file a, left out"
                + " (and 49 more like it)",
            "b: 10 of 60 metrics served",
            "c: metric[0] at 88: the name mmv.m0.0 conflicts with mmv.m0 of file a, served only by its PMID",
            "c: 0 of 1 metrics served",
            "d: metric[1] at 136: the name mmv.d.m0 is taken by metric[0], left out",
            "d: 1 of 2 metrics served"),
        lines());
  }

  /** The fault of a file that was served before it lost a name. */
  @Test
  void fileThatLosesANameIsReportedWithoutItsOtherFaults() {
    MmvWriter writer = fileOf(2, "m").flags(MmvWriter.NOPREFIX);
    writer.metric("bad-name", 9, ValueType.I32).value(1);
    catalog.write("b", writer);
    catalog.names();
    assertEquals(2, catalog.log().warnings().size());
    catalog.write("a", fileOf(1, "m").flags(MmvWriter.NOPREFIX));
    catalog.names();
    List<String> lines = catalog.log().warnings();
    assertEquals(
        List.of(
            "b: metric[0] at "
                + writer.metricAt(0)
                + ": the name mmv.m0 is taken by file a, left out",
            "b: 1 of 3 metrics served"),
        lines.subList(2, lines.size()));
  }
}
