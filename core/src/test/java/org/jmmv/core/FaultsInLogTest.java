package org.jmmv.core;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.List;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What an operator reads about a file: few lines that say what is left out and why, once. */
class FaultsInLogTest {
  private static final String NOT_SERVED = ". No metrics of it are served.";

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
  void truncatedFile() {
    MmvWriter writer = fileOf(5, "m");
    ByteBuffer image = writer.image().limit(writer.valueAt(2));
    MmvWriter.write(image, catalog.directory(), "app");
    assertEquals(
        List.of(
            "app: TOC[1] at 56: 5 VALUES entries of 32 bytes from 328 on are beyond the file's 392"
                + " bytes, section ignored",
            "app: metric[0] at 88: name offset 488 is beyond the file's 392 bytes, left out"
                + " (and 4 more like it)",
            "app: 0 of 5 metrics served"),
        lines());
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
  void fileWithManyBadMetrics() {
    catalog.write("app", fileOf(1000, "-"));
    assertEquals(
        List.of(
            "app: metric[0] at 88: the name \"-0\" has characters other than letters, digits,"
                + " \"_\" and \".\", left out (and 999 more like it)",
            "app: 0 of 1000 metrics served"),
        lines());
  }

  @Test
  void fileOfAnotherKind() {
    catalog.write("notes", "Do not forget the milk, and a loaf of bread".getBytes(US_ASCII));
    assertEquals(
        List.of(
            "notes: not an MMV file: it does not begin with \"MMV\" and a NUL byte" + NOT_SERVED),
        lines());
  }

  @Test
  void fileOfALaterVersion() {
    catalog.write("app", new MmvWriter(9));
    assertEquals(
        List.of("app: header at 4: version 9 is not supported, only 1, 2 and 3 are" + NOT_SERVED),
        lines());
  }

  @Test
  void fileWhoseNameCannotBePartOfAName() {
    catalog.write("a-b", fileOf(3, "m"));
    assertEquals(
        List.of(
            "a-b: the file's name can't be part of the metrics' names, because it has characters"
                + " other than letters, digits, \"_\" and \".\"; all metrics (3) are left out",
            "a-b: 0 of 3 metrics served"),
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

  /** Two names for one metric, as files that share a cluster have them. */
  @Test
  void filesThatShareMetricsHaveNoFaults() {
    catalog.write("a", fileOf(3, "m").cluster(7).flags(MmvWriter.NOPREFIX));
    catalog.write("b", fileOf(3, "m").cluster(7).flags(MmvWriter.NOPREFIX));
    assertEquals(List.of(), lines());
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
