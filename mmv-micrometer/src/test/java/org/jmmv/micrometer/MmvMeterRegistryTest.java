package org.jmmv.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.NamingConvention;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jmmv.core.Metric;
import org.jmmv.core.TestCatalog;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Semantics;
import org.jmmv.writer.MmvApplication;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Meters, as the agent reads them. */
class MmvMeterRegistryTest {
  private final TestCatalog catalog = new TestCatalog();
  private final List<String> problems = new ArrayList<>();
  private final MockClock clock = new MockClock();
  private MmvMeterRegistry registry = registry(4_096);

  private MmvMeterRegistry registry(int maxValues) {
    return new MmvMeterRegistry(
        MmvApplication.named("app")
            .directory(catalog.directory())
            .maxValues(maxValues)
            .onProblem(problems::add),
        clock);
  }

  @AfterEach
  void close() {
    registry.close();
    catalog.close();
  }

  /** Returns the values of a metric below {@code mmv.app}. */
  private String values(String name) {
    registry.poll();
    return catalog.values(metric(name).pmid());
  }

  private Metric metric(String name) {
    assertTrue(catalog.names().contains("mmv.app." + name), name);
    return catalog.metric("mmv.app." + name);
  }

  private String instances(String name) {
    return catalog.instances(metric(name).inDom());
  }

  @Test
  void metersWithoutTagsAreMetrics() {
    Counter.builder("bytes.sent")
        .baseUnit("bytes")
        .description("Sent")
        .register(registry)
        .increment(3);
    AtomicInteger queue = registry.gauge("queue", new AtomicInteger(7));
    registry.more().counter("function", Tags.empty(), new AtomicInteger(4));

    assertEquals("3.0", values("bytes.sent"));
    assertEquals(Semantics.COUNTER, metric("bytes.sent").semantics());
    assertEquals(1 << 28, metric("bytes.sent").units());
    assertEquals("Sent", metric("bytes.sent").oneLine());
    assertEquals("7.0", values("queue"));
    queue.set(8);
    assertEquals("8.0", values("queue"));
    assertEquals(Semantics.INSTANT, metric("queue").semantics());
    assertEquals("4.0", values("function"));
    assertEquals(Semantics.COUNTER, metric("function").semantics());
  }

  @Test
  void tagsAreInstancesWithLabels() {
    registry.counter("requests", "uri", "/a b", "status", "200").increment();
    registry.counter("requests", "uri", "/a_b", "status", "200").increment(2);
    registry.counter("requests", "status", "x".repeat(300), "uri", "/").increment(4);

    assertEquals("1=1.0 2=2.0 3=4.0", values("requests"));
    String cut = "status=" + "x".repeat(248);
    assertEquals("1=status=200,uri=/a_b 2=status=200,uri=/a_b~2 3=" + cut, instances("requests"));
    assertEquals(
        "1={\"status\":\"200\",\"uri\":\"/a b\"} 2={\"status\":\"200\",\"uri\":\"/a_b\"} 3={\"uri\":\"/\"}",
        catalog.labels(metric("requests").inDom(), LabelType.INSTANCES));
  }

  @Test
  void tagsWhoseKeysAreTheSameInPcpHaveOtherLabels() {
    registry.counter("c", "a-b", "1", "a.b", "2", "a_b", "3").increment();
    assertEquals(
        "1={\"a_b\":\"1\",\"a_b_2\":\"2\",\"a_b_3\":\"3\"}",
        catalog.labels(metric("c").inDom(), LabelType.INSTANCES));
  }

  @Test
  void tagsMayBeOfAnyLengthAndEndBetweenCharacters() {
    registry.counter("requests", "uri", "a".repeat(5_000_000)).increment();
    registry.counter("requests", "uri", "b" + "\ud83d\ude00".repeat(1_000_000)).increment(2);
    assertEquals("1=1.0 2=2.0", values("requests"));
    assertEquals(
        "1=uri=%s 2=uri=b%s".formatted("a".repeat(251), "\u00f0\u009f\u0098\u0080".repeat(62)),
        instances("requests"));
  }

  @Test
  void timersHaveCountTimeAndMaximum() {
    Timer timer = registry.timer("requests");
    timer.record(2, TimeUnit.MILLISECONDS);
    timer.record(1, TimeUnit.SECONDS);
    assertEquals("2", values("requests.count"));
    assertEquals("1002000000", values("requests.time"));
    assertEquals("1.0", values("requests.max"));

    registry.more().timer("f", Tags.empty(), this, _ -> 3, _ -> 5, TimeUnit.MICROSECONDS);
    assertEquals("3.0", values("f.count"));
    assertEquals("5000.0", values("f.time"));
  }

  @Test
  void summariesAndTasksInProgressHaveTheirStatistics() {
    DistributionSummary summary =
        DistributionSummary.builder("sizes").baseUnit("bytes").scale(2).register(registry);
    summary.record(3);
    summary.record(4);
    assertEquals("2", values("sizes.count"));
    assertEquals("14.0", values("sizes.total"));
    assertEquals("8.0", values("sizes.max"));

    LongTaskTimer tasks = LongTaskTimer.builder("tasks").register(registry);
    tasks.start();
    clock.add(Duration.ofSeconds(5));
    tasks.start();
    clock.add(Duration.ofSeconds(1));
    assertEquals("2.0", values("tasks.active"));
    assertEquals("7.0", values("tasks.duration"));
    assertEquals("6.0", values("tasks.max"));
  }

  /** Other registries throw no exception, either. */
  @Test
  void amountsThatAScaleMakesInvalidAreIgnored() {
    for (double scale : new double[] {0, -1, Double.NaN}) {
      DistributionSummary summary =
          DistributionSummary.builder("s").scale(scale).register(registry);
      summary.record(Double.POSITIVE_INFINITY);
      assertEquals(0, summary.count());
      summary.record(0);
      assertEquals(0, summary.totalAmount());
      registry.remove(summary);
    }
  }

  @Test
  void percentilesAndBucketsAreInstances() {
    Timer timer =
        Timer.builder("t")
            .publishPercentiles(0.5, 0.9)
            .serviceLevelObjectives(Duration.ofMillis(10), Duration.ofMillis(100))
            .register(registry);
    timer.record(20, TimeUnit.MILLISECONDS);
    assertEquals("1=phi=0.5 2=phi=0.9", instances("t.percentile"));
    assertTrue(values("t.percentile").matches("1=0.0[12][0-9]+ 2=0.0[12][0-9]+"));
    assertEquals("1=0.0 2=1.0 3=1.0", values("t.histogram"));
    assertEquals("1=le=0.01 2=le=0.1 3=le=+Inf", instances("t.histogram"));
  }

  @Test
  void readersSeeAMeterWithItsPercentilesAndBucketsAtOnce() {
    List<String> before = new ArrayList<>(); // what they see while something is added
    NamingConvention reading =
        (name, type, unit) -> {
          before.addAll(catalog.names());
          return name;
        };
    registry.config().namingConvention(reading);
    Timer.builder("t").publishPercentiles(0.5).publishPercentileHistogram().register(registry);
    assertEquals(List.of(), before);
    assertEquals(
        Stream.of("count", "histogram", "max", "percentile", "time")
            .map("mmv.app.t."::concat)
            .toList(),
        catalog.names());
  }

  @Test
  void bucketsBelowAMicrosecondAreToldApart() {
    Timer timer =
        Timer.builder("t")
            .publishPercentiles(0, 0.9999999, 1)
            .serviceLevelObjectives(Duration.ofNanos(100), Duration.ofNanos(200))
            .register(registry);
    timer.record(150, TimeUnit.NANOSECONDS);
    assertEquals("1=0.0 2=1.0 3=1.0", values("t.histogram"));
    assertEquals("1=le=1.0E-7 2=le=2.0E-7 3=le=+Inf", instances("t.histogram"));
    assertEquals("1=phi=0 2=phi=0.9999999 3=phi=1", instances("t.percentile"));
  }

  @Test
  void bucketsCountFromTheStartOn() {
    Timer timer = Timer.builder("t").publishPercentileHistogram().register(registry);
    DistributionSummary summary =
        DistributionSummary.builder("s").serviceLevelObjectives(1.0).register(registry);
    for (int i = 1; i <= 3; i++) {
      timer.record(2, TimeUnit.MINUTES);
      summary.record(0.5);
      clock.add(10, TimeUnit.MINUTES);
      assertEquals("1=%d.0 2=%1$d.0".formatted(i), values("s.histogram"));
      assertEquals(i + ".0", values("t.histogram").replaceFirst(".*=", ""));
    }
    assertTrue(instances("t.histogram").endsWith("=le=+Inf"), instances("t.histogram"));
    assertEquals(Semantics.COUNTER, metric("s.histogram").semantics());
  }

  @Test
  void noBucketHasMoreValuesThanAllTogether() {
    Timer timer =
        Timer.builder("t").serviceLevelObjectives(Duration.ofSeconds(1)).register(registry);
    AtomicBoolean isOver = new AtomicBoolean();
    CompletableFuture<Void> recording =
        CompletableFuture.runAsync(() -> {
          while (!isOver.get()) {
            timer.record(1, TimeUnit.MILLISECONDS);
          }
        });
    try {
      for (int i = 0; i < 20_000; i++) {
        CountAtBucket[] counts = timer.takeSnapshot().histogramCounts();
        assertTrue(counts[0].count() <= counts[1].count(), () -> Arrays.toString(counts));
      }
    } finally {
      isOver.set(true);
      recording.join();
    }
  }

  @Test
  void percentilesAndBucketsAreThoseOfNowWhateverElseIsAsked() {
    registry.config().meterFilter(MeterFilter.denyNameStartsWith("denied.histogram"));
    for (String name : List.of("s", "denied")) {
      DistributionSummary summary =
          DistributionSummary.builder(name)
              .publishPercentiles(1)
              .serviceLevelObjectives(10, 1_000)
              .register(registry);
      for (int i = 1; i <= 5; i++) {
        double amount = Math.pow(10, i);
        summary.record(amount);
        String largest = values(name + ".percentile").substring("1=".length());
        assertEquals(amount, Double.parseDouble(largest), amount / 10, name);
        if (name.equals("s")) {
          assertEquals(1, registry.get("s.histogram").tag("le", "10").gauge().value());
          assertEquals("1=1.0 2=%d.0 3=%d.0".formatted(Math.min(i, 3), i), values("s.histogram"));
        }
      }
    }
  }

  /** The poller asks in a thread of its own as soon as the gauge is there. */
  @Test
  void aGaugeHasNoValueUntilItIsAsked() {
    CompletableFuture<Number> answer = new CompletableFuture<>();
    Gauge.builder("g", answer::join).register(registry);
    String before = catalog.values(metric("g").pmid());
    answer.complete(42);
    assertEquals("no value", before);
    assertEquals("42.0", values("g"));
  }

  @Test
  void aMeterThatFailsHasNoValueAndOthersAreAsked() {
    AtomicInteger number = new AtomicInteger();
    registry
        .more()
        .counter(
            "c",
            List.of(),
            number,
            one -> {
              if (one.get() < 0) {
                throw new NoClassDefFoundError("as in a class loader that is closed");
              }
              return one.get();
            });
    registry.gauge("g", number);
    for (int value : new int[] {1, -1, 2}) {
      number.set(value);
      assertEquals(value < 0 ? "no value" : value + ".0", values("c"));
      assertEquals(value + ".0", values("g"));
    }
  }

  @Test
  void otherMetersHaveAMetricForEachStatistic() {
    Meter.builder(
            "other",
            Meter.Type.OTHER,
            List.of(
                new Measurement(() -> 1.5, Statistic.VALUE),
                new Measurement(() -> 2.0, Statistic.COUNT),
                new Measurement(() -> 3.0, Statistic.TOTAL_TIME)))
        .register(registry);
    assertEquals("1.5", values("other.value"));
    assertEquals("2.0", values("other.count"));
    assertEquals(Semantics.COUNTER, metric("other.count").semantics());
    assertEquals("3.0", values("other.total"));
    assertEquals(Semantics.COUNTER, metric("other.total").semantics());
  }

  @Test
  void aMeterThatIsRemovedHasNoValueAndCountsFromZeroWhenItComesBack() {
    Counter counter = registry.counter("c", "k", "v");
    counter.increment(5);
    Timer timer = registry.timer("t");
    timer.record(1, TimeUnit.SECONDS);
    Gauge gauge = Gauge.builder("g", () -> 3).register(registry);
    values("g");
    List.of(counter, timer, gauge).forEach(registry::remove);
    for (String name : List.of("c", "t.count", "t.time", "t.max", "g")) {
      assertEquals("no value", values(name), name);
    }
    counter.increment(); // by somebody who still has it
    timer.record(1, TimeUnit.SECONDS);
    assertEquals("no value", values("c"));
    assertEquals("no value", values("t.count"));
    assertEquals(5, counter.count());
    assertEquals(1, timer.count());
    assertEquals(0, registry.counter("c", "k", "v").count());
    registry.counter("c", "k", "v").increment();
    registry.timer("t").record(1, TimeUnit.NANOSECONDS);
    assertEquals("1=1.0", values("c"));
    assertEquals("1", values("t.count"));
    assertEquals("1", values("t.time"));
  }

  @Test
  void namesAreThoseOfPcp() {
    registry.counter("http.2xx-answers.").increment();
    registry.counter("größe", "1st tag", "v").increment();
    assertEquals("1.0", values("http.x2xx_answers"));
    assertEquals("1=1.0", values("gr__e"));
    assertEquals(
        "{\"x1st_tag\":\"v\"}",
        catalog.labels(metric("gr__e").inDom(), LabelType.INSTANCES).substring(2));
  }

  @Test
  void metersWhoseNamesAreTheSameInPcpHaveOthers() {
    registry.counter("a-b").increment(1);
    registry.counter("a_b").increment(2);
    registry.counter("a_b", "k", "v").increment(3);
    registry.counter("订单").increment(4);
    registry.counter("用户").increment(5);
    registry.timer("t");
    registry.gauge("t.max", 6);
    registry.counter("a-b").increment(1);
    assertEquals("2.0", values("a_b"));
    assertEquals("2.0", values("a_b_2"));
    assertEquals("1=3.0", values("a_b_3"));
    assertEquals("4.0", values("x__"));
    assertEquals("5.0", values("x___2"));
    assertEquals("0.0", values("t.max"));
    assertEquals("6.0", values("t_max"));
  }

  @Test
  void anotherNamingConventionIsHonoured() {
    registry.config().namingConvention(NamingConvention.snakeCase);
    registry.counter("orders.late").increment();
    assertEquals("1.0", values("orders_late"));
  }

  @Test
  void tagsMayHaveAnyCharacters() {
    registry.counter("c", "k", "don\u0080t \u2028 \u009f\n").increment();
    assertEquals("1=1.0", values("c"));
    assertEquals("1=k=don_t_____", instances("c"));
  }

  @Test
  void metersThatCanNotShareANameHaveOthers() {
    registry.counter("a").increment(1);
    registry.counter("a.b").increment(2);
    registry.counter("a.b.c").increment(3);
    registry.gauge("a", Tags.of("k", "v"), 4);
    registry.counter("x.y").increment(5);
    registry.counter("x").increment(6);
    assertEquals("1.0", values("a"));
    assertEquals("2.0", values("a_b"));
    assertEquals("3.0", values("a_b_c"));
    assertEquals("1=4.0", values("a_2"));
    assertEquals("1={\"k\":\"v\"}", catalog.labels(metric("a_2").inDom(), LabelType.INSTANCES));
    assertEquals("5.0", values("x.y"));
    assertEquals("6.0", values("x_2"));
    registry.counter("a.b").increment(2);
    assertEquals("4.0", values("a_b"));
    registry.counter("a.b", "k", "v").increment(7); // for both reasons
    assertEquals("1=7.0", values("a_b_2"));
  }

  @Test
  void filtersAreHonoured() {
    registry.config().meterFilter(MeterFilter.denyNameStartsWith("jvm"));
    registry.config().meterFilter(MeterFilter.renameTag("a", "old", "new"));
    registry.config().commonTags("region", "eu");
    registry.counter("jvm.a").increment();
    registry.counter("a", "old", "v").increment();
    assertEquals("1=1.0", values("a"));
    assertEquals(List.of("mmv.app.a"), catalog.names());
    assertEquals("1=new=v,region=eu", instances("a"));
  }

  @Test
  void metersWithoutRoomWorkAndNobodyReadsThem() {
    registry.close();
    registry = registry(5);
    for (int i = 0; i < 20; i++) {
      registry.counter("c", "k", "v" + i).increment(i);
      registry.timer("t", "k", "v" + i).record(i, TimeUnit.SECONDS);
      int value = i;
      Gauge.builder("g" + i, () -> value).register(registry);
    }
    assertEquals(19, registry.counter("c", "k", "v19").count());
    assertEquals(19, registry.timer("t", "k", "v19").totalTime(TimeUnit.SECONDS));
    assertEquals("1=0.0", values("c"));
    assertEquals("1=0", values("t.time"));
    assertEquals(1, problems.size(), problems::toString);
  }

  @Test
  void aMeterWithoutRoomHasNoValueOfAnother() {
    registry.close();
    registry = registry(2);
    Timer first = registry.timer("t", "k", "a b"); // there is no room for its maximum
    Timer second = registry.timer("t", "k", "a_b"); // the same instance, if it were the only one
    second.record(1, TimeUnit.SECONDS);
    assertEquals(0, first.count());
    assertEquals("1=0", values("t.count"));
  }

  @Test
  void theFileIsDeletedWhenTheRegistryIsClosed() {
    registry.counter("c").increment();
    assertTrue(Files.exists(catalog.directory().resolve("app")));
    registry.close();
    assertFalse(Files.exists(catalog.directory().resolve("app")));
    assertEquals(List.of(), problems);
  }
}
