package org.jmmv.replies;

import static org.jmmv.replies.ServiceTester.inDom;
import static org.jmmv.replies.ServiceTester.pmid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jmmv.core.View;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.InDomProfile;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Value;
import org.jmmv.protocol.ValueSet;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FetchTest {
  private static final int LARGEST_PAGE = 65_536;
  private static final int SERIAL = 5;

  @TempDir Path root;
  private ServiceTester tester;

  @BeforeEach
  void start() {
    tester = new ServiceTester(root);
  }

  @AfterEach
  void stop() {
    tester.close();
  }

  /** A file of cluster 1. */
  private static MmvWriter file() {
    return new MmvWriter(2).cluster(1);
  }

  /** An instance domain with the instances 0, 1 and so on. */
  private static MmvWriter.InDom inDomOf(MmvWriter file, int instances) {
    MmvWriter.InDom inDom = file.inDom(SERIAL);
    for (int i = 0; i < instances; i++) {
      inDom.instance(i, "instance" + i);
    }
    return inDom;
  }

  /** A file of cluster 1 whose item 1 has the values 10, 11, … of the instances 0, 1, …. */
  private static MmvWriter fileWithInstances(int instances) {
    MmvWriter file = file();
    MmvWriter.Metric metric = file.metric("m", 1, ValueType.I32).inDom(inDomOf(file, instances));
    for (int i = 0; i < instances; i++) {
      metric.at(i, 10 + i);
    }
    return file;
  }

  private static int[] repeat(int pmid, int times) {
    int[] pmids = new int[times];
    Arrays.fill(pmids, pmid);
    return pmids;
  }

  /** A metric's type, the 8 bytes of a value, and what is to be sent. */
  private record Sample(int type, long bits, Value value) {}

  private static final List<Sample> SAMPLES =
      List.of(
          new Sample(ValueType.I32, MmvWriter.word(-5), new Value.Word(-5)),
          new Sample(ValueType.I32, MmvWriter.word(-1), new Value.Word(-1)),
          new Sample(ValueType.U32, MmvWriter.word(-1), new Value.Word(-1)),
          new Sample(ValueType.U32, MmvWriter.word(0), new Value.Word(0)),
          new Sample(ValueType.I64, Long.MIN_VALUE, Value.ofInteger(ValueType.I64, 1L << 63)),
          new Sample(ValueType.I64, 5, Value.ofInteger(ValueType.I64, 5)),
          new Sample(ValueType.U64, -2, Value.ofInteger(ValueType.U64, -2)),
          sample(1.5f),
          sample(Float.NEGATIVE_INFINITY),
          sample(-2.5),
          sample(Double.MIN_VALUE),
          new Sample(MmvWriter.ELAPSED, 7_000_000, Value.ofInteger(ValueType.I64, 7_000_000)));

  private static final List<Sample> SENTINELS =
      List.of(
          new Sample(ValueType.I32, -1, new Value.Word(-1)),
          new Sample(ValueType.U32, -1, new Value.Word(-1)),
          new Sample(ValueType.I64, -1, Value.ofInteger(ValueType.I64, -1)),
          new Sample(ValueType.U64, -1, Value.ofInteger(ValueType.U64, -1)),
          sample(Float.NaN),
          sample(Double.NaN),
          new Sample(MmvWriter.ELAPSED, -1, Value.ofInteger(ValueType.I64, -1)));

  private static Sample sample(float number) {
    long bits = MmvWriter.word(Float.floatToRawIntBits(number));
    return new Sample(ValueType.FLOAT, bits, Value.ofFloat(number));
  }

  private static Sample sample(double number) {
    long bits = Double.doubleToRawLongBits(number);
    return new Sample(ValueType.DOUBLE, bits, Value.ofDouble(number));
  }

  /** A file of cluster 1 with a singular metric for each sample, the items 0, 1 and so on. */
  private static MmvWriter fileOf(List<Sample> samples) {
    MmvWriter file = file();
    for (int i = 0; i < samples.size(); i++) {
      file.metric("m" + i, i, samples.get(i).type).raw(samples.get(i).bits, 0);
    }
    return file;
  }

  private static int[] pmids(int count) {
    return IntStream.range(0, count).map(item -> pmid(1, item)).toArray();
  }

  private static List<ValueSet> setsOf(List<Sample> samples) {
    return IntStream.range(0, samples.size())
        .mapToObj(i -> singular(pmid(1, i), samples.get(i).value))
        .toList();
  }

  private static ValueSet singular(int pmid, Value value) {
    return ValueSet.of(pmid, List.of(new InstanceValue(-1, value)));
  }

  private static Profile profile(boolean include, InDomProfile... inDoms) {
    return new Profile(0, 0, include, List.of(inDoms));
  }

  @Nested
  class Types {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void valuesOfAllTypesAreSentInOneReply(int version) {
      MmvWriter file = new MmvWriter(version).cluster(1);
      for (int i = 0; i < SAMPLES.size(); i++) {
        file.metric("m" + i, i, SAMPLES.get(i).type).raw(SAMPLES.get(i).bits, 0);
      }
      file.metric("text", SAMPLES.size(), ValueType.STRING).text("some text");
      tester.write("app", file);

      List<ValueSet> expected = new ArrayList<>(setsOf(SAMPLES));
      expected.add(singular(pmid(1, SAMPLES.size()), Value.ofText("some text")));
      assertEquals(expected, tester.fetch(pmids(SAMPLES.size() + 1)).sets());
    }

    @Test
    void aReplyIsLaidOutAsPcpReadsIt() {
      MmvWriter file = file();
      MmvWriter.InDom inDom = inDomOf(file, 2);
      file.metric("float", 0, ValueType.FLOAT).inDom(inDom).at(0, 1.0).at(1, 2.0);
      file.metric("int", 1, ValueType.U32).value(7);
      file.metric("text", 2, ValueType.STRING).text("abcd");
      tester.write("app", file);

      tester.send(Fetch.of(0, 0, pmid(1, 0), pmid(1, 9), pmid(1, 1), pmid(1, 2)));

      ByteBuf reply = tester.readBytes();
      String[] expected = {
        "00000080",
        "00007001",
        "00000000",
        "00000000",
        "00000000",
        "00000004",
        "11800400",
        "00000002",
        "00000001",
        "00000000",
        "00000019",
        "00000001",
        "0000001b",
        "11800409",
        "ffffcfba",
        "11800401",
        "00000001",
        "00000000",
        "ffffffff",
        "00000007",
        "11800402",
        "00000001",
        "00000001",
        "ffffffff",
        "0000001d",
        "04000008",
        "3f800000",
        "04000008",
        "40000000",
        "06000009",
        "61626364",
        "007e7e7e"
      };
      assertEquals(List.of(expected), List.of(ByteBufUtil.hexDump(reply).split("(?<=\\G.{8})")));
      reply.release();
    }

    @Test
    void stringsOfEveryLengthAreSent() {
      MmvWriter file = file();
      List<ValueSet> expected = new ArrayList<>();
      for (int length = 0; length <= 255; length++) {
        file.metric("m" + length, length, ValueType.STRING).text("\u00e4".repeat(length));
        expected.add(singular(pmid(1, length), Value.ofText("\u00e4".repeat(length))));
      }
      tester.write("app", file);

      assertEquals(expected, tester.fetch(pmids(256)).sets());
    }

    @Test
    void aStringWithoutItsEndIsCut() {
      MmvWriter file = file();
      file.metric("m", 1, ValueType.STRING).text("x".repeat(256));
      tester.write("app", file);

      assertEquals("x".repeat(255), tester.values(pmid(1, 1)));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1 << 20})
    void aStringWhoseOffsetIsOutsideTheFileHasNoValue(long offset) {
      MmvWriter file = file().flags(MmvWriter.SENTINEL);
      file.metric("m", 1, ValueType.STRING).raw(0, offset);
      tester.write("app", file);

      assertEquals("PM_ERR_GENERIC", tester.values(pmid(1, 1)));
    }

    @Test
    void valuesAreThoseOfTheMomentOfTheFetch() {
      MmvWriter file = file();
      file.metric("m", 1, ValueType.I64).value(1);
      Path path = tester.write("app", file);
      assertEquals("1", tester.values(pmid(1, 1)));

      MmvWriter.storeLong(path, file.valueAt(0), 2);

      assertEquals("2", tester.values(pmid(1, 1)));
    }
  }

  @Nested
  class ElapsedTimes {
    private static long microsecondsNow() {
      return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    @Test
    void theTimeOfASectionInProgressIsAdded() {
      long begun = microsecondsNow() - 3_600_000_000L;
      MmvWriter file = file();
      file.metric("a", 1, MmvWriter.ELAPSED).raw(500, -begun);
      file.metric("b", 2, MmvWriter.ELAPSED).raw(700, -begun);
      tester.write("app", file);
      tester.names();

      long before = microsecondsNow();
      List<ValueSet> sets = tester.fetch(pmid(1, 1), pmid(1, 2)).sets();
      long after = microsecondsNow();

      long a = sets.get(0).values().getFirst().value().asLong();
      long b = sets.get(1).values().getFirst().value().asLong();
      assertTrue(a >= 500 + before - begun && a <= 500 + after - begun, a + " µs");
      assertEquals(200, b - a, "both at the same moment");
    }

    @Test
    void anIdleSectionHasTheTimeThatItHasHad() {
      MmvWriter file = file();
      file.metric("m", 1, MmvWriter.ELAPSED).raw(500, 0);
      file.metric("odd", 2, MmvWriter.ELAPSED).raw(600, 1_000_000);
      tester.write("app", file);

      assertEquals("500", tester.values(pmid(1, 1)));
      assertEquals("600", tester.values(pmid(1, 2)));
    }
  }

  @Nested
  class Sentinels {
    @Test
    void sentinelsAreNoValues() {
      tester.write("app", fileOf(SENTINELS).flags(MmvWriter.SENTINEL));

      List<ValueSet> expected =
          IntStream.range(0, SENTINELS.size()).mapToObj(i -> ValueSet.none(pmid(1, i), 0)).toList();
      assertEquals(expected, tester.fetch(pmids(SENTINELS.size())).sets());
    }

    @Test
    void sentinelsAreValuesInAFileThatHasNone() {
      tester.write("app", fileOf(SENTINELS));

      assertEquals(setsOf(SENTINELS), tester.fetch(pmids(SENTINELS.size())).sets());
    }

    @Test
    void otherValuesAreNoSentinels() {
      tester.write("app", fileOf(SAMPLES).flags(MmvWriter.SENTINEL));

      assertEquals(setsOf(SAMPLES), tester.fetch(pmids(SAMPLES.size())).sets());
    }

    @Test
    void anEmptyStringIsASentinel() {
      MmvWriter file = file().flags(MmvWriter.SENTINEL);
      file.metric("empty", 1, ValueType.STRING).text("");
      file.metric("text", 2, ValueType.STRING).text("x");
      tester.write("app", file);

      assertEquals("", tester.values(pmid(1, 1)));
      assertEquals(0, tester.fetch(pmid(1, 1)).sets().getFirst().status());
      assertEquals("x", tester.values(pmid(1, 2)));
    }

    @Test
    void theLastInstanceTellsWhyThereIsNoValue() {
      MmvWriter file = file().flags(MmvWriter.SENTINEL);
      MmvWriter.InDom inDom = inDomOf(file, 2);
      file.metric("a", 1, ValueType.I64).inDom(inDom).at(0, -1);
      file.metric("b", 2, ValueType.I64).inDom(inDom).at(1, -1);
      tester.write("app", file);

      assertEquals("PM_ERR_INST", tester.values(pmid(1, 1)));
      assertEquals("", tester.values(pmid(1, 2)));
    }

    /** Any metrics, any sentinels among their values, any profile: compared with a simple model. */
    @RepeatedTest(100)
    void repliesAreRightWhateverIsLeftOut(RepetitionInfo repetition) {
      var random = new SplittableRandom(repetition.getCurrentRepetition());
      List<Sample> all = Stream.concat(SAMPLES.stream(), SENTINELS.stream()).toList();
      MmvWriter file = file().flags(MmvWriter.SENTINEL);
      int instances = 1 + random.nextInt(6);
      MmvWriter.InDom inDom = inDomOf(file, instances);
      boolean include = random.nextBoolean();
      int[] listed = random.ints(random.nextInt(4), 0, instances + 1).toArray();
      List<ValueSet> sets = new ArrayList<>();
      for (int item = 0; item < 8; item++) {
        int type = all.get(random.nextInt(all.size())).type;
        List<Sample> ofType = all.stream().filter(sample -> sample.type == type).toList();
        MmvWriter.Metric metric = file.metric("m" + item, item, type).inDom(inDom);
        List<InstanceValue> values = new ArrayList<>();
        int status = 0;
        for (int i = 0; i < instances; i++) {
          Sample sample = ofType.get(random.nextInt(ofType.size()));
          boolean wanted = include != contains(listed, i);
          if (random.nextInt(4) == 0) {
            status = wanted ? PmError.INST.code() : status;
            continue;
          }
          metric.rawAt(i, sample.bits, 0);
          if (wanted && SENTINELS.contains(sample)) {
            status = 0;
          } else if (wanted) {
            values.add(new InstanceValue(i, sample.value));
          }
        }
        int pmid = pmid(1, item);
        sets.add(values.isEmpty() ? ValueSet.none(pmid, status) : ValueSet.of(pmid, values));
      }
      tester.write("app", file);
      tester.send(profile(true, new InDomProfile(inDom(1, SERIAL), include, listed)));
      int[] order = random.ints(12, 0, sets.size()).toArray();

      List<ValueSet> expected = Arrays.stream(order).mapToObj(sets::get).toList();
      int[] pmids = Arrays.stream(order).map(item -> pmid(1, item)).toArray();
      assertEquals(expected, tester.fetch(pmids).sets());
    }

    private static boolean contains(int[] numbers, int number) {
      return Arrays.stream(numbers).anyMatch(other -> other == number);
    }
  }

  @Nested
  class MetricsWithoutValues {
    @Test
    void aMetricThatTheApplicationDoesNotSupportSaysSo() {
      MmvWriter file = file();
      file.metric("m", 1, ValueType.NOSUPPORT).value(1);
      tester.write("app", file);

      assertEquals("PM_ERR_APPVERSION", tester.values(pmid(1, 1)));
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 8, 10, 255, -2, Integer.MIN_VALUE})
    void aMetricOfAnUnknownTypeHasNoValue(int type) {
      MmvWriter file = file();
      file.metric("m", 1, type).value(1);
      file.metric("other", 2, ValueType.I64).value(2);
      tester.write("app", file);

      assertEquals("PM_ERR_TYPE", tester.values(pmid(1, 1)));
      assertEquals("2", tester.values(pmid(1, 2)));
    }

    @Test
    void aMetricWithoutAValueInTheFileHasNoInstance() {
      MmvWriter file = file();
      file.metric("singular", 1, ValueType.I64);
      file.metric("plural", 2, ValueType.I64).inDom(inDomOf(file, 2));
      tester.write("app", file);

      assertEquals("PM_ERR_INST", tester.values(pmid(1, 1)));
      assertEquals("PM_ERR_INST", tester.values(pmid(1, 2)));
    }

    @Test
    void anInstanceWithoutAValueIsLeftOut() {
      MmvWriter file = file();
      file.metric("m", 1, ValueType.I64).inDom(inDomOf(file, 4)).at(2, 12).at(0, 10);
      tester.write("app", file);

      assertEquals("0=10 2=12", tester.values(pmid(1, 1)));
    }

    @Test
    void aMetricOverAnEmptyInstanceDomainHasNoValues() {
      MmvWriter file = file();
      file.metric("empty", 2, ValueType.I64).inDom(file.inDom(SERIAL)).value(1);
      tester.write("app", file);

      assertEquals(List.of(ValueSet.none(pmid(1, 2), 0)), tester.fetch(pmid(1, 2)).sets());
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, Integer.MIN_VALUE, 71 << 22 | 1 << 10 | 1})
    void aPmidOfNoMetricIsAnErrorAmongTheOthersValues(int unknown) {
      tester.write("app", fileWithInstances(2));

      List<ValueSet> sets = tester.fetch(unknown, pmid(1, 1), pmid(1, 2), pmid(0, 4)).sets();

      assertEquals(
          List.of("PM_ERR_PMID", "0=10 1=11", "PM_ERR_PMID", "PM_ERR_PMID"),
          sets.stream().map(ServiceTester::text).toList());
    }

    @Test
    void aMetricAskedForAgainIsAnsweredAgain() {
      MmvWriter file = fileWithInstances(2);
      file.metric("text", 2, ValueType.STRING).text("twice");
      tester.write("app", file);

      List<ValueSet> sets =
          tester.fetch(pmid(1, 2), pmid(1, 1), pmid(1, 2), pmid(1, 2), pmid(1, 1)).sets();

      assertEquals(
          List.of("twice", "0=10 1=11", "twice", "twice", "0=10 1=11"),
          sets.stream().map(ServiceTester::text).toList());
    }
  }

  @Nested
  class FilesThatShareAMetric {
    @Test
    void eachInstanceHasTheValueOfTheFirstFileThatHasOne() {
      MmvWriter a = file();
      a.metric("m", 1, ValueType.I64).inDom(inDomOf(a, 2)).at(1, 101);
      MmvWriter b = file();
      b.metric("m", 1, ValueType.I64).inDom(inDomOf(b, 4)).at(1, 201).at(0, 200).at(3, 203);
      tester.write("b", b);
      tester.write("a", a);
      assertEquals("0=200 1=101 3=203", tester.values(pmid(1, 1)));

      tester.delete("a");

      assertEquals("0=200 1=201 3=203", tester.values(pmid(1, 1)));
    }

    @Test
    void aFilesInstancesAreValuesEvenIfAnotherFileDefinesThem() {
      MmvWriter a = fileWithInstances(3);
      MmvWriter b = file();
      MmvWriter.InDom other = b.inDom(SERIAL).instance(1, "b's one").instance(9, "nine");
      b.metric("m", 1, ValueType.I32).inDom(other).at(9, 29).at(1, 21);
      tester.write("a", a);
      tester.write("b", b);

      assertEquals("0=10 1=11 2=12 9=29", tester.values(pmid(1, 1)));
    }

    /** A file whose item 1 of cluster 1 has one value, or those of some of its two instances. */
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
      tester.write("a", firstIsSingular ? singular : plural);
      tester.write("b", firstIsSingular ? plural : singular);

      assertEquals(firstIsSingular ? "1" : "1=11", tester.values(pmid(1, 1)));
      assertEquals("2", tester.values(pmid(1, 2)));
      tester.delete("a");
      assertEquals(firstIsSingular ? "1=11" : "1", tester.values(pmid(1, 1)));
    }

    @Test
    void aFileWhoseMetricHasAnotherTypeGivesNoValues() {
      tester.write("a", fileOf(ValueType.I64, 1));
      tester.write("b", fileOf(ValueType.U32, 0, 1));

      assertEquals("1=11", tester.values(pmid(1, 1)));
      tester.delete("a");
      assertEquals("0=10 1=11", tester.values(pmid(1, 1)));
    }

    /** Otherwise this fetch would look a thousand million times whether a file has changed. */
    @Test
    @Timeout(20)
    void eachFileIsCheckedOncePerFetch() {
      for (int f = 0; f < 8_000; f++) {
        MmvWriter file = file();
        file.metric("m", 1, ValueType.U32).value(f);
        tester.write("file" + f, file);
      }
      int[] pmids = new int[1_000_000];
      Arrays.fill(pmids, pmid(1, 1));

      tester.send(Fetch.of(0, 0, pmids));

      ByteBuf reply = tester.readBytes();
      assertEquals(24 + 20 * pmids.length, reply.readableBytes());
      reply.release();
    }

    @Test
    void filesWithoutAFittingValueAreNotAsked() {
      MmvWriter noValue = file();
      noValue.metric("m", 1, ValueType.I64);
      tester.write("a", noValue);
      tester.write("b", fileOf(ValueType.I64, 0, 1));

      assertEquals("PM_ERR_INST", tester.values(pmid(1, 1)));
    }
  }

  @Nested
  class Profiles {
    private static InDomProfile only(int... instances) {
      return new InDomProfile(inDom(1, SERIAL), false, instances);
    }

    private static InDomProfile allBut(int... instances) {
      return new InDomProfile(inDom(1, SERIAL), true, instances);
    }

    static List<List<Object>> profiles() {
      InDomProfile other = new InDomProfile(inDom(1, SERIAL + 1), false, 1);
      return List.of(
          List.of(profile(true), "0=10 1=11 2=12 3=13"),
          List.of(profile(false), ""),
          List.of(profile(true, other), "0=10 1=11 2=12 3=13"),
          List.of(profile(false, other), ""),
          List.of(profile(true, only(2)), "2=12"),
          List.of(profile(false, only(2)), "2=12"),
          List.of(profile(false, other, only(3, 0)), "0=10 3=13"),
          List.of(profile(false, only(3, 3, 1, 3)), "1=11 3=13"),
          List.of(profile(false, only(7, -1, 2)), "2=12"),
          List.of(profile(false, only(7)), ""),
          List.of(profile(true, only()), ""),
          List.of(profile(false, allBut()), "0=10 1=11 2=12 3=13"),
          List.of(profile(false, allBut(1)), "0=10 2=12 3=13"),
          List.of(profile(true, allBut(3, 7, 0)), "1=11 2=12"),
          List.of(profile(true, allBut(3, 2, 1, 0)), ""),
          List.of(profile(true, only(1), only(2)), "2=12"));
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void theProfileTellsWhichInstancesAreSent(List<Object> profileAndValues) {
      tester.write("app", fileWithInstances(4));

      tester.send((Profile) profileAndValues.getFirst());

      ValueSet set = tester.fetch(pmid(1, 1)).sets().getFirst();
      assertEquals(profileAndValues.getLast(), ServiceTester.text(set));
      assertEquals(set.values().size(), set.status());
    }

    @Test
    void aProfileStaysInForceUntilTheNext() {
      tester.write("app", fileWithInstances(3));

      tester.send(profile(false, only(1)));
      assertEquals("1=11", tester.values(pmid(1, 1)));
      assertEquals("1=11", tester.values(pmid(1, 1)));
      tester.send(profile(true));

      assertEquals("0=10 1=11 2=12", tester.values(pmid(1, 1)));
    }

    private static final int MANY = 99_000;
    private static final int CHOSEN = MANY - 2;

    /**
     * A fetch of a metric costs the instances that the profile selects, not all instances:
     * otherwise each of these fetches would take a minute.
     *
     * @param step one of so many instances has a value
     * @param files the values are in so many files by turns
     * @param isListed whether the profile lists the selected instance, or all others
     */
    @ParameterizedTest
    @CsvSource({"1,1,true", "1,1,false", "2,1,true", "2,1,false", "1,2,true"})
    @Timeout(20)
    void oneInstanceOfManyIsSentManyTimes(int step, int files, boolean isListed) {
      for (int f = 0; f < files; f++) {
        MmvWriter file = file();
        MmvWriter.Metric metric = file.metric("m", 1, ValueType.I64).inDom(inDomOf(file, MANY));
        for (int i = f; i < MANY; i += step * files) {
          metric.at(i, i);
        }
        tester.write("file" + f, file);
      }
      int[] others = IntStream.range(0, MANY).filter(i -> i != CHOSEN).toArray();
      tester.send(profile(true, isListed ? only(CHOSEN) : allBut(others)));
      int[] pmids = new int[200_000];
      Arrays.fill(pmids, pmid(1, 1));

      List<ValueSet> sets = tester.fetch(pmids).sets();

      InstanceValue value = new InstanceValue(CHOSEN, Value.ofInteger(ValueType.I64, CHOSEN));
      ValueSet set = ValueSet.of(pmid(1, 1), List.of(value));
      sets.forEach(sent -> assertEquals(set, sent));
    }

    @Test
    void aProfileDoesNotConcernSingularMetrics() {
      MmvWriter file = file();
      file.metric("m", 1, ValueType.I64).value(7);
      tester.write("app", file);

      tester.send(profile(false));

      assertEquals("7", tester.values(pmid(1, 1)));
      assertEquals("1", tester.values(pmid(0, ServiceTester.FILES)));
    }

    @Test
    void whyThereIsNoValueIsThatOfAnInstanceThatTheProfileLetsThrough() {
      MmvWriter file = file().flags(MmvWriter.SENTINEL);
      file.metric("m", 1, ValueType.I64).inDom(inDomOf(file, 2)).at(0, -1);
      tester.write("app", file);

      tester.send(profile(true, only(0)));
      assertEquals("", tester.values(pmid(1, 1)));
      tester.send(profile(true, only(1)));
      assertEquals("PM_ERR_INST", tester.values(pmid(1, 1)));
    }
  }

  @Nested
  class OwnMetrics {
    @Test
    void countsFilesAndMetrics() {
      tester.write("a", fileOf(SAMPLES));
      tester.write("b", fileWithInstances(3).cluster(2));

      assertEquals("2", tester.values(pmid(0, ServiceTester.FILES)));
      assertEquals("" + (SAMPLES.size() + 1), tester.values(pmid(0, ServiceTester.METRICS)));
      tester.delete("b");
      assertEquals("1", tester.values(pmid(0, ServiceTester.FILES)));
      assertEquals("" + SAMPLES.size(), tester.values(pmid(0, ServiceTester.METRICS)));
    }

    @Test
    void tellsThatAFileIsInFlux() {
      Path file = tester.write("a", fileWithInstances(1));
      assertEquals("0", tester.values(pmid(0, ServiceTester.RELOAD)));

      MmvWriter.flux(file);

      assertEquals(List.of(), tester.names());
      assertEquals("1", tester.values(pmid(0, ServiceTester.RELOAD)));
      MmvWriter.settle(file, 77);
      assertEquals(List.of("mmv.a.m"), tester.names());
      assertEquals("0", tester.values(pmid(0, ServiceTester.RELOAD)));
    }

    @Test
    void controlMetricsHaveTheTypesOfPcp7() {
      List<ValueSet> sets =
          tester.fetch(IntStream.range(0, 4).map(item -> pmid(0, item)).toArray()).sets();

      assertEquals(
          List.of(
              singular(pmid(0, 0), new Value.Word(0)),
              singular(pmid(0, 1), Value.ofText("")),
              singular(pmid(0, 2), new Value.Word(0)),
              singular(pmid(0, 3), new Value.Word(0))),
          sets);
    }
  }

  @Nested
  class LargeReplies {
    @Test
    void aLargeReplyIsWhole() {
      MmvWriter file = file();
      MmvWriter.Metric metric = file.metric("m", 1, ValueType.I64).inDom(inDomOf(file, 1000));
      List<InstanceValue> values = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        metric.at(i, i * 1_000_000_007L);
        values.add(new InstanceValue(i, Value.ofInteger(ValueType.I64, i * 1_000_000_007L)));
      }
      tester.write("app", file);

      List<ValueSet> sets = tester.fetch(repeat(pmid(1, 1), 50)).sets();

      for (ValueSet set : sets) {
        assertEquals(values, set.values());
      }
    }

    @ParameterizedTest
    @ValueSource(ints = {ValueType.U32, ValueType.DOUBLE, ValueType.STRING})
    void aReplyThatWouldBeTooLargeIsAnError(int type) {
      int instances = 2000;
      MmvWriter file = file();
      MmvWriter.Metric metric = file.metric("m", 1, type).inDom(inDomOf(file, instances));
      for (int i = 0; i < instances; i++) {
        if (type == ValueType.STRING) {
          metric.textAt(i, "some text");
        } else {
          metric.at(i, i);
        }
      }
      file.metric("small", 2, ValueType.I64).value(42);
      tester.write("app", file);
      int smallest = 8 * instances; // bytes of a set at least
      Fetch fetch = Fetch.of(0, 0, repeat(pmid(1, 1), FetchReply.MAX_RESULT / smallest + 1));

      tester.assertError(PmError.GENERIC, fetch);

      assertEquals("42", tester.values(pmid(1, 2)));
      assertEquals(instances, tester.fetch(pmid(1, 1)).sets().getFirst().status());
    }

    @Test
    void aReplyWhoseBlocksMakeItTooLargeIsAnError() {
      int instances = 2000;
      MmvWriter file = file();
      MmvWriter.Metric metric =
          file.metric("m", 1, ValueType.DOUBLE).inDom(inDomOf(file, instances));
      for (int i = 0; i < instances; i++) {
        metric.at(i, 0.5 * i);
      }
      tester.write("app", file);
      int set = (8 + 12) * instances;
      int most = FetchReply.MAX_RESULT / set;

      tester.assertError(PmError.GENERIC, Fetch.of(0, 0, repeat(pmid(1, 1), most + 1)));

      assertEquals(instances, tester.fetch(pmid(1, 1)).sets().getFirst().status());
    }
  }

  @Nested
  class FilesThatBreak {
    /** A directory that has just changed is read again, and its files' sizes are looked at. */
    private void askUntilTheDirectoryIsOld() throws IOException {
      Path directory = ServiceTester.directory(root);
      FileTime changed = (FileTime) Files.getAttribute(directory, "unix:ctime");
      do {
        tester.values(pmid(1, 1));
      } while (changed.toInstant().plusMillis(200).isAfter(Instant.now()));
      tester.values(pmid(1, 1));
    }

    @Test
    void aFileCutShortIsLeftOutOfTheReply() throws IOException {
      MmvWriter broken = new MmvWriter(1).cluster(2);
      for (int i = 0; i < 1000; i++) {
        broken.metric("m" + i, i, ValueType.I64).value(i);
      }
      assertTrue(broken.valueAt(0) > LARGEST_PAGE);
      Path path = tester.write("broken", broken);
      tester.write("sound", fileWithInstances(3));
      tester.write("zsound", fileOf(SAMPLES).cluster(3));
      assertEquals("7", tester.values(pmid(2, 7)));
      askUntilTheDirectoryIsOld();

      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
        channel.truncate(LARGEST_PAGE);
      }

      List<ValueSet> sets = tester.fetch(pmid(3, 4), pmid(2, 7), pmid(1, 1), pmid(2, 8)).sets();
      assertEquals(
          List.of("" + Long.MIN_VALUE, "PM_ERR_PMID", "0=10 1=11 2=12", "PM_ERR_PMID"),
          sets.stream().map(ServiceTester::text).toList());
      tester.idle();
      List<String> warnings = tester.log().warnings(); // that depends on whether a sweep came first
      assertBlamesTheBrokenFile(warnings);
      broken.rewrite(path);
      tester.names();
      assertEquals("7", tester.values(pmid(2, 7)));
    }

    private static void assertBlamesTheBrokenFile(List<String> warnings) {
      assertNotEquals(List.of(), warnings);
      assertEquals(
          List.of(), warnings.stream().filter(line -> !line.startsWith("broken: ")).toList());
    }

    /** Compiled code goes on after it has read what is not there, and might blame another file. */
    @Test
    void aFileCutShortAloneIsBlamedByCompiledCodeToo() throws IOException {
      MmvWriter broken = new MmvWriter(1).cluster(1);
      MmvWriter.InDom inDom = inDomOf(broken, 3);
      broken.metric("m", 1, ValueType.I32).inDom(inDom).at(0, 10).at(1, 11).at(2, 12);
      for (int i = 0; i < 1000; i++) {
        broken.metric("m" + i, 20 + i, ValueType.I64).value(i);
      }
      assertTrue(broken.valueAt(0) > LARGEST_PAGE);
      Path path = tester.write("broken", broken);
      tester.write("sound", fileWithInstances(6));
      for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 3000; i++) {
          tester.fetch(pmid(1, 1));
        }
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
          channel.truncate(LARGEST_PAGE);
        }
        assertEquals("0=10 1=11 2=12 3=13 4=14 5=15", tester.values(pmid(1, 1)));
        broken.generation(round + 2).rewrite(path);
        tester.names();
      }
      List<String> warnings = tester.log().warnings();
      assertBlamesTheBrokenFile(warnings);
    }

    @Test
    void aFileCutToNothingIsLeftOutOfTheReply() throws IOException {
      Path path = tester.write("broken", fileOf(SAMPLES).cluster(2));
      tester.write("sound", fileWithInstances(2));
      assertEquals("-5", tester.values(pmid(2, 0)));

      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
        channel.truncate(0);
      }

      List<ValueSet> sets = tester.fetch(pmid(2, 0), pmid(1, 1)).sets();
      assertEquals(
          List.of("PM_ERR_PMID", "0=10 1=11"), sets.stream().map(ServiceTester::text).toList());
    }

    /**
     * Writes a file whose values are beyond the largest page.
     *
     * @param cluster of its only metric, which is singular, and whose item is 1
     */
    private Path writeSparse(String name, int cluster) throws IOException {
      MmvWriter file = new MmvWriter(1).cluster(cluster);
      file.metric("m", 1, ValueType.I64).value(5);
      ByteBuffer image = file.image();
      ByteBuffer values = image.slice(file.valueAt(0), image.limit() - file.valueAt(0));
      image.putLong(file.tocAt(MmvWriter.VALUES) + 8, LARGEST_PAGE);
      Path path = ServiceTester.directory(root).resolve(name);
      try (FileChannel channel =
          FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        channel.write(image);
        channel.write(values, LARGEST_PAGE);
      }
      return path;
    }

    private static void cutOff(Path file) throws IOException {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.truncate(LARGEST_PAGE);
      }
    }

    /** A fetch that begins again after each of the files takes longer than 10 s. */
    @Test
    @Timeout(10)
    void manyFilesCutShortDuringAFetchAreLeftOut() throws IOException {
      int files = 2000;
      List<Path> paths = new ArrayList<>();
      for (int i = 0; i < files; i++) {
        paths.add(writeSparse("broken" + i, 2 + i));
      }
      tester.write("sound", fileWithInstances(3));
      int[] good = repeat(pmid(1, 1), 200_000);
      int[] pmids = Arrays.copyOf(good, good.length + files);
      for (int i = 0; i < files; i++) {
        pmids[good.length + i] = pmid(2 + i, 1);
      }
      assertEquals("5", ServiceTester.text(tester.fetch(pmids).sets().getLast()));
      for (Path path : paths) {
        cutOff(path);
      }

      List<String> values = tester.fetch(pmids).sets().stream().map(ServiceTester::text).toList();

      assertEquals(Set.of("0=10 1=11 2=12"), Set.copyOf(values.subList(0, good.length)));
      // a sweep may have found some of them before: they are served, without the values cut off
      Set<String> left = Set.copyOf(values.subList(good.length, values.size()));
      assertTrue(Set.of("PM_ERR_PMID", "PM_ERR_INST").containsAll(left), left::toString);
      assertTrue(left.contains("PM_ERR_PMID"));
    }

    @Test
    @Timeout(10)
    void aMetricThatManyFilesShareIsReadAFewTimesIfTheyAreCutShort() throws IOException {
      List<Path> broken = new ArrayList<>();
      for (int i = 0; i < 2000; i++) {
        broken.add(writeSparse("broken" + i, 1));
      }
      writeSparse("sound", 1);
      assertEquals("5", tester.values(pmid(1, 1)));
      for (Path path : broken) {
        cutOff(path);
      }

      assertEquals(List.of("", ""), fetchTwice());
      for (int i = 0; i < broken.size() / (2 * View.MAX_ATTEMPTS); i++) {
        fetchTwice();
      }
      assertEquals(List.of("5", "5"), fetchTwice());
    }

    /** The two values of a metric that is fetched twice at once. */
    private List<String> fetchTwice() {
      return tester.fetch(pmid(1, 1), pmid(1, 1)).sets().stream().map(ServiceTester::text).toList();
    }

    /** The room in the reply is that for the values of the file that is cut short. */
    @ParameterizedTest
    @ValueSource(ints = {ValueType.U32, ValueType.FLOAT, ValueType.U64, ValueType.STRING})
    void theNextFileMayHaveMoreValuesThanTheOneThatIsCutShort(int type) throws IOException {
      int instances = 3000;
      MmvWriter sound = file();
      MmvWriter.Metric metric = sound.metric("m", 1, type).inDom(inDomOf(sound, instances));
      for (int i = 0; i < instances; i++) {
        if (type == ValueType.STRING) {
          metric.textAt(i, "text" + i);
        } else {
          metric.at(i, i);
        }
      }
      sound.metric("other", 2, ValueType.I64).value(42);
      sound.metric("text", 3, ValueType.STRING).text("a text");
      tester.write("sound", sound);
      int[] pmids = {pmid(1, 2), pmid(1, 3), pmid(1, 1), pmid(1, 3), pmid(1, 1), pmid(1, 2)};
      List<ValueSet> expected = tester.fetch(pmids).sets();
      List<ValueSet> found;
      do { // until no sweep finds the change before the fetch
        Files.deleteIfExists(ServiceTester.directory(root).resolve("broken"));
        Path broken = writeSparse("broken", 1);
        assertEquals("5", tester.values(pmid(1, 1)));
        askUntilTheDirectoryIsOld();
        cutOff(broken);
        found = tester.fetch(pmids).sets();
        tester.idle();
      } while (!tester
          .log()
          .warnings()
          .toString()
          .contains("truncated while its values were read"));
      assertEquals(expected, found);
    }

    @Test
    void aFileThatIsRefusedDoesNotTouchTheOthers() {
      MmvWriter refused = new MmvWriter(9).cluster(1);
      refused.metric("m", 1, ValueType.I64).value(666);
      tester.write("aaa", refused);
      tester.write("sound", fileWithInstances(2));

      assertEquals("0=10 1=11", tester.values(pmid(1, 1)));
      assertEquals(
          List.of(
              "aaa: header at 4: version 9 is not supported, only 1, 2 and 3 are."
                  + " No metrics of it are served."),
          tester.log().warnings());
    }
  }
}
