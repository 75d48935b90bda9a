package org.jmmv.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogOptions;
import org.jmmv.core.FaultListener;
import org.jmmv.core.SettingsSource;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The list of metrics while applications end. */
final class LiveMetricsTest {
  @TempDir private Path directory;

  private Path file;
  private int refreshes; // of the catalogue, which asks for its settings at the beginning of each

  /** Deletes the file at the beginning of the second refresh. */
  private SettingsSource.Settings settings(boolean isNow) {
    if (++refreshes == 2) {
      try {
        Files.delete(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return null; // they have not changed
  }

  private LiveMetrics open() {
    Catalog catalog =
        new Catalog(
            new CatalogOptions(directory).faults(FaultListener.NONE).source(this::settings));
    catalog.load();
    return new LiveMetrics(catalog);
  }

  private static List<String> names(LiveMetrics metrics) {
    return metrics.metrics().stream().map(WatchedMetric::name).toList();
  }

  @Test
  void anApplicationThatEndsMeanwhileIsListedUntilTheNextRefresh() {
    MmvWriter writer = new MmvWriter(2);
    MmvWriter.InDom inDom = writer.inDom(1).instance(0, "zero").instance(1, "one");
    writer.metric("a", 1, ValueType.U32).inDom(inDom).at(0, 10).at(1, 11);
    writer.metric("b", 2, ValueType.U32).inDom(inDom).at(0, 20).at(1, 21);
    file = writer.write(directory, "app");
    try (LiveMetrics metrics = open()) {
      assertTrue(metrics.refresh());
      metrics.read(metrics.metrics());
      assertEquals(List.of("mmv.app.a", "mmv.app.b"), names(metrics));
      assertEquals("21", metrics.metrics().get(1).series().get(1).decimal());
      assertTrue(metrics.refresh());
      assertEquals(List.of(), names(metrics));
    }
  }

  /** Without a prefix, the name does not say which application it is. */
  @Test
  void aMetricHasTheFileThatServesIt() {
    MmvWriter writer = new MmvWriter(2).flags(MmvWriter.NOPREFIX);
    writer.metric("a", 1, ValueType.U32).value(1);
    file = writer.write(directory, "app");
    try (LiveMetrics metrics = open()) {
      metrics.refresh();
      assertEquals(List.of("mmv.a"), names(metrics));
      assertEquals("app", metrics.file(metrics.metrics().getFirst()));
    }
  }

  /** Hundreds of metrics may share hundreds of thousands of instances. */
  @Test
  void onlyInstancesWithAValueAreKept() {
    MmvWriter writer = new MmvWriter(2);
    MmvWriter.InDom inDom = writer.inDom(1);
    for (int i = 0; i < 1000; i++) {
      inDom.instance(i, "i" + i);
    }
    for (int m = 0; m < 100; m++) {
      writer.metric("m" + m, m, ValueType.U32).inDom(inDom).at(10 * m, m);
    }
    writer.metric("none", 100, ValueType.U32).inDom(inDom);
    file = writer.write(directory, "app");
    try (LiveMetrics metrics = open()) {
      metrics.refresh();
      assertTrue(metrics.read(metrics.metrics()));
      assertFalse(metrics.read(metrics.metrics()), "the same instances have values");
      assertEquals(100, metrics.size());
      for (WatchedMetric metric : metrics.metrics()) {
        assertEquals(metric.size(), metric.series().size(), metric::name);
        for (Series series : metric.series()) {
          assertEquals(series.instanceName(), "i" + 10 * (long) series.number());
        }
      }
    }
  }

  private static List<Expressions.Definition> definitions(String... texts) {
    return Stream.of(texts).map(Expressions.Definition::parse).toList();
  }

  private static String values(LiveMetrics metrics) {
    metrics.refresh();
    metrics.read(metrics.metrics());
    return metrics.metrics().stream()
        .filter(metric -> !metric.name().startsWith("mmv."))
        .map(metric ->
            metric.name()
                + metric.series().stream()
                    .map(one -> one.instanceName() + "=" + shown(one))
                    .toList())
        .toList()
        .toString();
  }

  private static String shown(Series series) {
    return !series.hasValue() ? "" : series.text() != null ? series.text() : series.decimal();
  }

  private static MmvWriter counting(long count) {
    MmvWriter writer = new MmvWriter(2);
    MmvWriter.InDom inDom = writer.inDom(1).instance(0, "zero").instance(1, "one");
    MmvWriter.Metric values = writer.metric("a", 1, ValueType.U32).semantics(Semantics.INSTANT);
    values.inDom(inDom).at(0, 10).at(1, 12);
    writer.metric("b", 2, ValueType.U64).value(count);
    return writer;
  }

  @Test
  void expressionsAreShownByTheirNames() throws IOException {
    file = counting(100).write(directory, "app");
    try (LiveMetrics metrics = open()) {
      refreshes = 2; // the file stays
      metrics.define(
          definitions("x.half = mmv.app.a / 2", "x.more=delta(mmv.app.b)", "n=count(mmv.app.a)"));
      assertEquals("[n[null=2], x.half[zero=5.0, one=6.0], x.more[null=]]", values(metrics));
      counting(107).rewrite(file);
      assertEquals("[n[null=2], x.half[zero=5.0, one=6.0], x.more[null=7.0]]", values(metrics));
      Files.delete(file);
      assertEquals("[n[null=0], x.half[], x.more[null=]]", values(metrics));
      counting(3).write(directory, "app");
      assertEquals("[n[null=2], x.half[zero=5.0, one=6.0], x.more[null=]]", values(metrics));
    }
  }

  @Test
  void aDerivedTextKeepsItsBytes() throws IOException {
    MmvWriter writer = new MmvWriter(2);
    writer.metric("text", 1, ValueType.STRING).text("caf\u00e9"); // not UTF-8
    writer.write(directory, "app");
    try (LiveMetrics metrics = open()) {
      refreshes = 2; // the file stays
      metrics.define(definitions("x=mmv.app.text"));
      assertEquals("[x[null=caf\u00e9]]", values(metrics));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "x=mmv.no, 'x: no metric has the name mmv.no, at char 1 of mmv.no'",
    "x=1+, 'x: an operand is missing at the end, at char 3 of 1+'",
    "mmv.control.files=1, mmv.control.files is the name of another metric",
  })
  void aWrongExpressionIsNamedWithItsPosition(String text, String message) {
    try (LiveMetrics metrics = open()) {
      IOException wrong = assertThrows(IOException.class, () -> metrics.define(definitions(text)));
      assertEquals(message, wrong.getMessage());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "=1", "a b=1", "1a=1"})
  void aDefinitionHasAName(String text) {
    assertThrows(IllegalArgumentException.class, () -> definitions(text));
  }

  @Test
  void aCounterOfOtherUnitsIsAnother() {
    file = counter(Units.of(0), 5).write(directory, "app");
    try (LiveMetrics metrics = open()) {
      metrics.refresh();
      metrics.read(metrics.metrics());
      refreshes = 2; // the file stays
      counter(new Units(0, 1, 0, 0, 2, 0), 9_000_000).write(directory, "app");
      assertTrue(metrics.refresh());
      metrics.read(metrics.metrics());
      Series series = metrics.metrics().getFirst().series().getFirst();
      assertEquals("9000000", series.decimal());
      assertTrue(Double.isNaN(series.rate()), "milliseconds minus a number");
    }
  }

  private static MmvWriter counter(Units units, long value) {
    MmvWriter writer = new MmvWriter(1);
    writer
        .metric("m", 1, ValueType.U64)
        .semantics(Semantics.COUNTER)
        .units(units.word())
        .value(value);
    return writer;
  }

  @Test
  void aSeriesGoesOnWhileOthersComeAndGo() throws IOException {
    MmvWriter first = new MmvWriter(2);
    MmvWriter.InDom inDom = first.inDom(1).instance(1, "one").instance(2, "two");
    first.metric("m", 1, ValueType.U32).semantics(Semantics.COUNTER).inDom(inDom).at(1, 0).at(2, 0);
    file = first.write(directory, "app");
    try (LiveMetrics metrics = open()) {
      metrics.refresh();
      metrics.read(metrics.metrics());
      Series two = metrics.metrics().getFirst().series().get(1);
      MmvWriter second = new MmvWriter(2);
      inDom = second.inDom(1).instance(0, "zero").instance(2, "two").instance(1, "other");
      second
          .metric("m", 1, ValueType.U32)
          .semantics(Semantics.COUNTER)
          .inDom(inDom)
          .at(0, 0)
          .at(2, 7)
          .at(1, 0);
      refreshes = 2; // the file stays
      second.write(directory, "app");
      assertTrue(metrics.refresh());
      assertTrue(metrics.read(metrics.metrics()));
      List<Series> series = metrics.metrics().getFirst().series();
      assertSame(two, series.get(1));
      assertTrue(two.rate() > 0);
      assertEquals("other", series.get(2).instanceName());
      assertTrue(Double.isNaN(series.get(2).rate()), "another instance of the same number");
    }
  }

  @Test
  void metricsOfApplicationsAreShownWhateverTheirNames() {
    MmvWriter writer = new MmvWriter(2).flags(MmvWriter.NOPREFIX);
    writer.metric("control.panel", 1, ValueType.U32).value(1);
    file = writer.write(directory, "app");
    try (LiveMetrics metrics = open()) {
      assertTrue(metrics.refresh());
      assertEquals(List.of("mmv.control.panel"), names(metrics));
    }
  }
}
