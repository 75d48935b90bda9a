package org.jmmv.core;

import static java.util.stream.Collectors.toSet;
import static org.jmmv.core.TestCatalog.inDom;
import static org.jmmv.core.TestCatalog.pmid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jmmv.pcp.PmidList;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.CpuTime;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the values of metrics are, of one file and of files that share a metric. */
class ValuesTest {
  private static final int SERIAL = 5;

  @AutoClose private final TestCatalog catalog = new TestCatalog();

  /** A file of cluster 1. */
  private static MmvWriter file() {
    return new MmvWriter(2).cluster(1);
  }

  /** An instance domain with the instances 0, 1 and so on. */
  private static MmvWriter.InDom inDomOf(MmvWriter file, int instances) {
    MmvWriter.InDom inDom = file.inDom(SERIAL);
    IntStream.range(0, instances).forEach(i -> inDom.instance(i, "instance" + i));
    return inDom;
  }

  /** A metric's type, the 8 bytes of a value, and its text. */
  private record Sample(int type, long bits, String text) {
    static Sample of(float number, String text) {
      return new Sample(ValueType.FLOAT, MmvWriter.word(Float.floatToRawIntBits(number)), text);
    }

    static Sample of(double number, String text) {
      return new Sample(ValueType.DOUBLE, Double.doubleToRawLongBits(number), text);
    }
  }

  private static final List<Sample> SAMPLES =
      List.of(
          new Sample(ValueType.I32, MmvWriter.word(-5), "-5"),
          new Sample(ValueType.I32, MmvWriter.word(-1), "-1"),
          new Sample(ValueType.U32, MmvWriter.word(-1), "4294967295"),
          new Sample(ValueType.U32, MmvWriter.word(0), "0"),
          new Sample(ValueType.I64, Long.MIN_VALUE, "-9223372036854775808"),
          new Sample(ValueType.I64, 5, "5"),
          new Sample(ValueType.U64, -2, "18446744073709551614"),
          Sample.of(1.5f, "1.5"),
          Sample.of(Float.NEGATIVE_INFINITY, "-Infinity"),
          Sample.of(-2.5, "-2.5"),
          Sample.of(Double.MIN_VALUE, "4.9E-324"),
          new Sample(MmvWriter.ELAPSED, 7_000_000, "7000000"));

  private static final List<Sample> SENTINELS =
      List.of(
          new Sample(ValueType.I32, -1, "-1"),
          new Sample(ValueType.U32, -1, "4294967295"),
          new Sample(ValueType.I64, -1, "-1"),
          new Sample(ValueType.U64, -1, "18446744073709551615"),
          Sample.of(Float.NaN, "NaN"),
          Sample.of(Double.NaN, "NaN"),
          new Sample(MmvWriter.ELAPSED, -1, "-1"));

  /** Writes a singular metric for each sample, the items 0, 1 and so on, and reads them. */
  private List<String> valuesOf(MmvWriter file, List<Sample> samples) {
    for (int i = 0; i < samples.size(); i++) {
      file.metric("m" + i, i, samples.get(i).type).raw(samples.get(i).bits, 0);
    }
    catalog.write("app", file);
    return catalog.values(InstanceFilter.ALL, pmids(samples.size()));
  }

  private static int[] pmids(int count) {
    return IntStream.range(0, count).map(item -> pmid(1, item)).toArray();
  }

  private static List<String> texts(List<Sample> samples) {
    return samples.stream().map(Sample::text).toList();
  }

  private String value() {
    return catalog.values(pmid(1, 1));
  }

  // ---------------------------------------------------------------- types

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void allTypesHaveValues(int version) {
    assertEquals(texts(SAMPLES), valuesOf(new MmvWriter(version).cluster(1), SAMPLES));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1 << 20})
  void aStringWhoseOffsetIsOutsideTheFileHasNoValue(long offset) {
    MmvWriter file = file().flags(MmvWriter.SENTINEL);
    file.metric("m", 1, ValueType.STRING).raw(0, offset);
    catalog.write("app", file);
    assertEquals("PM_ERR_GENERIC", value());
  }

  @Test
  void valuesAreThoseOfTheMoment() {
    MmvWriter file = file();
    file.metric("m", 1, ValueType.I64).value(1);
    Path path = catalog.write("app", file);
    assertEquals("1", value());
    MmvWriter.storeLong(path, file.valueAt(0), 2);
    assertEquals("2", value());
  }

  private static long microsecondsNow() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  @Test
  void theTimeOfASectionInProgressIsAdded() {
    long begun = microsecondsNow() - 3_600_000_000L;
    MmvWriter file = file();
    file.metric("a", 1, MmvWriter.ELAPSED).raw(500, -begun);
    file.metric("b", 2, MmvWriter.ELAPSED).raw(700, -begun);
    catalog.write("app", file);
    catalog.names();
    long before = microsecondsNow();
    long[] values =
        catalog.values(InstanceFilter.ALL, pmid(1, 1), pmid(1, 2)).stream()
            .mapToLong(Long::parseLong)
            .toArray();
    long after = microsecondsNow();
    long a = values[0];
    assertTrue(a >= 500 + before - begun && a <= 500 + after - begun, a + " µs");
    assertEquals(200, values[1] - a, "both at the same moment");
  }

  @Test
  void anIdleSectionHasTheTimeThatItHasHad() {
    MmvWriter file = file();
    file.metric("m", 1, MmvWriter.ELAPSED).raw(500, 0);
    file.metric("odd", 2, MmvWriter.ELAPSED).raw(600, 1_000_000);
    catalog.write("app", file);
    assertEquals(List.of("500", "600"), catalog.values(InstanceFilter.ALL, pmid(1, 1), pmid(1, 2)));
  }

  // ---------------------------------------------------------------- sentinels

  @Test
  void sentinelsAreNoValues() {
    assertEquals(
        SENTINELS.stream().map(_ -> "no value").toList(),
        valuesOf(file().flags(MmvWriter.SENTINEL), SENTINELS));
  }

  @Test
  void sentinelsAreValuesInAFileThatHasNone() {
    assertEquals(texts(SENTINELS), valuesOf(file(), SENTINELS));
  }

  @Test
  void anEmptyStringIsASentinel() {
    MmvWriter file = file().flags(MmvWriter.SENTINEL);
    file.metric("empty", 1, ValueType.STRING).text("");
    file.metric("text", 2, ValueType.STRING).text("x");
    catalog.write("app", file);
    assertEquals(
        List.of("no value", "x"), catalog.values(InstanceFilter.ALL, pmid(1, 1), pmid(1, 2)));
  }

  /** Any metrics, any sentinels among their values, any filter: compared with a simple model. */
  @RepeatedTest(100)
  void valuesAreRightWhateverIsLeftOut(RepetitionInfo repetition) {
    var random = new SplittableRandom(repetition.getCurrentRepetition());
    List<Sample> all = Stream.concat(SAMPLES.stream(), SENTINELS.stream()).toList();
    MmvWriter file = file().flags(MmvWriter.SENTINEL);
    int instances = 1 + random.nextInt(6);
    MmvWriter.InDom inDom = inDomOf(file, instances);
    boolean include = random.nextBoolean();
    Set<Integer> listed = random.ints(random.nextInt(4), 0, instances + 1).boxed().collect(toSet());
    List<String> expected = new ArrayList<>();
    for (int item = 0; item < 8; item++) {
      int type = all.get(random.nextInt(all.size())).type;
      List<Sample> ofType = all.stream().filter(sample -> sample.type == type).toList();
      MmvWriter.Metric metric = file.metric("m" + item, item, type).inDom(inDom);
      List<String> values = new ArrayList<>();
      String reason = "no value";
      for (int i = 0; i < instances; i++) {
        Sample sample = ofType.get(random.nextInt(ofType.size()));
        boolean isSelected = include != listed.contains(i);
        if (random.nextInt(4) == 0) {
          reason = isSelected ? "PM_ERR_INST" : reason;
          continue;
        }
        metric.rawAt(i, sample.bits, 0);
        if (isSelected && SENTINELS.contains(sample)) {
          reason = "no value";
        } else if (isSelected) {
          values.add(i + "=" + sample.text);
        }
      }
      expected.add(values.isEmpty() ? reason : String.join(" ", values));
    }
    catalog.write("app", file);
    InstanceFilter filter = new InstanceFilter(true);
    filter.set(inDom(1, SERIAL), include, listed.stream().mapToInt(Integer::intValue).toArray());
    int[] order = random.ints(12, 0, expected.size()).toArray();
    assertEquals(
        Arrays.stream(order).mapToObj(expected::get).toList(),
        catalog.values(filter, Arrays.stream(order).map(item -> pmid(1, item)).toArray()));
  }

  // ---------------------------------------------------------------- metrics without values

  @ParameterizedTest
  @CsvSource({
    ValueType.NOSUPPORT + ",PM_ERR_APPVERSION",
    "7,PM_ERR_TYPE",
    "8,PM_ERR_TYPE",
    "10,PM_ERR_TYPE",
    "255,PM_ERR_TYPE",
    "-2,PM_ERR_TYPE",
    Integer.MIN_VALUE + ",PM_ERR_TYPE"
  })
  void aMetricOfAnotherTypeHasNoValue(int type, String error) {
    MmvWriter file = file();
    file.metric("m", 1, type).value(1);
    file.metric("other", 2, ValueType.I64).value(2);
    catalog.write("app", file);
    assertEquals(List.of(error, "2"), catalog.values(InstanceFilter.ALL, pmid(1, 1), pmid(1, 2)));
  }

  @Test
  void aMetricWithoutAValueInTheFileHasNoInstance() {
    MmvWriter file = file();
    file.metric("singular", 1, ValueType.I64);
    file.metric("plural", 2, ValueType.I64).inDom(inDomOf(file, 2));
    catalog.write("app", file);
    assertEquals("PM_ERR_INST", catalog.values(pmid(1, 1)));
    assertEquals("PM_ERR_INST", catalog.values(pmid(1, 2)));
  }

  @Test
  void aMetricOverAnEmptyInstanceDomainHasNoValues() {
    MmvWriter file = file();
    file.metric("empty", 1, ValueType.I64).inDom(file.inDom(SERIAL)).value(1);
    catalog.write("app", file);
    assertEquals("no value", value());
  }

  // ---------------------------------------------------------------- files that share a metric

  /** A file whose item 1 has one value, or those of some of its two instances. */
  private static MmvWriter fileOf(int type, int... instances) {
    MmvWriter file = file();
    MmvWriter.InDom inDom = inDomOf(file, 2);
    MmvWriter.Metric metric = file.metric("m", 1, type);
    if (instances.length == 0) {
      metric.value(1);
    }
    for (int instance : instances) {
      metric.inDom(inDom).at(instance, 10 + instance);
    }
    file.metric("other", 2, ValueType.I64).value(2);
    return file;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFileWhoseMetricHasAnotherShapeGivesNoValues(boolean firstIsSingular) {
    MmvWriter singular = fileOf(ValueType.I64);
    MmvWriter plural = fileOf(ValueType.I64, 1);
    catalog.write("a", firstIsSingular ? singular : plural);
    catalog.write("b", firstIsSingular ? plural : singular);
    assertEquals(firstIsSingular ? "1" : "1=11", value());
    assertEquals("2", catalog.values(pmid(1, 2)));
    catalog.delete("a");
    assertEquals(firstIsSingular ? "1=11" : "1", value());
  }

  @Test
  void aFileWhoseMetricHasAnotherTypeGivesNoValues() {
    catalog.write("a", fileOf(ValueType.I64, 1));
    catalog.write("b", fileOf(ValueType.U32, 0, 1));
    assertEquals("1=11", value());
    catalog.delete("a");
    assertEquals("0=10 1=11", value());
  }

  @Test
  void filesWithoutAFittingValueAreNotAsked() {
    MmvWriter noValue = file();
    noValue.metric("m", 1, ValueType.I64);
    catalog.write("a", noValue);
    catalog.write("b", fileOf(ValueType.I64, 0, 1));
    assertEquals("PM_ERR_INST", value());
  }

  // ---------------------------------------------------------------- what it costs

  /** Otherwise this view would look a thousand million times whether a file has changed. */
  @Test
  void eachFileIsCheckedOncePerView() {
    for (int f = 0; f < 8_000; f++) {
      MmvWriter file = file();
      file.metric("m", 1, ValueType.U32).value(f);
      catalog.write("file" + f, file);
    }
    catalog.idle(); // a busy machine may have had no time for all of them
    int[] pmids = new int[1_000_000];
    Arrays.fill(pmids, pmid(1, 1));
    CpuTime.assertLinear(() -> {
      View view = catalog.catalog().begin(new Scope.OfMetrics(PmidList.of(pmids)));
      assertEquals("0", RecordingSink.read(view, view.metric(pmids[0]), InstanceFilter.ALL));
    });
  }

  private static final int MANY = 99_000;
  private static final int CHOSEN = MANY - 2;

  /**
   * A read costs the instances that the filter selects, not all instances: otherwise each of these
   * tests would take a minute.
   *
   * @param step one of {@code step} instances has a value
   * @param files in how many files the values are, by turns
   * @param isListed whether the filter lists the selected instance, or all others
   */
  @ParameterizedTest
  @CsvSource({"1,1,true", "1,1,false", "2,1,true", "2,1,false", "1,2,true"})
  void oneInstanceOfManyIsReadManyTimes(int step, int files, boolean isListed) {
    for (int f = 0; f < files; f++) {
      MmvWriter file = file();
      MmvWriter.Metric metric = file.metric("m", 1, ValueType.I64).inDom(inDomOf(file, MANY));
      for (int i = f; i < MANY; i += step * files) {
        metric.at(i, i);
      }
      catalog.write("file" + f, file);
    }
    InstanceFilter filter = new InstanceFilter(true);
    int[] listed =
        isListed ? new int[] {CHOSEN} : IntStream.range(0, MANY).filter(i -> i != CHOSEN).toArray();
    filter.set(inDom(1, SERIAL), !isListed, listed);
    int[] pmids = new int[200_000];
    Arrays.fill(pmids, pmid(1, 1));
    catalog.idle();
    CpuTime.assertLinear(() ->
        assertEquals(Set.of(CHOSEN + "=" + CHOSEN), Set.copyOf(catalog.values(filter, pmids))));
  }

  @Test
  void aFilterDoesNotConcernSingularMetrics() {
    catalog.write("app", fileOf(ValueType.I64));
    assertEquals(
        List.of("1", "1"),
        catalog.values(new InstanceFilter(false), pmid(1, 1), TestCatalog.FILES));
  }
}
