package org.jmmv.core;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.MmvFile;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a request sees, whatever happens to the files before it ends. */
class ViewTest {
  @AutoClose private final TestCatalog files = new TestCatalog();
  private final Catalog catalog = files.catalog();
  private final Path directory = files.directory();

  private static String read(View view, String name) {
    return RecordingSink.read(view, view.metric(name), InstanceFilter.ALL);
  }

  /** A file whose values are beyond the largest page. */
  private static MmvWriter large(int cluster, int value) {
    MmvWriter writer = new MmvWriter(1).cluster(cluster).flags(MmvWriter.NOPREFIX);
    MmvWriter.InDom inDom = writer.inDom(1).instance(0, "zero").instance(1, "one");
    writer.metric("m", 1, ValueType.U32).inDom(inDom).at(0, value).at(1, value + 1);
    for (int i = 0; i < 1000; i++) {
      writer.metric("m" + cluster + i, 20 + i, ValueType.I64).value(i);
    }
    return writer;
  }

  @Test
  void whatWasFoundStaysValidIfItsFileIsTruncated() throws IOException {
    Path file = large(1, 10).write(directory, "app");
    View view = catalog.begin(new Scope.AllFiles());
    Metric metric = view.metric("mmv.m");
    InstanceDomain instances = view.instances(metric.inDom());
    MmvWriter.resize(file, MmvWriter.LARGEST_PAGE);
    assertEquals(
        "PM_ERR_PMID", RecordingSink.read(view, metric, InstanceFilter.ALL).substring(0, 11));
    assertEquals(ValueType.U32, metric.type());
    assertEquals(0, metric.units());
    assertEquals("one", instances.table().name(1));
    assertNull(catalog.begin(new Scope.AllFiles()).metric("mmv.m19"), "withdrawn now");
  }

  /**
   * A file may have its values in any order. Those that are close to one another are copied
   * together, others one by one.
   *
   * @param repeated how often each instance has further values, of which the first one counts
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 9})
  void valuesAreInTheOrderOfTheInstances(int repeated) {
    int count = 1_500; // several batches
    MmvWriter writer = new MmvWriter(2).packed().cluster(5);
    MmvWriter.InDom inDom = writer.inDom(1);
    IntStream.range(0, count).forEach(i -> inDom.instance(i, "i" + i));
    MmvWriter.Metric metric = writer.metric("m", 1, ValueType.U32).inDom(inDom);
    List<Integer> order = IntStream.range(0, count).boxed().collect(toCollection(ArrayList::new));
    Collections.shuffle(order, new Random(1));
    for (int instance : order) {
      metric.at(instance, instance + 7);
      IntStream.range(0, repeated).forEach(_ -> metric.at(instance, 1));
    }
    writer.write(directory, "app");
    assertEquals(
        IntStream.range(0, count).mapToObj(i -> i + "=" + (i + 7)).collect(joining(" ")),
        read(catalog.begin(new Scope.AllFiles()), "mmv.app.m"));
  }

  private void writeInstances(int value, int... numbers) {
    MmvWriter writer = new MmvWriter(2).cluster(5);
    MmvWriter.InDom inDom = writer.inDom(1);
    MmvWriter.Metric metric = writer.metric("m", 1, ValueType.U32).inDom(inDom);
    for (int number : numbers) {
      inDom.instance(number, "i" + number);
      metric.at(number, value);
    }
    writer.write(directory, "app");
  }

  /** Reads two values, and returns what is left. */
  private ValueCursor begin(RecordingSink sink) {
    View view = catalog.begin(new Scope.OfName("mmv.app.m"));
    return view.read(view.metric("mmv.app.m"), InstanceFilter.ALL, Turn.ENDLESS, sink);
  }

  private ValueCursor goOn(ValueCursor rest, RecordingSink sink) {
    catalog.requestReload();
    do {
      catalog.idle(Turn.ENDLESS);
    } while (catalog.dueReload() != null || catalog.hasBacklog());
    return rest.readNext(catalog.begin(new Scope.OfMetric(rest.pmid())), Turn.ENDLESS, sink);
  }

  @Test
  void aCursorReadsTheInstancesThatThereWereAtItsBeginning() {
    writeInstances(1, 9, 8, 7, 6, 5, 4);
    RecordingSink sink = new RecordingSink(2);
    ValueCursor rest = begin(sink);
    writeInstances(2, 3, 4, 9, 6, 7);
    rest = goOn(rest, sink);
    assertEquals(List.of("9=1", "8=1", "4=2", "6=2"), sink.numbers());
    writeInstances(3, 7, 4, 6);
    assertNull(goOn(rest, sink));
    assertEquals(List.of("9=1", "8=1", "4=2", "6=2", "7=3"), sink.numbers());
  }

  @Test
  void aCursorEndsIfNothingOfItsMetricIsLeft() {
    writeInstances(1, 1, 2, 3);
    RecordingSink sink = new RecordingSink(2);
    ValueCursor rest = begin(sink);
    writeInstances(2, 4);
    assertNull(goOn(rest, sink));
    rest = begin(new RecordingSink(0));
    large(6, 1).write(directory, "app");
    assertNull(goOn(rest, sink));
    assertEquals("1=1 2=1", String.join(" ", sink.numbers()));
  }

  @Test
  void aCursorIsForOneMetric() {
    MmvWriter writer = new MmvWriter(2).cluster(5);
    MmvWriter.InDom inDom = writer.inDom(1).instance(1, "one").instance(2, "two");
    writer.metric("m", 1, ValueType.U32).inDom(inDom).at(1, 7).at(2, 7);
    writer.metric("n", 2, ValueType.U32).inDom(inDom).at(1, 8).at(2, 8);
    writer.write(directory, "app");
    RecordingSink sink = new RecordingSink(1);
    ValueCursor rest = begin(sink);
    View view = catalog.begin(new Scope.AllFiles());
    for (String name : List.of("mmv.app.n", "mmv.app.m")) {
      view.read(view.metric(name), InstanceFilter.ALL, rest, Turn.ENDLESS, sink);
    }
    assertEquals(List.of("1=7", "1=8", "2=7"), sink.numbers());
  }

  /** A sink has the values of one type. */
  @Test
  void aCursorEndsIfItsMetricHasAnotherType() {
    writeInstances(1, 1, 2, 3);
    RecordingSink sink = new RecordingSink(2);
    ValueCursor rest = begin(sink);
    MmvWriter texts = new MmvWriter(2).cluster(5);
    MmvWriter.InDom inDom = texts.inDom(1).instance(3, "i3");
    texts.metric("m", 1, ValueType.STRING).inDom(inDom).textAt(3, "three");
    texts.write(directory, "app");
    assertNull(goOn(rest, sink));
    assertEquals("1=1 2=1", String.join(" ", sink.numbers()));
  }

  @Test
  void aTurnIsUsedForAtLeastAsLongAsTheFilesWereChecked() {
    RequestState request = new RequestState(new ValueReader(), new Selections());
    long now = System.nanoTime();
    request.checked(now, now);
    assertTrue(request.isOver(Turn.OVER));
    assertFalse(request.isOver(Turn.ENDLESS));
    request.checked(now - TimeUnit.DAYS.toNanos(1), now);
    assertFalse(request.isOver(Turn.OVER));
    request.checked(now - TimeUnit.DAYS.toNanos(2), now - TimeUnit.DAYS.toNanos(1));
    assertTrue(request.isOver(Turn.OVER));
  }

  /** To find out whether many files are current takes longer than to read a string of each. */
  @Test
  void aMetricThatManyFilesShareIsReadInFewTurns() {
    int files = 2_000;
    for (int i = 0; i < files; i++) {
      MmvWriter file = new MmvWriter(2).cluster(5).flags(MmvWriter.NOPREFIX);
      MmvWriter.InDom inDom = file.inDom(1).instance(i, "i" + i);
      file.metric("m", 1, ValueType.STRING).inDom(inDom).textAt(i, "text" + i);
      file.write(directory, "app%04d".formatted(i));
    }
    catalog.begin(new Scope.AllFiles());
    while (catalog.hasBacklog()) {
      catalog.idle(Turn.ENDLESS);
    }
    int pmid = catalog.begin(new Scope.NoFiles()).names().pmid("mmv.m");
    RecordingSink sink = new RecordingSink();
    View view = catalog.begin(new Scope.OfMetric(pmid));
    ValueCursor rest = view.read(view.metric(pmid), InstanceFilter.ALL, Turn.OVER, sink);
    int readings = 1;
    for (; rest != null; readings++) {
      rest = rest.readNext(catalog.begin(new Scope.OfMetric(pmid)), Turn.OVER, sink);
    }
    assertEquals(files, sink.numbers().size());
    assertTrue(readings < files / 10, readings + " readings");
  }

  @Test
  void askingDoesNotRefresh() {
    large(1, 10).write(directory, "a");
    View view = catalog.begin(new Scope.AllFiles());
    large(2, 20).write(directory, "b");
    assertNull(view.metric("mmv.m20"));
    assertEquals("0", read(catalog.begin(new Scope.AllFiles()), "mmv.m20"));
  }

  /** Whatever changes the catalogue ends the view, so that nothing outdated can be read. */
  @Test
  void aViewThatIsOverCanNotBeUsed() {
    large(1, 10).write(directory, "a");
    List<Runnable> ends =
        List.of(
            () -> catalog.begin(new Scope.NoFiles()),
            () -> catalog.idle(Turn.ENDLESS),
            () -> catalog.load());
    for (Runnable end : ends) {
      View view = catalog.begin(new Scope.AllFiles());
      Metric metric = view.metric("mmv.m");
      end.run();
      List<Executable> uses =
          List.of(
              () -> view.names(),
              () -> view.metric("mmv.m"),
              () -> view.metric(metric.pmid()),
              () -> view.instances(metric.inDom()),
              () -> view.labels(LabelType.ITEM, metric.pmid()),
              () -> view.labels(metric, 0),
              () -> view.maxValues(metric, InstanceFilter.ALL),
              () -> read(view, "mmv.m"));
      uses.forEach(use -> assertThrows(IllegalStateException.class, use));
    }
  }

  private static MmvWriter labelled(String metric, String label) {
    MmvWriter writer = new MmvWriter(3).cluster(5);
    MmvWriter.InDom inDom = writer.inDom(1).instance(7, "seven");
    writer.metric(metric, 1, ValueType.U32).inDom(inDom).at(7, 1);
    return writer.label(LabelType.INSTANCES, 1, 7, label);
  }

  @Test
  void whatIsKeptOfAFileThatHasGoneDoesNotShowAnother() throws IOException {
    Path file = labelled("m", "{\"of\":\"a\"}").write(directory, "a");
    View view = catalog.begin(new Scope.AllFiles());
    Metric metric = view.metric("mmv.a.m");
    int inDom = metric.inDom();
    InstanceDomain instances = view.instances(inDom);
    assertEquals("{\"of\":\"a\"}", instances.labels(7).json());
    Files.delete(file);
    catalog.begin(new Scope.AllFiles());
    labelled("m", "{\"of\":\"b\"}").write(directory, "b");
    View next = catalog.begin(new Scope.AllFiles());
    assertEquals("{\"of\":\"b\"}", next.instances(inDom).labels(7).json());
    assertNull(instances.labels(7));
    List<Executable> uses =
        List.of(
            metric::type,
            metric::inDom,
            metric::units,
            metric::help,
            () -> RecordingSink.read(next, metric, InstanceFilter.ALL));
    uses.forEach(use -> assertThrows(IllegalStateException.class, use));
  }

  @Test
  void whatARequestHasSeenOfAFileIsNotKept() throws IOException {
    Path file = large(1, 10).write(directory, "app");
    int inDom = InDom.build(70, InDomAllocator.SERIAL_OF_FILES);
    View view = catalog.begin(new Scope.OfInDom(inDom));
    WeakReference<MmvFile> seen =
        new WeakReference<>(view.entries(null, Integer.MAX_VALUE).getFirst().status().file());
    assertEquals(1, view.instances(inDom).table().size());
    Files.delete(file);
    for (int i = 0; seen.get() != null; i++) {
      assertTrue(i < 1_000, "it is kept");
      catalog.begin(new Scope.AllFiles());
      catalog.idle(Turn.of(1_000_000));
      System.gc();
    }
  }

  @Test
  void labelsOfSmallerObjectsReplaceThoseOfLargerOnes() {
    MmvWriter writer = new MmvWriter(3).cluster(5);
    MmvWriter.InDom inDom = writer.inDom(1).instance(0, "zero").instance(1, "one");
    writer.metric("m", 1, ValueType.U32).inDom(inDom).at(0, 10);
    writer.label(LabelType.INDOM, 1, 0, "{\"a\":\"indom\",\"b\":1,\"agent\":\"x\"}");
    writer.label(LabelType.CLUSTER, 0, 0, "{\"a\":\"cluster\",\"c\":{\"d\":2}}");
    writer.label(LabelType.ITEM, 1, 0, "{\"c\":{\"d\":3}}");
    writer.label(LabelType.INSTANCES, 1, 1, "{\"a\":\"instance\"}");
    writer.write(directory, "app");
    View view = catalog.begin(new Scope.AllFiles());
    Metric metric = view.metric("mmv.app.m");
    Map<String, String> ofMetric =
        Map.of("a", "\"cluster\"", "agent", "\"x\"", "b", "1", "c.d", "3");
    assertEquals(ofMetric, view.labels(metric, Instance.NULL));
    assertEquals(ofMetric, view.labels(metric, 0));
    assertEquals("\"instance\"", view.labels(metric, 1).get("a"));
  }

  /** There can be 20,000, each of 250 bytes. */
  @Test
  void namesOfEntriesAreEscapedOnce() throws IOException {
    Files.writeString(directory.resolve("\1"), "");
    int inDom = InDom.build(70, InDomAllocator.SERIAL_OF_FILES);
    String name = catalog.begin(new Scope.OfInDom(inDom)).instances(inDom).table().name(0);
    assertEquals("\\x01", name);
    assertSame(name, catalog.begin(new Scope.OfInDom(inDom)).instances(inDom).table().name(0));
  }

  /** In a PMID or an InDom, they would be those of others. */
  @Test
  void labelsOfNumbersThatAreTooLargeAreNobodys() {
    MmvWriter writer = new MmvWriter(3).cluster(5);
    MmvWriter.InDom inDom = writer.inDom(1).instance(0, "a");
    writer.metric("m", 1, ValueType.U32).inDom(inDom).at(0, 1);
    writer.label(LabelType.ITEM, 1 + Pmid.MAX_ITEM + 1, 0, "{\"a\":1}");
    writer.label(LabelType.INDOM, 1 + InDom.MAX_SERIAL + 1, 0, "{\"a\":1}");
    writer.write(directory, "app");
    try (Catalog of = new Catalog(new CatalogOptions(directory).faults(FaultListener.NONE))) {
      View view = of.begin(new Scope.AllFiles());
      Metric metric = view.metric("mmv.app.m");
      assertNull(view.labels(LabelType.ITEM, metric.pmid()));
      assertNull(view.labels(LabelType.INDOM, metric.inDom()));
    }
  }

  /** A cluster of pmcd's domain may have the number of one of files. */
  @Test
  void labelsOfFilesAreThoseOfTheirDomain() {
    MmvWriter writer = new MmvWriter(3).cluster(6);
    writer.metric("m", 1, ValueType.U32).value(1);
    writer.label(LabelType.CLUSTER, 0, 0, "{\"a\":1}");
    writer.write(directory, "app");
    try (Catalog of = new Catalog(new CatalogOptions(directory).faults(FaultListener.NONE))) {
      View view = of.begin(new Scope.AllFiles());
      int domain = Pmid.domain(view.metric("mmv.app.m").pmid());
      assertNotNull(view.labels(LabelType.CLUSTER, Pmid.build(domain, 6, 0)));
      assertNull(view.labels(LabelType.CLUSTER, Pmid.build(2, 6, 0)));
    }
  }

  /** PCP before 7.2 can't read a record with such a name. */
  @Test
  void namesOfLabelsThatBeginWithADigitAreServedFromPcp72On() {
    MmvWriter writer = new MmvWriter(3).cluster(5);
    writer.metric("m", 1, ValueType.U32).value(1);
    writer.label(LabelType.CLUSTER, 0, 0, "{\"a\":1}");
    writer.label(LabelType.CLUSTER, 0, 0, "{\"1st\":2}");
    writer.write(directory, "app");
    for (int version : new int[] {600, 701, 702}) {
      try (Catalog of =
          new Catalog(
              new CatalogOptions(directory).faults(FaultListener.NONE).pcpVersion(version))) {
        View view = of.begin(new Scope.AllFiles());
        assertEquals(
            version < 702 ? "{\"a\":1}" : "{\"1st\":2,\"a\":1}",
            view.labels(LabelType.CLUSTER, view.metric("mmv.app.m").pmid()).json());
      }
    }
  }
}
