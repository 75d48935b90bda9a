package org.jmmv.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.MmvMetric;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Applications that share a cluster, by accident or on purpose. */
class SharedPmidsTest {
  private static final int COUNT = 0x00100000;

  @TempDir Path directory;
  private final List<String> faults = new ArrayList<>();
  private Catalog catalog;

  @BeforeEach
  void create() {
    catalog =
        new Catalog(new CatalogOptions(directory).faults(fault -> faults.add(fault.toString())));
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private static MmvWriter.Metric metric(MmvWriter writer, String name) {
    return writer.metric(name, 7, ValueType.U64).units(COUNT);
  }

  private void write(String file, String name, long value) {
    MmvWriter writer = new MmvWriter(2).cluster(42);
    metric(writer, name).value(value);
    writer.write(directory, file);
  }

  /** Refreshes the catalogue and returns the faults that it has reported since the last call. */
  private List<String> refresh() {
    catalog.begin(new Scope.AllFiles());
    while (catalog.hasBacklog()) {
      catalog.idle(Turn.ENDLESS);
    }
    List<String> reported = List.copyOf(faults);
    faults.clear();
    return reported;
  }

  private static String shared(String file, int offset, String owner, String differences) {
    return "%s: metric[0] at %d: its PMID 70.42.7 is also that of %s, from which it differs in %s, served with the values of that file"
        .formatted(file, offset, owner, differences);
  }

  private static int offset() {
    MmvWriter writer = new MmvWriter(2);
    metric(writer, "m").value(1);
    return writer.metricAt(0);
  }

  @Test
  void metricsOfDifferentNames() {
    write("alpha", "requests", 1);
    write("beta", "latency", 2);
    assertEquals(
        List.of(shared("beta", offset(), "mmv.alpha.requests of file alpha", "name")), refresh());
    View view = catalog.begin(new Scope.AllFiles());
    assertEquals(
        "1",
        RecordingSink.read(view, view.metric("mmv.beta.latency"), InstanceFilter.ALL),
        "as with the stock agent");
  }

  @Test
  void singularMetricsOfTwoProgramsWithTheSameDescriptor() {
    write("one", "requests", 1);
    write("two", "requests", 2);
    assertEquals(
        List.of(shared("two", offset(), "mmv.one.requests of file one", "name")), refresh());
  }

  @Test
  void everyDifferenceIsNamed() {
    write("alpha", "m", 1);
    MmvWriter writer = new MmvWriter(2).cluster(42);
    MmvWriter.InDom inDom = writer.inDom(3).instance(0, "a");
    writer.metric("m", 7, ValueType.DOUBLE).semantics(Semantics.INSTANT).inDom(inDom).at(0, 1.0);
    writer.write(directory, "beta");
    assertEquals(
        List.of(
            shared(
                "beta",
                writer.metricAt(0),
                "mmv.alpha.m of file alpha",
                "type, semantics, units, instance domain")),
        refresh());
  }

  /** A timer has microseconds whatever its record says, and no semantics are those of a counter. */
  @Test
  void metricsThatAreServedAlikeDoNotDiffer() {
    for (int i = 0; i < 2; i++) {
      MmvWriter writer = new MmvWriter(2).cluster(42);
      MmvWriter.InDom inDom = writer.inDom(3).instance(i, "i" + i);
      metric(writer, "m").semantics(i * Semantics.COUNTER).inDom(inDom).at(i, i);
      writer
          .metric("timer", 8, MmvMetric.ELAPSED)
          .semantics(i == 0 ? Semantics.INSTANT : Semantics.COUNTER)
          .units(i * COUNT)
          .inDom(inDom)
          .at(i, i);
      writer.write(directory, "worker" + i);
    }
    assertEquals(List.of(), refresh());
  }

  @Test
  void theFileThatWasFirstIsReportedWhenAnotherTakesItsPlace() {
    write("m", "requests", 1);
    assertEquals(List.of(), refresh());
    write("a", "latency", 2);
    assertEquals(List.of(shared("m", offset(), "mmv.a.latency of file a", "name")), refresh());
  }

  @Test
  void aRestartIsReportedOnce() throws IOException {
    write("alpha", "requests", 1);
    write("beta", "latency", 2);
    assertEquals(1, refresh().size());
    Files.delete(directory.resolve("alpha"));
    write("alpha", "requests", 3);
    assertEquals(List.of(), refresh());
  }

  /** After which the third file shares fewer with the first one than it does. */
  @Test
  void aRestartBesideTwoOthersIsReportedOnce() throws IOException {
    writeItems("a", 3);
    writeItems("b", 1);
    writeItems("c", 2);
    assertEquals(2, refresh().size());
    for (int i = 0; i < 2; i++) {
      Files.delete(directory.resolve("a"));
      assertEquals(List.of(), refresh());
      writeItems("a", 3);
      assertEquals(List.of(), refresh());
    }
  }

  private void writeItems(String file, int count) {
    MmvWriter writer = new MmvWriter(2).cluster(42);
    for (int item = 0; item < count; item++) {
      writer.metric(file + item, item, ValueType.U64).value(1);
    }
    writer.write(directory, file);
  }

  @Test
  void instancesOfOneMetricInSeveralFilesAreIntended() {
    for (int i = 0; i < 3; i++) {
      MmvWriter writer = new MmvWriter(2).cluster(42);
      MmvWriter.InDom inDom = writer.inDom(3).instance(i, "i" + i);
      metric(writer, "m").inDom(inDom).at(i, i);
      writer.write(directory, "worker" + i);
    }
    assertEquals(List.of(), refresh());
  }

  @Test
  void filesThatGiveAMetricOneNameAreIntended() {
    for (String file : List.of("a", "b")) {
      MmvWriter writer = new MmvWriter(2).cluster(42).flags(MmvWriter.NOPREFIX);
      metric(writer, "m").value(1);
      writer.write(directory, file);
    }
    assertEquals(List.of(), refresh());
  }

  @Test
  void metricsOfDifferentItemsShareAClusterWell() {
    write("alpha", "requests", 1);
    MmvWriter writer = new MmvWriter(2).cluster(42);
    writer.metric("latency", 8, ValueType.DOUBLE).value(1.5);
    writer.write(directory, "beta");
    assertEquals(List.of(), refresh());
  }
}
