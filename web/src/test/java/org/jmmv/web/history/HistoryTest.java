package org.jmmv.web.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.jmmv.core.Catalog;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;
import org.jmmv.serving.Accounts;
import org.jmmv.testkit.HeapUse;
import org.jmmv.testkit.MmvWriter;
import org.jmmv.web.WebServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {
  private static final long SECOND = 1_000_000_000;
  private static final int MINUTES = 15;
  private static final int MANY = 3000; // instances, for which several turns are needed

  @TempDir Path directory;
  private Catalog catalog;
  private History history;
  private long maxBytes = 16 << 20;
  private long now = SECOND;

  @BeforeEach
  void open() {
    catalog = WebServer.catalog(directory);
    history =
        new History(
            catalog, () -> maxBytes, new Accounts(Long.MAX_VALUE, Runnable::run), () -> now);
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private void readOnce() {
    now += SECOND;
    catalog.begin(new Scope.AllFiles());
    while (history.read(Turn.OVER)) {} // in as many turns as possible
  }

  private void readTimes(int rounds) {
    for (int i = 0; i < rounds; i++) {
      readOnce();
    }
  }

  /** Returns the values of an instance in all rounds. */
  private List<String> values(String metric, int instance) {
    View view = catalog.begin(new Scope.AllFiles());
    Metric found = view.metric(metric);
    Line line = history.ask(found, instance, view);
    if (line == null) {
      return null;
    }
    int[] rounds = history.rounds().toArray();
    long[] values = new long[rounds.length];
    BitSet has = line.read(rounds, values);
    String[] texts = new String[values.length];
    Arrays.setAll(texts, i -> has.get(i) ? line.text(values[i]) : "-");
    return List.of(texts);
  }

  private List<String> values(String metric) {
    return values(metric, Instance.NULL);
  }

  // ---------------------------------------------------------------- values

  @Test
  void valuesOfAllTypesAreKept() {
    MmvWriter app = new MmvWriter(2).cluster(11);
    app.metric("i32", 1, ValueType.I32).semantics(Semantics.INSTANT).value(-5);
    app.metric("u32", 2, ValueType.U32).value(0xffff_fff0L);
    app.metric("i64", 3, ValueType.I64).semantics(Semantics.INSTANT).value(Long.MIN_VALUE);
    app.metric("u64", 4, ValueType.U64).value(-1);
    app.metric("float", 5, ValueType.FLOAT).semantics(Semantics.INSTANT).value(0.1);
    app.metric("double", 6, ValueType.DOUBLE).semantics(Semantics.INSTANT).value(0.1);
    app.metric("text", 7, ValueType.STRING).semantics(Semantics.DISCRETE).text("a");
    Path file = app.write(directory, "app");
    readOnce();
    MmvWriter.storeLong(file, app.valueAt(1), 3);
    MmvWriter.storeLong(file, app.valueAt(3), 7);
    MmvWriter.storeLong(file, app.valueAt(5), Double.doubleToRawLongBits(1e300));
    readOnce();
    assertEquals(List.of("-5", "-5"), values("mmv.app.i32"));
    assertEquals(List.of("4294967280", "3"), values("mmv.app.u32"));
    assertEquals(List.of("-9223372036854775808", "-9223372036854775808"), values("mmv.app.i64"));
    assertEquals(List.of("18446744073709551615", "7"), values("mmv.app.u64"));
    assertEquals(List.of("0.1", "0.1"), values("mmv.app.float"));
    assertEquals(List.of("0.1", "1.0E300"), values("mmv.app.double"));
    assertNull(values("mmv.app.text"));
    assertNull(values("mmv.control.debug"), "a metric of this program");
  }

  @Test
  void aMetricOfManyInstancesIsReadInManyTurns() {
    writeInstances("i", 0);
    readTimes(2);
    for (int i = 0; i < MANY; i++) {
      assertEquals(List.of("" + i, "" + i), values("mmv.app.m", i));
    }
  }

  @Test
  void roundsAreKeptForFifteenMinutes() {
    MmvWriter app = new MmvWriter(2).cluster(11);
    app.metric("m", 1, ValueType.U64).value(0);
    Path file = app.write(directory, "app");
    for (int i = 0; i <= 1000; i++) {
      MmvWriter.storeLong(file, app.valueAt(0), (long) i * i);
      readOnce();
    }
    List<String> values = values("mmv.app.m");
    assertEquals(MINUTES * 60 + 1, values.size());
    assertEquals("10000", values.getFirst());
    assertEquals("1000000", values.getLast());
    assertEquals(MINUTES * 60, history.seconds());
    now += 2 * MINUTES * 60 * SECOND; // the host was busy, or asleep
    readOnce();
    assertEquals(List.of("1000000"), values("mmv.app.m"));
  }

  // ---------------------------------------------------------------- restarts

  @Test
  void whileAnApplicationIsGoneItsLinesHaveAGap() throws IOException {
    MmvWriter app = new MmvWriter(2).cluster(11);
    app.metric("m", 1, ValueType.U64).value(3);
    app.write(directory, "app");
    readTimes(2);
    Files.delete(directory.resolve("app"));
    readTimes(2);
    app.write(directory, "app");
    readOnce();
    assertEquals(List.of("3", "3", "-", "-", "3"), values("mmv.app.m"));
  }

  /** Returns the rounds before which a metric has returned, among each so many. */
  private List<Integer> returns(String metric, int instance, int part) {
    View view = catalog.begin(new Scope.AllFiles());
    int[] rounds = history.rounds().filter(round -> round % part == 0).toArray();
    Line line = history.ask(view.metric(metric), instance, view);
    return line.returns(rounds).stream().mapToObj(i -> rounds[i]).toList();
  }

  @Test
  void anApplicationReturnsButAValueThatWasMissingDoesNot() throws IOException {
    MmvWriter app = new MmvWriter(2).cluster(11);
    MmvWriter.InDom inDom = app.inDom(1).instance(0, "a");
    app.metric("m", 1, ValueType.U64).value(5);
    app.metric("each", 2, ValueType.U64).inDom(inDom).at(0, 1);
    MmvWriter other = new MmvWriter(2).cluster(11);
    other.metric("m", 1, ValueType.U64).value(5);
    MmvWriter.InDom less = other.inDom(1).instance(1, "b");
    other.metric("each", 2, ValueType.U64).inDom(less).at(1, 1);
    Path file = app.write(directory, "app");
    readTimes(2); // rounds 0 and 1
    Files.delete(file);
    readTimes(2);
    app.write(directory, "app");
    readTimes(3); // 4 to 6
    other.write(directory, "app"); // at once
    readTimes(2);
    app.write(directory, "app");
    readTimes(2); // 9 and 10
    for (int part : new int[] {1, 2}) {
      assertEquals(List.of(4), returns("mmv.app.m", Instance.NULL, part));
      assertEquals(List.of(4), returns("mmv.app.each", 0, part));
    }
    Files.delete(file);
    readTimes(2);
    app.write(directory, "app");
    readTimes(2); // 13 and 14
    assertEquals(List.of(4, 13), returns("mmv.app.m", Instance.NULL, 1));
    assertEquals(List.of(4, 14), returns("mmv.app.each", 0, 2), "the first round after 13");
  }

  @Test
  void instancesAreFoundByTheirNames() {
    MmvWriter app = new MmvWriter(2).cluster(11);
    MmvWriter.InDom inDom = app.inDom(1).instance(0, "books").instance(1, "toys");
    app.metric("m", 1, ValueType.U64).inDom(inDom).at(0, 10).at(1, 20);
    app.write(directory, "app");
    readTimes(2);
    MmvWriter next = new MmvWriter(2).cluster(11);
    inDom = next.inDom(1).instance(0, "games").instance(1, "books").instance(2, "toys");
    next.metric("m", 1, ValueType.U64).inDom(inDom).at(0, 1).at(1, 11).at(2, 21);
    next.write(directory, "app");
    View view = catalog.begin(new Scope.AllFiles());
    Line books = history.ask(view.metric("mmv.app.m"), 1, view);
    assertEquals("10", books.text(10), "before the next round, books has its number already");
    assertEquals(List.of("10", "10"), values("mmv.app.m", 1));
    readOnce();
    assertEquals(List.of("-", "-", "1"), values("mmv.app.m", 0));
    assertEquals(List.of("10", "10", "11"), values("mmv.app.m", 1));
    assertEquals(List.of("20", "20", "21"), values("mmv.app.m", 2));
  }

  @Test
  void instancesThatChangeBetweenTurnsHaveOnlyTheirOwnValues() {
    writeInstances("a", 0);
    readOnce();
    now += SECOND;
    catalog.begin(new Scope.AllFiles());
    history.read(Turn.OVER); // of the first instances
    writeInstances("b", 10_000);
    while (history.read(Turn.OVER)) {}
    readOnce();
    writeInstances("a", 0);
    readOnce();
    assertEquals(List.of("5", "5", "-", "5"), values("mmv.app.m", 5));
    assertEquals(List.of("2500", "-", "-", "2500"), values("mmv.app.m", 2500));
  }

  private void writeInstances(String prefix, int first) {
    MmvWriter app = new MmvWriter(2).cluster(11);
    MmvWriter.InDom inDom = app.inDom(1);
    MmvWriter.Metric metric = app.metric("m", 1, ValueType.U32).inDom(inDom);
    for (int i = 0; i < MANY; i++) {
      inDom.instance(i, prefix + i);
      metric.at(i, first + i);
    }
    app.write(directory, "app");
  }

  /** Instances come and go, get other numbers, and have no value for a while. */
  @Test
  void instancesHaveTheValuesOfTheirNames() {
    Random random = new Random(1);
    List<String> names = IntStream.range(0, 12).mapToObj(i -> "i" + i).toList();
    Map<String, List<String>> expected = new HashMap<>();
    names.forEach(name -> expected.put(name, new ArrayList<>()));
    for (int start = 0; start < 100; start++) {
      List<String> present = new ArrayList<>(names);
      Collections.shuffle(present, random);
      present.subList(1 + random.nextInt(names.size()), names.size()).clear();
      MmvWriter app = new MmvWriter(2).cluster(11).flags(MmvWriter.SENTINEL);
      MmvWriter.InDom inDom = app.inDom(1);
      MmvWriter.Metric metric = app.metric("m", 1, ValueType.U64).inDom(inDom);
      for (int i = 0; i < present.size(); i++) {
        inDom.instance(i, present.get(i));
        metric.at(i, 0);
      }
      Path file = app.write(directory, "app");
      for (int rounds = random.nextInt(6); rounds > 0; rounds--) {
        expected.values().forEach(values -> values.add("-"));
        for (int i = 0; i < present.size(); i++) {
          int value = random.nextInt(4) - 1; // -1 is none
          MmvWriter.storeLong(file, app.valueAt(i), value);
          expected.get(present.get(i)).removeLast();
          expected.get(present.get(i)).add(value < 0 ? "-" : "" + value);
        }
        now += random.nextInt(10) * 10L * SECOND;
        readOnce();
        for (int i = 0; i < present.size(); i++) {
          List<String> all = expected.get(present.get(i));
          int kept = (int) history.rounds().count();
          List<String> values = values("mmv.app.m", i);
          assertEquals(
              all.subList(all.size() - kept, all.size()),
              values == null ? Collections.nCopies(kept, "-") : values);
        }
      }
    }
    assertTrue(expected.get("i0").size() > history.rounds().count(), "nothing was forgotten");
  }

  @Test
  void anotherMetricWithTheSameNumberHasNothingOfIt() {
    MmvWriter app = new MmvWriter(2).cluster(11);
    app.metric("orders", 1, ValueType.U64).value(3);
    app.metric("size", 2, ValueType.U64).value(4);
    app.write(directory, "app");
    readTimes(2);
    MmvWriter next = new MmvWriter(2).cluster(11);
    next.metric("other", 1, ValueType.U64).value(5);
    next.metric("size", 2, ValueType.U64).semantics(Semantics.INSTANT).value(6);
    next.write(directory, "app");
    assertNull(values("mmv.app.other"));
    assertNull(values("mmv.app.size"), "of another kind");
    readOnce();
    assertEquals(List.of("-", "-", "5"), values("mmv.app.other"));
    assertEquals(List.of("-", "-", "6"), values("mmv.app.size"));
  }

  @Test
  void instancesWithTheSameNameHaveTheirOwnValues() {
    MmvWriter app = new MmvWriter(2).cluster(11);
    MmvWriter.InDom inDom = app.inDom(1).instance(0, "a").instance(1, "a");
    app.metric("m", 1, ValueType.U64).inDom(inDom).at(0, 10).at(1, 20);
    app.write(directory, "app");
    readTimes(2);
    assertEquals(List.of("10", "10"), values("mmv.app.m", 0));
    assertEquals(List.of("20", "20"), values("mmv.app.m", 1));
  }

  @Test
  void metricsThatHaveEndedAreForgottenInManyTurns() throws IOException {
    int count = 100;
    new Changing(count).readTimes(2);
    Files.delete(directory.resolve("app"));
    readOnce();
    assertTrue(history.bytes() > 0);
    now += MINUTES * 60 * SECOND;
    catalog.begin(new Scope.AllFiles());
    int turns = 1;
    while (history.read(Turn.OVER)) {
      turns++;
    }
    assertTrue(turns >= count, "in fewer turns than there are metrics");
    assertEquals(0, history.bytes());
  }

  // ---------------------------------------------------------------- room

  /** Writes metrics whose values change at random, each second or each minute. */
  private final class Changing {
    private final int count;
    private final MmvWriter app = new MmvWriter(2).cluster(11);
    private final Random random = new Random(1);
    private final Path file;

    Changing(int count) {
      this.count = count;
      for (int i = 0; i < count; i++) {
        app.metric("m" + i, i, ValueType.U64).semantics(Semantics.INSTANT).value(0);
      }
      file = app.write(directory, "app");
    }

    void change(int from, int to) {
      for (int i = from; i < to; i++) {
        MmvWriter.storeLong(file, app.valueAt(i), random.nextLong());
      }
    }

    void readTimes(int rounds) {
      for (int round = 0; round < rounds; round++) {
        change(0, count / 2);
        if (round % 60 == 0) {
          change(count / 2, count);
        }
        readOnce();
      }
    }
  }

  @Test
  void withoutRoomOldValuesAreForgottenAndTheRestIsRight() {
    maxBytes = 40 << 10;
    Changing app = new Changing(20);
    app.readTimes(300);
    List<String> asked = values("mmv.app.m0");
    assertTrue(history.seconds() < 250, () -> "seconds " + history.seconds());
    app.readTimes(300);
    List<String> all = values("mmv.app.m0");
    List<String> other = values("mmv.app.m1");
    assertEquals(600, all.size());
    assertEquals(asked.subList(200, 300), all.subList(200, 300), "somebody has asked for it");
    assertEquals("-", other.get(200));
    assertNotEquals("-", other.getLast());
    assertNotEquals("-", values("mmv.app.m19").getLast());
    assertEquals(0, history.missing());
  }

  @Test
  void allLinesHaveTheValuesOfTheSecondsThatAreKept() {
    maxBytes = 210 << 10;
    int count = 100;
    Changing app = new Changing(count);
    for (int round = 0; round < 400; round++) {
      app.change(0, count);
      readOnce();
      int[] kept = history.lastRounds(Duration.ofSeconds(history.seconds()));
      for (MetricHistory one : history.current()) {
        BitSet has = one.line(0).read(kept, new long[kept.length]);
        assertEquals(kept.length, has.cardinality(), "after " + round + " s");
      }
    }
    assertTrue(history.seconds() < 300, "there was room enough");
  }

  @Test
  void whatHasNoRoomAtAllIsCounted() {
    maxBytes = 5 << 10;
    Changing app = new Changing(100);
    app.readTimes(3);
    int missing = history.missing();
    assertTrue(missing > 50 && missing < 100, () -> missing + " are missing");
    maxBytes = 1 << 20;
    app.readTimes(2);
    assertEquals(0, history.missing());
    assertNotEquals("-", values("mmv.app.m99").getLast());
  }

  @Test
  void valuesThatNeverChangeLeaveTheOthersTheirPast() {
    MmvWriter constants = new MmvWriter(2).cluster(12);
    for (int i = 0; i < 1000; i++) {
      constants.metric("constant" + i, i, ValueType.U64).value(1);
    }
    constants.write(directory, "constants");
    readOnce();
    maxBytes = history.bytes() * 10 / 9; // a tenth is left
    Changing app = new Changing(4);
    app.readTimes(200);
    assertEquals(0, history.missing());
    assertNotEquals("-", values("mmv.app.m0").get(50));
  }

  @Test
  void nothingIsKeptIfThatIsSwitchedOff() {
    Changing app = new Changing(10);
    app.readTimes(2);
    maxBytes = 0;
    app.readTimes(1);
    assertNull(values("mmv.app.m0"));
    maxBytes = 1 << 20;
    app.readTimes(1);
    assertEquals(1, values("mmv.app.m0").size());
  }

  @Test
  void fiveThousandCountersFitForFifteenMinutes() throws IOException {
    int count = 5000;
    MmvWriter app = new MmvWriter(2).cluster(11);
    MmvWriter.InDom inDom = app.inDom(1);
    MmvWriter.Metric metric = app.metric("instances", 0, ValueType.U64).inDom(inDom);
    for (int i = 0; i < count; i++) {
      if (i < 1000) {
        app.metric("m" + i, 1 + i, ValueType.U64).value(0);
      } else {
        inDom.instance(i, "i" + i);
        metric.at(i, 0);
      }
    }
    Path file = app.write(directory, "app");
    int[] offsets = IntStream.range(0, count).map(app::valueAt).toArray();
    Random random = new Random(1);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MappedByteBuffer values = channel.map(MapMode.READ_WRITE, 0, channel.size());
      values.order(ByteOrder.nativeOrder());
      for (int round = 0; round <= MINUTES * 60; round++) {
        for (int offset : offsets) {
          values.putLong(offset, values.getLong(offset) + random.nextInt(2000));
        }
        readOnce();
      }
    }
    assertEquals(MINUTES * 60, history.seconds());
    assertEquals(0, history.missing());
    assertEquals(MINUTES * 60 + 1, values("mmv.app.instances", 1007).size());
  }

  @Test
  void itTakesWhatItIsChargedFor() throws Exception {
    new Changing(400).readTimes(1);
    HeapUse.assertCounted(
        "history",
        1,
        _ -> {
          Accounts accounts = new Accounts(Long.MAX_VALUE, Runnable::run);
          History one = new History(catalog, () -> maxBytes, accounts, () -> now);
          for (int i = 0; i < 300; i++) {
            now += SECOND;
            while (one.read(Turn.ENDLESS)) {}
          }
          return one;
        },
        History::bytes);
  }

  @Test
  void whatItHasTakenForInstancesThatAreGoneIsFree() throws Exception {
    int metrics = 400;
    int instances = 500;
    MmvWriter app = new MmvWriter(2).cluster(11).flags(MmvWriter.SENTINEL);
    MmvWriter.InDom inDom = app.inDom(1);
    IntStream.range(0, instances).forEach(i -> inDom.instance(i, "i" + i));
    for (int m = 0; m < metrics; m++) {
      MmvWriter.Metric metric = app.metric("m" + m, m, ValueType.U64).inDom(inDom);
      IntStream.range(0, instances).forEach(i -> metric.at(i, 0));
    }
    Path file = app.write(directory, "app");
    catalog.begin(new Scope.AllFiles());
    int first = app.valueAt(0);
    int size = app.valueAt(1) - first;
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MappedByteBuffer values = channel.map(MapMode.READ_WRITE, 0, channel.size());
      maxBytes = 128 << 20;
      HeapUse.assertCounted(
          "history without instances",
          5,
          _ -> {
            Accounts accounts = new Accounts(Long.MAX_VALUE, Runnable::run);
            History one = new History(catalog, () -> maxBytes, accounts, () -> now);
            for (int value : new int[] {0, -1, -1}) { // -1 is none
              for (int i = 0; i < metrics * instances; i++) {
                values.putLong(first + i * size, i % instances == 0 ? 0 : value);
              }
              while (one.read(Turn.ENDLESS)) {}
              now += SECOND - SECOND * value * MINUTES * 60;
            }
            return one;
          },
          History::bytes);
    }
  }
}
