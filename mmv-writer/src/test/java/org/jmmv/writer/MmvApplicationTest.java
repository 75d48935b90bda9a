package org.jmmv.writer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jmmv.core.Metric;
import org.jmmv.core.TestCatalog;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.MmvFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an application writes, as the agent reads it. */
class MmvApplicationTest {
  private final TestCatalog catalog = new TestCatalog();
  private final List<String> problems = new ArrayList<>();

  @AfterEach
  void close() {
    catalog.close();
  }

  private MmvApplication.Builder named(String name) {
    return MmvApplication.named(name).directory(catalog.directory()).onProblem(problems::add);
  }

  /** Returns a metric; a new name may be unknown for a millisecond, unless all are asked for. */
  private Metric metric(String name) {
    assertTrue(catalog.names().contains(name), name);
    return catalog.metric(name);
  }

  private String values(String name) {
    return catalog.values(metric(name).pmid());
  }

  // ---------------------------------------------------------------- what is read

  @ParameterizedTest
  @CsvSource({
    "1, false, false", "1, true, false", "1, false, true",
    "2, false, false", "2, true, false", "2, false, true",
    "3, false, false", "3, true, false", "3, false, true",
  })
  void allTypesAndSemanticsAreReadAsTheyWereSet(int version, boolean isBare, boolean hasSentinel) {
    MmvApplication.Builder builder = named("app").version(version);
    builder = isBare ? builder.withoutPrefix().withoutProcess() : builder;
    builder = hasSentinel ? builder.sentinel() : builder;
    String prefix = isBare ? "mmv." : "mmv.app.";
    try (MmvApplication app = builder.start()) {
      Map<String, String> expected = new TreeMap<>(); // values by names
      app.together(() -> {
        for (Type type : Type.values()) {
          for (Semantics semantics : Semantics.values()) {
            String name = type + "." + semantics;
            List<String> values = write(app, name, type, semantics);
            expected.put(prefix + name + ".one", values.get(0));
            expected.put(prefix + name + ".some", "1=" + values.get(1) + " 2=" + values.get(2));
          }
        }
      });
      assertEquals(List.copyOf(expected.keySet()), catalog.names());
      expected.forEach((name, values) -> {
        assertEquals(values, values(name), name);
        assertDescribed(name.substring(prefix.length()), metric(name));
      });
      assertEquals("1=a b 2=c", catalog.instances(metric(prefix + "I32.COUNTER.some").inDom()));
    }
    assertEquals(List.of(), problems);
    assertEquals(List.of(), catalog.log().messages());
  }

  @Test
  void aBuilderCanBeUsedAgain() {
    MmvApplication.Builder builder = named("app");
    try (MmvApplication app = builder.start()) {
      var _ = builder.version(1).maxValues(1).withoutPrefix();
      app.metric("a".repeat(100)).counter();
      app.metric("b").counter();
      assertEquals(List.of("mmv.app." + "a".repeat(100), "mmv.app.b"), catalog.names());
    }
  }

  /** Returns what is written: one value, and those of two instances. */
  private static List<String> write(
      MmvApplication app, String name, Type type, Semantics semantics) {
    InDom inDom = app.inDom("queues").add();
    MetricBuilder one = describe(app, name + ".one", type, semantics);
    MetricBuilder some = describe(app, name + ".some", type, semantics);
    return switch (type) {
      case FLOAT, DOUBLE -> {
        one.doubleGauge().set(-0.5);
        some.doubleGauges(inDom).of("a b").set(1_000);
        some.doubleGauges(inDom).of("c").set(0.25);
        yield List.of("-0.5", "1000.0", "0.25");
      }
      case STRING -> {
        one.text().set("a text");
        some.texts(inDom).of("a b").set("b");
        some.texts(inDom).of("c").set("x".repeat(300));
        yield List.of("a text", "b", "x".repeat(255));
      }
      case ELAPSED -> {
        one.timer().add(1_500, TimeUnit.NANOSECONDS);
        some.timers(inDom).of("a b").add(2, TimeUnit.SECONDS);
        some.timers(inDom).of("c").add(0, TimeUnit.SECONDS);
        yield List.of("1", "2000000", "0");
      }
      default -> {
        one.gauge().set(-2);
        some.gauges(inDom).of("a b").set(5);
        some.gauges(inDom).of("c").add(7);
        yield List.of(
            type == Type.U32 ? "4294967294" : type == Type.U64 ? "18446744073709551614" : "-2",
            "5",
            "7");
      }
    };
  }

  private static MetricBuilder describe(
      MmvApplication app, String name, Type type, Semantics semantics) {
    return app.metric(name)
        .type(type)
        .semantics(semantics)
        .units(Units.MEGABYTES.per(Units.SECONDS))
        .help("one " + name, "more of " + name);
  }

  private static void assertDescribed(String name, Metric metric) {
    Type type = Type.valueOf(name.substring(0, name.indexOf('.')));
    Semantics semantics = Semantics.valueOf(name.split("\\.", -1)[1]);
    boolean isTimer = type == Type.ELAPSED;
    assertEquals(isTimer ? ValueType.I64 : type.code, metric.type());
    assertEquals(isTimer ? 1 : semantics.code, metric.semantics());
    assertEquals(
        (isTimer ? Units.MICROSECONDS : new Units(1, -1, 0, 2, 3, 0)).word(), metric.units());
    assertEquals("one " + name, metric.oneLine());
    assertEquals("more of " + name, metric.help());
  }

  @Test
  void labelsOfAllKindsAreRead() {
    try (MmvApplication app = named("app").start()) {
      InDom inDom =
          app.inDom("workers").label("kind", "thread").help("Workers", "All of them").add();
      app.label("team", "shop \"1\"\n");
      LongCounter jobs = app.metric("jobs").label("unstable", true).counters(inDom).of("first");
      jobs.increment();
      inDom.label("first", "cpu", 3).label("second", "share", 0.5);

      Metric metric = metric("mmv.app.jobs");
      assertEquals(
          "{\"team\":\"shop \\\"1\\\"\\u000a\"}", catalog.labels(metric.pmid(), LabelType.CLUSTER));
      assertEquals("{\"unstable\":true}", catalog.labels(metric.pmid(), LabelType.ITEM));
      assertEquals("{\"kind\":\"thread\"}", catalog.labels(metric.inDom(), LabelType.INDOM));
      assertEquals(
          "1={\"cpu\":3} 2={\"share\":0.5}", catalog.labels(metric.inDom(), LabelType.INSTANCES));
      assertEquals("1=1", values("mmv.app.jobs"));
    }
    assertEquals(List.of(), catalog.log().messages());
  }

  @Test
  void numbersOfTheCallerAreTaken() {
    try (MmvApplication app = named("app").cluster(321).start()) {
      InDom inDom = app.inDom("workers").serial(7).add().instance("zero", 0).instance("ten", 10);
      Instances<LongCounter> jobs = app.metric("jobs").item(1_023).counters(inDom);
      jobs.of("ten").add(1);
      jobs.of("next").add(2);
      assertEquals("321.1023", Pmid.toString(metric("mmv.app.jobs").pmid()).substring(3));
      assertEquals(TestCatalog.inDom(321, 7), metric("mmv.app.jobs").inDom());
      assertEquals("0=zero 10=ten 1=next", catalog.instances(metric("mmv.app.jobs").inDom()));
      assertEquals("10=1 1=2", values("mmv.app.jobs"));
      assertThrows(IllegalArgumentException.class, () -> inDom.instance("other", 10));
      assertThrows(IllegalArgumentException.class, () -> app.metric("b").item(1_023).gauge());
      assertThrows(IllegalArgumentException.class, () -> app.inDom("b").serial(7).add());
    }
  }

  @Test
  void aSectionInProgressCounts() {
    try (MmvApplication app = named("app").start()) {
      Timer timer = app.metric("time").timer();
      timer.add(1, TimeUnit.HOURS);
      timer.begin();
      assertThrows(IllegalStateException.class, timer::begin);
      while (Long.parseLong(values("mmv.app.time")) == 3_600_000_000L) {
        Thread.onSpinWait(); // until a microsecond has passed
      }
      long before = Long.parseLong(values("mmv.app.time"));
      assertEquals(3_600_000_000L, timer.micros());
      timer.end();
      assertThrows(IllegalStateException.class, timer::end);
      assertTrue(Long.parseLong(values("mmv.app.time")) >= before);
      assertEquals(values("mmv.app.time"), Long.toString(timer.micros()));
    }
  }

  @Test
  void partsOfAMicrosecondAddUp() {
    try (MmvApplication app = named("app").start()) {
      Timer timer = app.metric("time").timer();
      for (int i = 0; i < 10_000; i++) {
        timer.add(300, TimeUnit.NANOSECONDS);
      }
      assertEquals(3_000, timer.micros());
    }
  }

  @Test
  void aValueCanBeMissingAndComeBack() {
    try (MmvApplication app = named("app").sentinel().start()) {
      LongCounter counter = app.metric("counter").counter();
      LongCounter half = app.metric("half").type(Type.U32).counter();
      LongGauge gauge = app.metric("gauge").gauge();
      DoubleGauge real = app.metric("real").doubleGauge();
      DoubleCounter seconds = app.metric("seconds").doubleCounter();
      Text text = app.metric("text").text();
      Timer timer = app.metric("timer").timer();
      counter.add(7);
      half.add(7);
      gauge.set(7);
      real.set(7);
      seconds.add(7);
      text.set("7");
      timer.add(7, TimeUnit.MICROSECONDS);
      catalog.names().forEach(name -> assertEquals("7", number(name), name));

      List.of(counter, half, gauge, real, seconds, text, timer).forEach(MetricValue::noValue);
      catalog.names().forEach(name -> assertEquals("no value", values(name), name));

      LongGauge halfGauge = app.metric("half_gauge").type(Type.U32).gauge();
      halfGauge.noValue();
      assertEquals(-1, halfGauge.get());
      halfGauge.set(2);

      counter.add(2);
      half.add(2);
      gauge.add(2);
      real.set(2);
      seconds.add(2);
      text.set("2");
      timer.add(2, TimeUnit.MICROSECONDS);
      catalog.names().forEach(name -> assertEquals("2", number(name), name));
    }
    try (MmvApplication app = named("other").start()) {
      LongGauge gauge = app.metric("m").gauge();
      assertThrows(IllegalStateException.class, gauge::noValue);
      gauge.set(-1);
      gauge.add(1);
      assertEquals("0", values("mmv.other.m"));
    }
  }

  @Test
  void whatIsAddedToAMissingValueBesideZeroIsExact() throws Exception {
    try (MmvApplication app = named("app").sentinel().start()) {
      LongCounter counter = app.metric("counter").counter();
      Timer timer = app.metric("timer").timer();
      AtomicBoolean isDone = new AtomicBoolean();
      Thread other =
          Thread.ofPlatform()
              .start(() -> {
                while (!isDone.get()) {
                  counter.add(0);
                  timer.add(0, TimeUnit.SECONDS);
                }
              });
      Set<Long> sums = new HashSet<>();
      for (int i = 0; i < 300_000; i++) {
        counter.noValue();
        counter.add(5);
        timer.noValue();
        timer.add(5, TimeUnit.MICROSECONDS);
        sums.add(counter.get());
        sums.add(timer.micros());
      }
      isDone.set(true);
      other.join();
      assertEquals(Set.of(5L), sums);
    }
  }

  private String number(String name) {
    return values(name).replace(".0", "");
  }

  /** A reader that has found a text copies it before the same memory is used again. */
  @Test
  void aTextStaysWhereItWasWhileTheNextOnesAreSet() throws Exception {
    try (MmvApplication app = named("app").start()) {
      Text text = app.metric("m").text();
      text.set("first");
      try (MmvFile file = MmvFile.open(app.file().get())) {
        long[] extras = {file.extra(0)};
        for (int i = 1; i < Text.COPIES; i++) {
          text.set("x".repeat(i));
        }
        byte[] bytes = new byte[MmvFile.TEXT_SIZE];
        long[] lengths = new long[1];
        file.texts(extras, 1, bytes, lengths);
        assertEquals("first", new String(bytes, 0, (int) lengths[0], UTF_8));
      }
    }
  }

  @Test
  void aTextEndsBetweenCharacters() {
    try (MmvApplication app = named("app").start()) {
      app.metric("m").text().set("€".repeat(100));
      assertEquals(255 / 3 * 3, values("mmv.app.m").length()); // bytes
      app.metric("n").text().set("up to\0here");
      assertEquals("up to", values("mmv.app.n"));
    }
  }

  // ---------------------------------------------------------------- additions

  @Test
  void whatIsAddedLaterIsSeenAndWhatWasThereGoesOn() {
    try (MmvApplication app = named("app").start()) {
      LongCounter first = app.metric("first").counter();
      first.add(5);
      assertEquals("5", values("mmv.app.first"));
      InDom a = app.inDom("a").add();
      InDom b = app.inDom("b").add();
      Instances<LongCounter> ofA = app.metric("of.a").counters(a);
      Instances<LongCounter> ofB = app.metric("of.b").counters(b);
      Instances<DoubleGauge> more = app.metric("more").doubleGauges(a);
      LongCounter early = ofA.of("early");
      early.add(1);
      for (int i = 1; i <= 300; i++) {
        ofB.of("i" + i).add(i);
        more.of("i" + i).set(i + 0.5);
        early.increment();
        first.increment();
      }
      assertEquals("305", values("mmv.app.first"));
      assertEquals("1=301", values("mmv.app.of.a"));
      assertTrue(values("mmv.app.of.b").endsWith(" 299=299 300=300"));
      assertTrue(values("mmv.app.more").startsWith("2=1.5 3=2.5 "));
      assertSame(early, ofA.of("early"));
      assertSame(first, app.metric("first").counter());
    }
    assertEquals(List.of(), catalog.log().messages());
  }

  @Test
  void whatIsAddedTogetherIsSeenAtOnce() throws Exception {
    try (MmvApplication app = named("app").start()) {
      app.metric("a").counter();
      try (MmvFile file = MmvFile.open(app.file().get())) {
        app.together(() -> {
          app.metric("b").counter();
          app.metric("c").counter();
          assertTrue(file.isCurrent());
        });
        assertFalse(file.isCurrent());
      }
      assertEquals(List.of("mmv.app.a", "mmv.app.b", "mmv.app.c"), catalog.names());
    }
  }

  @Test
  @Timeout(300)
  void nothingIsLostWhileThreadsUpdateAndAdd() throws Exception {
    try (MmvApplication app = named("app").start()) {
      InDom inDom = app.inDom("threads").add();
      LongCounter all = app.metric("all").counter();
      LongCounter half = app.metric("half").type(Type.U32).counter();
      DoubleCounter real = app.metric("real").doubleCounter();
      LongGauge gauge = app.metric("gauge").gauge();
      Timer timer = app.metric("timer").timer();
      Instances<LongCounter> each = app.metric("each").counters(inDom);
      AtomicInteger running = new AtomicInteger(8);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        String name = "t" + i;
        Runnable updates =
            () -> {
              for (int k = 0; k < 100_000; k++) {
                all.increment();
                half.increment();
                real.add(0.5);
                gauge.add(k % 2 == 0 ? 3 : -1);
                timer.add(100, TimeUnit.NANOSECONDS);
                each.of(name).add(2);
                if (k % 10_000 == 0) {
                  app.metric("added." + name + "_" + k).counter();
                }
              }
            };
        threads.add(
            Thread.ofPlatform()
                .start(() -> {
                  try {
                    updates.run();
                  } finally {
                    running.decrementAndGet();
                  }
                }));
      }
      try (ExecutorService readers = Executors.newFixedThreadPool(4)) {
        List<Callable<Void>> reads = Collections.nCopies(4, () -> readWhile(running));
        for (Future<Void> read : readers.invokeAll(reads)) {
          read.get();
        }
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertEquals("800000", values("mmv.app.all"));
      assertEquals("800000", values("mmv.app.half"));
      assertEquals("400000.0", values("mmv.app.real"));
      assertEquals("800000", values("mmv.app.gauge"));
      assertEquals("80000", values("mmv.app.timer"));
      assertEquals(8, values("mmv.app.each").split("=200000", -1).length - 1);
      assertEquals(86, catalog.names().size());
    }
  }

  /** Reads as an agent of its own while threads run; the counter must not decrease. */
  private Void readWhile(AtomicInteger running) {
    Path root = catalog.directory().getParent();
    try (TestCatalog agent = new TestCatalog(root, TestCatalog.LIMITS)) {
      for (long last = 0; running.get() > 0; ) {
        String value = agent.values("mmv.app.all");
        if (!value.startsWith("PM_ERR_")) { // not while the file is rewritten
          assertTrue(Long.parseLong(value) >= last);
          last = Long.parseLong(value);
        }
      }
    }
    return null;
  }

  /** A reader that has read the records before finds the same ones, or nothing. */
  @Test
  void instancesThatReadersKnowStayWhereTheyAre() throws Exception {
    try (MmvApplication app = named("app").start()) {
      InDom a = app.inDom("a").add().instance("1").instance("2");
      app.inDom("b").add().instance("3");
      app.metric("m").counter();
      ByteBuffer before = ByteBuffer.wrap(Files.readAllBytes(app.file().get()));
      before.order(ByteOrder.nativeOrder());
      assertEquals(2, before.getInt(56)); // the second entry of the TOC: instances
      int count = before.getInt(60);
      int start = (int) before.getLong(64);
      a.instance("4");
      ByteBuffer after = ByteBuffer.wrap(Files.readAllBytes(app.file().get()));
      assertEquals(3, count);
      assertEquals(before.slice(start, 3 * 24), after.slice(start, 3 * 24));
    }
  }

  @Test
  void aMetricOfAnotherKindIsRefused() {
    try (MmvApplication app = named("app").start()) {
      InDom inDom = app.inDom("a").add();
      app.metric("a.b").counter();
      for (String name : List.of("a", "a.b.c")) {
        assertThrows(IllegalArgumentException.class, () -> app.metric(name).counter());
      }
      assertThrows(IllegalArgumentException.class, () -> app.metric("a.b").gauge());
      assertThrows(IllegalArgumentException.class, () -> app.metric("a.b").counters(inDom));
      assertThrows(
          IllegalArgumentException.class, () -> app.metric("a.b").units(Units.BYTES).counter());
      assertThrows(
          IllegalArgumentException.class, () -> app.metric("c").type(Type.FLOAT).counter());
      assertThrows(
          IllegalArgumentException.class, () -> app.metric("c").type(Type.U64).doubleGauge());
      assertThrows(
          IllegalArgumentException.class, () -> app.metric("c").type(Type.FLOAT).doubleCounter());
      assertThrows(
          IllegalArgumentException.class,
          () -> app.metric("c").type(Type.FLOAT).doubleCounters(inDom));
      try (MmvApplication other = named("other").start()) {
        assertThrows(IllegalArgumentException.class, () -> other.metric("c").counters(inDom));
      }
      app.metric("ab").counter();
      assertEquals(List.of("mmv.app.a.b", "mmv.app.ab"), catalog.names());
    }
  }

  @Test
  void wrongNamesAndNumbersAreRefused() {
    for (String name : List.of("", ".a", "a.", "a..b", "1a", "a-b", "a/b", "ä", "a".repeat(247))) {
      assertThrows(IllegalArgumentException.class, () -> named(name), name);
    }
    try (MmvApplication app = named("app").version(1).start()) {
      String tooLong = "a".repeat(64);
      InDom inDom = app.inDom("a").add();
      assertThrows(IllegalArgumentException.class, () -> app.metric(tooLong));
      assertThrows(IllegalArgumentException.class, () -> app.metric("a.".repeat(100_000) + "a"));
      assertThrows(IllegalArgumentException.class, () -> inDom.instance(tooLong));
      assertThrows(IllegalArgumentException.class, () -> inDom.instance("a\nb"));
      assertThrows(IllegalArgumentException.class, () -> inDom.instance(""));
      assertThrows(IllegalArgumentException.class, () -> inDom.instance("a", -1));
      assertThrows(IllegalArgumentException.class, () -> app.inDom("a\nb"));
      assertThrows(IllegalArgumentException.class, () -> app.inDom("b").serial(2_048));
      assertThrows(IllegalArgumentException.class, () -> app.metric("m").item(1_024));
      assertThrows(IllegalArgumentException.class, () -> app.label("a.b", 1));
      assertThrows(IllegalArgumentException.class, () -> app.label("a", "x".repeat(240)));
      assertThrows(IllegalArgumentException.class, () -> app.label("a", Double.NaN));
      assertThrows(IllegalArgumentException.class, () -> app.label("a", List.of()));
      assertThrows(IllegalArgumentException.class, () -> app.label("a", fraction()));
      LongCounter counter = app.metric("m").counter();
      assertThrows(IllegalArgumentException.class, () -> counter.add(-1));
    }
  }

  /** A number whose text is not one in JSON. */
  @SuppressWarnings("serial")
  private static Number fraction() {
    return new AtomicInteger() {
      @Override
      public String toString() {
        return "1/2";
      }
    };
  }

  @Test
  void theLongestNameCanBeUsed() {
    try (MmvApplication app = named("a".repeat(246)).start()) {
      app.metric("m").counter();
      assertTrue(app.file().isPresent());
    }
    assertEquals(List.of(), problems);
  }

  @Test
  void whoIsToldMayFail() throws Exception {
    Path file = Files.createFile(catalog.root().resolve("file"));
    Consumer<String> failing =
        problem -> {
          problems.add(problem);
          throw new IllegalStateException("the listener has failed");
        };
    try (MmvApplication app = named("app").directory(file).onProblem(failing).start()) {
      app.metric("m").counter().increment();
    }
    assertEquals(1, problems.size());
  }

  @Test
  void whatHasNoRoomIsToldOnceAndNothingElseIsLost() throws Exception {
    try (MmvApplication app = named("app").maxValues(3).maxLabels(1).start()) {
      InDom inDom = app.inDom("a").add();
      Instances<LongCounter> some = app.metric("some").counters(inDom);
      app.label("a", 1);
      app.label("b", 2);
      for (int i = 1; i <= 10; i++) {
        some.of("i" + i).add(i);
      }
      app.metric("more").text().set("nobody reads it");
      assertEquals("1=1 2=2 3=3", values("mmv.app.some"));
      assertEquals(
          List.of(
              "nobody can read the label b of app: it has no room for more than 1 labels",
              "nobody can read some[i4] of app: it has no room for more than 3 values"),
          problems);
      assertTrue(Files.size(catalog.directory().resolve(".app.numbers")) < 1_000);
    }
  }

  @Test
  void metricsWithoutRoomAreNotKeptWithoutEnd() {
    try (MmvApplication app = named("app").start()) {
      app.together(() -> {
        for (int i = 0; i < MmvLayout.MAX_METRICS; i++) {
          app.metric("m" + i).counters(app.inDom("a" + i).add()).of("i").increment();
        }
      });
      WeakReference<InDom> inDom = new WeakReference<>(app.inDom("b").add());
      WeakReference<Instances<LongCounter>> one =
          new WeakReference<>(app.metric("one").counters(app.inDom("b").add()));
      assertFalse(app.metric("one").counters(app.inDom("b").add()).of("i").hasRoom());
      while (inDom.get() != null || one.get() != null) {
        System.gc();
      }
      assertEquals("1=1", values("mmv.app.m1"));
    }
  }

  @Test
  void aMetricWhoseInDomHasNoRoomCanBeDescribedAgain() {
    try (MmvApplication app = named("app").start()) {
      for (int i = 0; i < MmvLayout.MAX_METRICS; i++) {
        app.inDom("a" + i).add();
      }
      for (int i = 0; i < 2; i++) {
        app.metric("m").counters(app.inDom("b").add()).of("i").increment();
      }
    }
  }

  // ---------------------------------------------------------------- the file

  @Test
  void theFileAppearsWithTheFirstMetricAndIsDeletedAtTheEnd() throws Exception {
    Path file = catalog.directory().resolve("app");
    LongCounter counter;
    try (MmvApplication app = named("app").start()) {
      app.label("a", 1);
      assertFalse(Files.exists(file));
      counter = app.metric("m").counter();
      assertEquals(Optional.of(file), app.file());
      assertEquals("rw-r--r--", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    }
    assertFalse(Files.exists(file));
    counter.increment();
    assertEquals(1, counter.get());
    try (var files = Files.list(catalog.directory())) {
      assertEquals(
          List.of(".app.numbers"), files.map(each -> each.getFileName().toString()).toList());
    }
  }

  @Test
  void aFileThatIsKeptIsReplacedByTheNextRun() {
    try (MmvApplication app = named("app").withoutProcess().keepFile().start()) {
      app.metric("m").counter().add(3);
    }
    assertEquals("3", values("mmv.app.m"));
    try (MmvApplication app = named("app").withoutProcess().start()) {
      assertEquals("3", values("mmv.app.m"));
      app.metric("n").counter();
      assertEquals(List.of("mmv.app.n"), catalog.names());
    }
  }

  @Test
  void noSectionGoesOnInAFileThatIsKept() {
    MmvApplication app = named("app").withoutProcess().keepFile().start();
    Timer open = app.metric("open").timer();
    Instances<Timer> timers = app.metric("some").timers(app.inDom("d").add());
    Timer unused = timers.of("unused");
    timers.of("idle").add(7, TimeUnit.MICROSECONDS);
    open.begin();
    app.close();
    unused.begin();
    String before = values("mmv.app.open");
    assertEquals(before, Long.toString(open.micros()));
    assertEquals("1=0 2=7", values("mmv.app.some"));
    while (open.micros() == Long.parseLong(before)) {
      open.end();
      open.begin();
    }
    open.end();
    unused.end();
    assertEquals(values("mmv.app.open"), Long.toString(open.micros()));
  }

  @Test
  void theFileOfAnotherApplicationStays() throws Exception {
    try (MmvApplication app = named("app").start()) {
      app.metric("m").counter();
      Files.delete(app.file().get());
      Files.writeString(app.file().get(), "another");
    }
    assertEquals("another", Files.readString(catalog.directory().resolve("app")));
    assertEquals(List.of(), problems);
  }

  @Test
  void theSecondApplicationOfANameIsToldAndRunsOn() {
    try (MmvApplication first = named("app").start()) {
      first.metric("m").counter().add(1);
      try (MmvApplication second = named("app").start()) {
        LongCounter counter = second.metric("m").counter();
        LongGauge gauge = second.metric("n").gauge();
        counter.add(2);
        gauge.set(3);
        assertEquals(2, second.metric("m").counter().get());
        assertEquals(3, gauge.get());
        assertFalse(counter.hasRoom());
        assertEquals(Optional.empty(), second.file());
      }
      assertEquals("1", values("mmv.app.m"));
    }
    assertEquals(
        List.of(
            "nobody can read the metrics of app: %s is written by this process already"
                .formatted(catalog.directory().resolve("app"))),
        problems);
    try (MmvApplication third = named("app").start()) {
      third.metric("m").counter().add(3);
      assertEquals("3", values("mmv.app.m"));
    }
  }

  /** Another process: argument [DIRECTORY]. It prints what it is told. */
  static final class OtherProcess {
    private OtherProcess() {}

    public static void main(String[] directory) {
      MmvApplication.Builder builder = MmvApplication.named("app").onProblem(System.out::println);
      builder = directory.length == 0 ? builder : builder.directory(Path.of(directory[0]));
      try (MmvApplication app = builder.start()) {
        app.metric("m").counter().add(7);
      }
    }
  }

  /** Another process whose files can't grow to their size: argument DIRECTORY. */
  static final class ProcessWithoutRoom {
    private ProcessWithoutRoom() {}

    public static void main(String[] directory) {
      try (MmvApplication app =
          MmvApplication.named("app")
              .directory(Path.of(directory[0]))
              .onProblem(System.out::println)
              .start()) {
        Instances<LongCounter> some = app.metric("m").counters(app.inDom("a").add());
        app.together(() -> {
          for (int i = 0; i < 4_000; i++) {
            some.of("i" + i).increment();
          }
        });
      }
    }
  }

  private static ProcessBuilder process(Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command);
  }

  private String startOtherProcess() throws Exception {
    return output(process(OtherProcess.class, catalog.directory().toString()));
  }

  private static String output(ProcessBuilder builder) throws Exception {
    Process other = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output = new String(other.getInputStream().readAllBytes(), UTF_8).strip();
    assertEquals(0, other.waitFor());
    return output;
  }

  /** The system's lock is one of the process: it would go with any other channel to the file. */
  @Test
  void anotherProcessIsToldWhateverHappensHere() throws Exception {
    String told =
        "nobody can read the metrics of app: %s is written by another process"
            .formatted(catalog.directory().resolve("app"));
    MmvApplication app = named("app").start();
    LongCounter counter = app.metric("m").counter();
    assertEquals(told, startOtherProcess());
    named("app").start().close();
    assertEquals(told, startOtherProcess());
    WeakReference<MmvApplication> collected = new WeakReference<>(app);
    app = null;
    while (collected.get() != null) {
      System.gc();
    }
    assertEquals(told, startOtherProcess());
    counter.add(3);
    assertEquals("3", values("mmv.app.m"));
  }

  /** The reason is the same for both files, but not what follows from it. */
  @Test
  void whoIsToldThatTheDiskIsFullIsToldOfBothFiles() throws Exception {
    Path numbers = catalog.directory().resolve(".app.numbers");
    Files.writeString(numbers, "\n".repeat(2_000_000));
    ProcessBuilder builder = process(ProcessWithoutRoom.class, catalog.directory().toString());
    builder.command().addAll(0, List.of("sh", "-c", "ulimit -f 2000; exec \"$@\"", "sh")); // 1 MB
    List<String> told = output(builder).lines().toList();
    assertEquals(2, told.size(), told::toString);
    assertEquals(
        "the next run of app may have other PMIDs: its numbers can't be saved: File too large",
        told.get(0));
    assertTrue(
        told.get(1).matches("nobody can read m\\[i[0-9]+] of app: File too large"), told.get(1));
  }

  @Test
  void withoutADirectoryTheApplicationRunsOn() throws Exception {
    Path file = Files.createFile(catalog.root().resolve("file"));
    try (MmvApplication app = named("app").directory(file.resolve("mmv")).start()) {
      Text text = app.metric("m").texts(app.inDom("a").add()).of("i");
      text.set("x");
      app.metric("n").counter().increment();
    }
    assertEquals(1, problems.size());
    assertTrue(
        problems.getFirst().startsWith("nobody can read the metrics of app: " + file),
        problems::toString);
  }

  /** Of some exceptions of the JDK, the message is only a path. */
  @Test
  void whoIsToldOfAProblemIsToldWhy() throws Exception {
    Path file = Files.createFile(catalog.root().resolve("file"));
    Path absent = catalog.root().resolve("absent/mmv");
    Path gone = Files.createDirectory(catalog.root().resolve("gone"));
    Path occupied = Files.createDirectory(catalog.root().resolve("occupied"));
    Files.createDirectories(occupied.resolve(".app.new/file"));
    named("app").directory(file).start().close();
    named("app").directory(absent).start().close();
    try (MmvApplication app = named("app").directory(gone).start()) {
      Files.delete(gone.resolve(".app.new"));
      app.metric("m").counter();
    }
    named("app").directory(occupied).start().close();
    Path numbers = Files.createDirectory(catalog.directory().resolve(".app.numbers"));
    named("app").start().close();
    String each = "nobody can read the metrics of app: ";
    assertEquals(
        List.of(
            each + file + ": it is not a directory",
            each + absent + ": no such file or directory",
            each + "%s/.app.new -> %1$s/app: no such file or directory".formatted(gone),
            each + occupied + "/.app.new: DirectoryNotEmptyException",
            "the next run of app may have other PMIDs: " + numbers + ": Is a directory"),
        problems);
  }

  /** Likewise, a path with letters that the encoding of the process does not have. */
  @Test
  void whereTheDirectoryHasNoPathTheApplicationRunsOn() throws Exception {
    Path configuration = catalog.root().resolve("pcp.conf");
    Files.writeString(configuration, "PCP_TMP_DIR=/a\0b\n");
    ProcessBuilder builder = process(OtherProcess.class);
    builder.environment().remove("PCP_TMP_DIR");
    builder.environment().put("PCP_CONF", configuration.toString());
    String told = output(builder);
    assertTrue(told.startsWith("nobody can read the metrics of app: Nul character"), told);
  }

  @Test
  void severalApplicationsCanMakeTheDirectory() throws Exception {
    for (int i = 0; i < 20; i++) {
      Path directory = catalog.root().resolve("new" + i);
      List<Thread> threads = new ArrayList<>();
      for (String name : List.of("a", "b")) {
        threads.add(
            Thread.ofPlatform()
                .start(() -> {
                  try (MmvApplication app = named(name).directory(directory).start()) {
                    app.metric("m").counter();
                  }
                }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    assertEquals(List.of(), problems);
  }

  @Test
  void anInterruptedThreadCanAddMetrics() {
    try (MmvApplication app = named("app").start()) {
      Thread.currentThread().interrupt();
      Instances<LongGauge> gauges = app.metric("m").gauges(app.inDom("a").add());
      for (int i = 1; i <= 600; i++) { // more than one piece of strings
        gauges.of("i" + i).set(i);
      }
      assertTrue(Thread.interrupted());
      assertTrue(values("mmv.app.m").endsWith(" 600=600"));
    }
    assertEquals(List.of(), problems);
  }

  /** A thread of a pool that waits may run other tasks of the pool in the meantime. */
  @Test
  void noOtherTaskRunsInTheMiddleOfAnAddition() throws Exception {
    Set<Thread> others = ConcurrentHashMap.newKeySet();
    List<CompletableFuture<Void>> tasks = new ArrayList<>();
    try (MmvApplication app = named("app").start()) {
      CompletableFuture.runAsync(() ->
              app.together(() -> {
                for (int i = 0; i < 100; i++) {
                  tasks.add(CompletableFuture.runAsync(() -> others.add(Thread.currentThread())));
                }
                Instances<LongGauge> gauges = app.metric("m").gauges(app.inDom("a").add());
                for (int i = 1; i <= 600; i++) { // more than one piece of strings
                  gauges.of("i" + i).set(i);
                }
                assertFalse(others.contains(Thread.currentThread()));
              }))
          .get();
      for (CompletableFuture<Void> task : tasks) {
        task.get();
      }
    }
  }

  @Test
  void whoIsToldOfAProblemMayWaitForAnotherThread() throws Exception {
    CompletableFuture<MmvApplication> started = new CompletableFuture<>();
    Consumer<String> waiting =
        problem -> {
          problems.add(problem);
          CompletableFuture.runAsync(() -> started.join().metric("n").counter()).join();
        };
    try (MmvApplication app = named("app").maxValues(2).onProblem(waiting).start()) {
      started.complete(app);
      Instances<LongCounter> some = app.metric("m").counters(app.inDom("a").add());
      app.together(() -> List.of("1", "2", "3").forEach(some::of));
      assertEquals(1, problems.size());
      assertTrue(catalog.names().contains("mmv.app.n"));
    }
  }

  @Test
  void aLinkInThePlaceOfTheNumbersIsNotFollowed() throws Exception {
    Path victim = Files.writeString(catalog.root().resolve("victim"), "item 7 m\n");
    for (String name : List.of("symbolic", "hard")) {
      Path link = catalog.directory().resolve("." + name + ".numbers");
      if (name.equals("hard")) {
        Files.createLink(link, victim);
      } else {
        Files.createSymbolicLink(link, victim);
      }
      try (MmvApplication app = named(name).cluster(1).start()) {
        app.metric("m").counter();
        assertTrue(app.file().isPresent(), problems::toString);
        assertEquals(TestCatalog.pmid(1, 1), metric("mmv." + name + ".m").pmid());
      }
      assertTrue(
          problems.removeFirst().startsWith("the next run of " + name + " may have other PMIDs: "));
    }
    assertEquals("item 7 m\n", Files.readString(victim));
  }

  @Test
  void whatAFormerProcessHasLeftUnfinishedIsReplaced() throws Exception {
    Files.writeString(catalog.directory().resolve(".app.new"), "x".repeat(10_000_000));
    try (MmvApplication app = named("app").start()) {
      app.metric("m").counter().add(1);
      assertEquals("1", values("mmv.app.m"));
      assertTrue(Files.size(app.file().get()) < 1_000_000);
    }
  }

  @Test
  void aMissingDirectoryIsMadeForEverybody() throws Exception {
    Path directory = catalog.root().resolve("new");
    try (MmvApplication app = named("app").directory(directory).start()) {
      app.metric("m").counter();
      assertTrue(Files.exists(directory.resolve("app")));
    }
    assertEquals(01777, (int) Files.getAttribute(directory, "unix:mode") & 07777);
  }

  // ---------------------------------------------------------------- numbers

  /** Describes what a run defines, in the order of the names. */
  private List<String> numbersOf(String... names) {
    try (MmvApplication app = named("app").cluster(1).start()) {
      for (String name : names) {
        InDom inDom = app.inDom(name).add();
        app.metric(name + "s").counters(inDom).of("of " + name);
        app.metric(name).gauge();
      }
      return catalog.names().stream()
          .map(name -> {
            Metric metric = metric(name);
            return "%s %x %s".formatted(name, metric.pmid(), catalog.instances(metric.inDom()));
          })
          .toList();
    }
  }

  @Test
  void theNextRunHasTheSameNumbers() {
    List<String> first = numbersOf("a", "b", "c");
    assertEquals(6, first.stream().distinct().count());
    assertEquals(first, numbersOf("c", "b", "a"));
    assertEquals(first.subList(2, 4), numbersOf("b"));
    List<String> more = numbersOf("d", "a");
    assertEquals(first.subList(0, 2), more.subList(0, 2));
    assertFalse(
        first.stream()
            .anyMatch(each -> each.split(" ", -1)[1].equals(more.get(2).split(" ", -1)[1])));
  }

  @Test
  void aDamagedFileOfNumbersIsUsedAsFarAsItCanBe() throws Exception {
    List<String> first = numbersOf("a", "b");
    Path numbers = catalog.directory().resolve(".app.numbers");
    Files.writeString(
        numbers,
        "item 0x1 c\n\0\0\nitem\nitem 99999999999 d\n" + Files.readString(numbers) + "item 3");
    assertEquals(first, numbersOf("b", "a"));
    Files.write(
        numbers, new byte[] {'i', (byte) 0xe9, '\n'}, StandardOpenOption.APPEND); // no UTF-8
    assertEquals(first, numbersOf("b", "a"));
    List<String> third = numbersOf("c");
    assertEquals(first, numbersOf("b", "a"));
    assertEquals(third, numbersOf("c"));
    Files.writeString(numbers, "item 5000 a\nitem 2 a\nitem 2 b\n");
    assertEquals(
        first.stream().map(each -> each.split(" ", -1)[0]).toList(), names(numbersOf("b", "a")));
    assertEquals(List.of(), problems);
  }

  private static List<String> names(List<String> described) {
    assertEquals(
        described.size(),
        described.stream().map(each -> each.split(" ", -1)[1]).distinct().count());
    return described.stream().map(each -> each.split(" ", -1)[0]).toList();
  }

  @Test
  void instancesWithUnusualNamesHaveTheSameNumbersToo() {
    for (List<String> names : List.of(List.of("a\u2028b", "c"), List.of("c", "a\u2028b"))) {
      try (MmvApplication app = named("app").cluster(1).start()) {
        app.inDom(names.get(0)).add();
        InDom inDom = app.inDom("").add();
        Instances<LongGauge> gauges = app.metric("m").gauges(inDom);
        names.forEach(name -> gauges.of(name).set(name.length()));
        assertEquals(TestCatalog.inDom(1, 2), metric("mmv.app.m").inDom());
        assertEquals(Set.of("1=3", "2=1"), Set.of(values("mmv.app.m").split(" ", -1)));
      }
    }
  }

  @Test
  void manyInstancesWithLongNamesHaveTheSameNumbers() throws Exception {
    for (List<String> order : List.of(List.of("a", "b"), List.of("b", "a"))) {
      try (MmvApplication app = named("app").maxValues(20_002).start()) {
        Instances<LongGauge> gauges = app.metric("m").gauges(app.inDom("d").add());
        app.together(() -> {
          order.forEach(name -> gauges.of(name).set(name.charAt(0)));
          for (int i = 0; i < 20_000; i++) {
            gauges.of("%0250d".formatted(i));
          }
        });
        assertTrue((" " + values("mmv.app.m")).contains(" 1=97 "));
      }
    }
    assertTrue(Files.size(catalog.directory().resolve(".app.numbers")) > 4 << 20);
  }

  @Test
  void aFileOfNumbersThatIsTooLargeKeepsThoseOfMetrics() throws Exception {
    List<String> first = numbersOf("a", "b");
    Path numbers = catalog.directory().resolve(".app.numbers");
    StringBuilder lines = new StringBuilder(Files.readString(numbers));
    for (int i = 0; i < 500_000; i++) {
      lines.append("instance/1 ").append(i + 10).append(" i").append(i).append('\n');
    }
    Files.writeString(numbers, lines);
    named("app").start().close(); // ends before it writes the shorter file
    assertEquals(first, numbersOf("b", "a"));
    assertTrue(Files.size(numbers) < 1_000);
    assertEquals(first, numbersOf("b", "a"));
  }

  @Test
  void numbersOfTheCallerAreKeptToo() {
    try (MmvApplication app = named("app").cluster(1).start()) {
      app.metric("chosen").item(1).counter();
    }
    try (MmvApplication app = named("app").cluster(1).start()) {
      app.metric("other").counter();
      app.metric("chosen").item(1).counter();
      assertEquals(TestCatalog.pmid(1, 2), metric("mmv.app.other").pmid());
    }
  }

  @Test
  void theLargestNumberOfTheCallerIsKeptOnce() throws Exception {
    long size = 0;
    for (int run = 0; run < 3; run++) {
      try (MmvApplication app = named("app").start()) {
        InDom inDom = app.inDom("a").add();
        inDom = run == 2 ? inDom : inDom.instance("i", Integer.MAX_VALUE);
        app.metric("m").counters(inDom).of("i").increment();
        assertEquals(Integer.MAX_VALUE + "=1", values("mmv.app.m"));
      }
      long before = size;
      size = Files.size(catalog.directory().resolve(".app.numbers"));
      assertTrue(before == 0 || size == before, before + " " + size);
    }
  }

  @Test
  void halfALineOfTheNumbersIsNotAnotherName() throws Exception {
    Path numbers = catalog.directory().resolve(".app.numbers");
    Files.writeString(numbers, "serial 1 a\ninstance/1 1 i1\ninstance/1 12 i1"); // of i12
    for (int run = 0; run < 2; run++) {
      try (MmvApplication app = named("app").start()) {
        Instances<LongCounter> some = app.metric("m").counters(app.inDom("a").add());
        some.of("i1").add(3);
        some.of("i2").add(4);
        assertEquals("1=3 2=4", values("mmv.app.m"));
      }
    }
  }

  @Test
  void numbersThatTheCallerHasReplacedAreUsedWhenNoOtherIsLeft() {
    try (MmvApplication app = named("app").start()) {
      app.metric("a").counter();
    }
    try (MmvApplication app = named("app").start()) {
      app.together(() -> {
        app.metric("b").counter();
        app.metric("a").item(MmvLayout.MAX_ITEM).counter();
        for (int i = 2; i < MmvLayout.MAX_METRICS; i++) {
          app.metric("m" + i).counter();
        }
      });
      assertEquals(MmvLayout.MAX_METRICS, catalog.names().size());
    }
    assertEquals(List.of(), problems);
  }

  @Test
  void numbersOfFormerNamesAreUsedWhenNoOtherIsLeft() {
    for (int run = 0; run < 3; run++) {
      try (MmvApplication app = named("app").start()) {
        int number = run;
        app.together(() -> {
          for (int i = 0; i < MmvLayout.MAX_METRICS; i++) {
            app.metric("m" + number + "_" + i).gauge().set(i);
          }
        });
        assertEquals(MmvLayout.MAX_METRICS, catalog.names().size());
      }
    }
    assertEquals(List.of(), problems);
  }
}
