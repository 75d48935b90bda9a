package org.jmmv.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FileName;
import org.jmmv.testkit.MmvWriter;
import org.jmmv.testkit.SectionedFile;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is broken is left out, with a fault that says where; what is sound is served. */
class SchemaReaderFaultTest {
  private static final int SHORT_HELP = 24;
  private static final int LONG_HELP = 32;

  private static final String NO_VALUES = "app: there is no VALUES section, no metric has a value";
  private static final String METRICS = "single=0 multi=0:1,1:2 text=3";
  private static final String INDOMS = "3{0=one,1=two} 4{9=nine}";

  private final MmvWriter writer = new MmvWriter(2);
  private ByteBuffer image = sound(writer);

  private static ByteBuffer sound(MmvWriter writer) {
    MmvWriter.InDom inDom =
        writer.inDom(3).help("numbers", "all numbers").instance(0, "one").instance(1, "two");
    writer.inDom(4).instance(9, "nine");
    writer.metric("single", 1, ValueType.I32).help("short", "long").value(42);
    writer.metric("multi", 2, ValueType.U64).inDom(inDom).at(0, 10).at(1, 11);
    writer.metric("text", 3, ValueType.STRING).text("hello");
    writer.label(8, 0, 0, "{\"a\":1}").label(16, 1, 0, "{\"b\":2}");
    return writer.image();
  }

  private void useVersion1() {
    MmvWriter v1 = new MmvWriter(1);
    image = sound(v1);
  }

  private static List<SectionedFile.Metric> metrics(int count, String name) {
    return IntStream.range(0, count)
        .mapToObj(i -> new SectionedFile.Metric(name, i % 1000))
        .toList();
  }

  private static String fault(String entry, long offset, String reason) {
    return "app: " + entry + " at " + offset + ": " + reason;
  }

  private static List<String> faults(MmvSchema schema) {
    return schema.faults().stream().map(Fault::toString).toList();
  }

  private void assertRefused(long offset, String reason) {
    MmvFormatException e = assertThrows(MmvFormatException.class, () -> Images.read(image));
    assertEquals(fault("header", offset, reason), e.getMessage());
    assertEquals(e.getMessage() + ". No metrics of it are served.", e.fault().toString());
  }

  /** Checks the one fault, and that all metrics, instance domains and labels are those given. */
  private MmvSchema assertFault(String fault, String metrics, String inDoms, int labels)
      throws MmvFormatException {
    MmvSchema schema = Images.read(image);
    assertEquals(List.of(fault), faults(schema));
    assertEquals(metrics, Images.metrics(schema));
    assertEquals(inDoms, Images.inDoms(schema));
    assertEquals(labels, schema.labels().size());
    return schema;
  }

  @Test
  void soundFileHasNoFault() throws Exception {
    MmvSchema schema = Images.read(image);
    assertEquals(List.of(), schema.faults());
    assertEquals(METRICS, Images.metrics(schema));
    assertEquals(INDOMS, Images.inDoms(schema));
    assertEquals(2, schema.labels().size());
    useVersion1();
    assertEquals(METRICS, Images.metrics(Images.read(image)));
  }

  /** Instances are left out without being charged, and nothing may be kept of them. */
  @Test
  void aNameWithoutAnEndIsReadOnceHoweverManyInstancesHaveIt() throws Exception {
    MmvWriter many = new MmvWriter(2);
    MmvWriter.InDom inDom = many.inDom(1);
    IntStream.range(0, 1000).forEach(i -> inDom.instance(i, "i" + i));
    many.metric("m", 1, ValueType.U32).inDom(inDom).at(0, 1);
    ByteBuffer sound = many.image();
    image = ByteBuffer.allocate(sound.limit() + 1).order(sound.order());
    image.put(sound).put((byte) 'x').flip();
    for (int i = 0; i < 1000; i++) {
      image.putLong(many.instanceAt(i) + 16, sound.limit());
    }
    MmvSchema schema = Images.read(image);
    assertTrue(faults(schema).getFirst().contains("no NUL"), () -> faults(schema).toString());
    assertTrue(
        schema.fingerprint().ranges.length < 40, schema.fingerprint().ranges.length + " numbers");
  }

  /**
   * Puts wrong numbers into a field of a record, of 32 or 64 bits. What belongs to a record that is
   * left out is no fault of its own.
   *
   * @param reason %s is the number without its sign, %2$s with it, %3$s the file's size
   * @param metrics what is served, null for all
   * @param inDoms likewise
   * @param numbers {@code end} is the file's size, {@code m0} the offset of the first metric, and
   *     {@code i0} that of the first instance
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # record | offset of the field | its bits | fault | metrics | instance domains | labels | numbers
          TOC[5] | 0 | 32 | unknown section type %2$s, section ignored || | 0 | 0 7 -1 max
          TOC[5] | 8 | 64 | 2 LABELS entries of 256 bytes from %s on are beyond the file's %3$s bytes, section ignored || | 0 | end-511 end end+1 -1 max
          TOC[3] | 8 | 64 | 4 VALUES entries of 32 bytes from %s on are beyond the file's %3$s bytes, section ignored | single= multi= text= || 2 | end-127 end end+1 -1 max
          TOC[3] | 4 | 32 | %2$s VALUES entries of 32 bytes from 416 on are beyond the file's %3$s bytes, section ignored | single= multi= text= || 2 | -1 min 1000000
          TOC[3] | 4 | 32 | %s VALUES entries, at most 4194304 are served, section ignored | single= multi= text= || 2 | 4194305 max
          TOC[2] | 8 | 64 | 3 METRICS entries of 48 bytes from %s on are beyond the file's %3$s bytes, section ignored | '' || 2 | max
          indom[1] | 0 | 32 | serial %s is over 4194303, left out || 3{0=one,1=two} | 2 | 4194304 -1 min
          indom[1] | 8 | 64 | 1 instances from %s on are beyond the file's %3$s bytes, left out || 3{0=one,1=two} | 2 | end-23 end -1 min max
          indom[1] | 4 | 32 | %s instances from 248 on are beyond the file's %3$s bytes, left out || 3{0=one,1=two} | 2 | -1 max min
          instance[0] | 16 | 64 | name offset %s is beyond the file's %3$s bytes, left out || 3{1=two} 4{9=nine} | 2 | end end+1 -1 min max
          metric[0] | 8 | 32 | item %s of single is over 1023, left out | multi=0:1,1:2 text=3 || 2 | 1024 -1 min
          metric[1] | 8 | 32 | item %s of multi is over 1023, left out | single=0 text=3 || 2 | 5000
          metric[2] | 8 | 32 | item %s of text is already that of metric[0], left out | single=0 multi=0:1,1:2 || 2 | 1
          # PM_ERR_INDOM would end pmrep(1) for all metrics
          metric[1] | 24 | 32 | instance domain %s is not in the file, left out | single=0 text=3 || 2 | 99 4194307 -2
          metric[1] | 0 | 64 | name offset %s is beyond the file's %3$s bytes, left out | single=0 text=3 || 2 | end end+1 -1 min max
          value[1] | 16 | 64 | metric offset %s is that of no metric, left out | single=0 multi=1:2 text=3 || 2 | 0 -1 m0-48 m0-1 m0+1 m0+47 m0+144 min max
          value[2] | 24 | 64 | instance offset %s is that of no instance, left out | single=0 multi=0:1 text=3 || 2 | 0 -1 i0-24 i0-1 i0+1 i0+23 i0+72 min max
          """)
  void aWrongNumberCostsItsRecordOrSection(
      String record,
      int field,
      int bits,
      String reason,
      String metrics,
      String inDoms,
      int labels,
      String numbers)
      throws Exception {
    int at = offset(record);
    for (String text : numbers.split(" ", -1)) {
      long number = number(text, bits);
      if (bits == Long.SIZE) {
        image.putLong(at + field, number);
      } else {
        image.putInt(at + field, (int) number);
      }
      String unsigned =
          bits == Long.SIZE
              ? Long.toUnsignedString(number)
              : Integer.toUnsignedString((int) number);
      assertFault(
          fault(record, at, reason.formatted(unsigned, number, image.limit())),
          metrics == null ? METRICS : metrics,
          inDoms == null ? INDOMS : inDoms,
          labels);
    }
  }

  private int offset(String record) {
    int index = record.charAt(record.length() - 2) - '0';
    return switch (record.charAt(0)) {
      case 'T' -> MmvWriter.HEADER_SIZE + 16 * index;
      case 'v' -> writer.valueAt(index);
      case 'm' -> writer.metricAt(index);
      default -> record.startsWith("ind") ? writer.inDomAt(index) : writer.instanceAt(index);
    };
  }

  private long number(String text, int bits) {
    return switch (text) {
      case "min" -> Long.MIN_VALUE >> (Long.SIZE - bits);
      case "max" -> Long.MAX_VALUE >> (Long.SIZE - bits);
      default -> {
        Map<String, Integer> names =
            Map.of("end", writer.size(), "m0", writer.metricAt(0), "i0", writer.instanceAt(0));
        String name = text.replaceFirst("[-+]?\\d*$", "");
        String rest = text.substring(name.length());
        yield names.getOrDefault(name, 0) + (rest.isEmpty() ? 0 : Long.parseLong(rest));
      }
    };
  }

  @Nested
  class OfTheHeader {
    @Test
    void fileOfAnotherKindIsRefusedWithoutItsFirstBytes() {
      image.put(0, (byte) 'X').put(1, (byte) '\n').put(2, (byte) 0xe9).put(3, (byte) '"');
      assertNoMmvFile("it does not begin with \"MMV\" and a NUL byte");
      image.putInt(0, 0);
      assertNoMmvFile("it begins with four NUL bytes, not \"MMV\"");
    }

    private void assertNoMmvFile(String reason) {
      assertEquals(
          "app: not an MMV file: " + reason,
          assertThrows(MmvFormatException.class, () -> Images.read(image)).getMessage());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 4 << 24})
    void unknownVersionIsRefused(int version) {
      image.putInt(MmvWriter.VERSION, version);
      assertRefused(4, "version " + version + " is not supported, only 1, 2 and 3 are");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void fileOfTheOtherByteOrderIsRefusedAsSuch(int version) {
      image.putInt(MmvWriter.VERSION, Integer.reverseBytes(version));
      assertRefused(
          4,
          "written by a machine of the other byte order (version " + version + " of the format)");
    }

    @Test
    void fileWithoutAValuesSectionIsServedWithoutValues() throws Exception {
      image.putInt(writer.tocAt(MmvWriter.VALUES), MmvWriter.STRINGS);
      MmvSchema schema =
          assertFault(
              "app: there is no VALUES section, no metric has a value",
              "single= multi= text=",
              INDOMS,
              2);
      assertEquals(0, schema.valuesOffset());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, -1, Integer.MIN_VALUE})
    void tooFewSectionsAreRefused(int count) {
      image.putInt(MmvWriter.TOC_COUNT, count);
      assertRefused(24, count + " entries in the table of contents, at least 2 are needed");
    }

    @Test
    void tableOfContentsBeyondTheFileIsRefused() throws Exception {
      int most = (writer.size() - 40) / 16;
      image.putInt(MmvWriter.TOC_COUNT, most + 1);
      assertRefused(
          24,
          (most + 1)
              + " entries in the table of contents are beyond the file's "
              + writer.size()
              + " bytes");
      image.putInt(MmvWriter.TOC_COUNT, Integer.MAX_VALUE);
      assertRefused(
          24,
          "2147483647 entries in the table of contents are beyond the file's "
              + writer.size()
              + " bytes");
      image.putInt(MmvWriter.TOC_COUNT, most); // what follows the table is taken for entries, too
      assertEquals(INDOMS, Images.inDoms(Images.read(image)));
    }

    @Test
    void ofALargeTableOfContentsOnlyTheFirst256EntriesAreRead() throws Exception {
      MmvSchema schema = Images.read(SectionedFile.image(5, 0, 1, metrics(300, "m")));
      assertEquals(256, schema.metrics().size());
      assertEquals(
          List.of("app: 300 entries in the table of contents, at most 256 are read", NO_VALUES),
          faults(schema));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 4096, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void clusterOutOfRangeIsRefused(int cluster) {
      image.putInt(MmvWriter.CLUSTER, cluster);
      assertRefused(36, "cluster " + cluster + " is not in 0 to 4095");
    }
  }

  @Nested
  class OfTheTableOfContents {
    @Test
    void moreMetricsThanTheLimitAreIgnored() throws Exception {
      MmvWriter large = new MmvWriter(1);
      large.inDom(1).instance(1, "x");
      for (int i = 0; i < 1024; i++) {
        large.metric("m" + i, i, ValueType.I32);
      }
      image = large.image();
      assertFault(
          fault(
              "TOC[2]",
              large.tocAt(MmvWriter.METRICS),
              "1024 METRICS entries, at most 1023 are served, section ignored"),
          "",
          "1{1=x}",
          0);
    }

    @Test
    void moreLabelsThanTheLimitAreIgnored() throws Exception {
      for (int i = 2; i < 256; i++) {
        writer.label(8, 0, 0, "{}");
      }
      image = writer.image();
      assertFault(
          fault(
              "TOC[5]",
              writer.tocAt(MmvWriter.LABELS),
              "256 LABELS entries, at most 255 are served, section ignored"),
          METRICS,
          INDOMS,
          0);
    }

    @Test
    void sectionsThatTakeTheSameBytesAgainAreIgnored() throws Exception {
      int others = writer.sectionAt(MmvWriter.VALUES) - writer.inDomAt(0) - 3 * 24; // INSTANCES
      int left = writer.size() - others - 4 * 32;
      image
          .putInt(writer.tocAt(MmvWriter.INSTANCES), MmvWriter.VALUES)
          .putInt(writer.tocAt(MmvWriter.INSTANCES) + 4, left / 32)
          .putLong(writer.tocAt(MmvWriter.INSTANCES) + 8, 0);
      assertFault(
          fault(
              "TOC[5]",
              writer.tocAt(MmvWriter.LABELS),
              "LABELS overlaps other sections, section ignored"),
          METRICS,
          INDOMS,
          0);
    }
  }

  @Nested
  class OfInstanceDomains {
    @Test
    void inDomsThatTakeTheSameInstancesOverAndOverAreLeftOut() throws Exception {
      MmvWriter many = new MmvWriter(2);
      MmvWriter.InDom first = many.inDom(1);
      for (int i = 0; i < 100; i++) {
        first.instance(i, "same");
      }
      for (int i = 2; i <= 10; i++) {
        many.inDom(i);
      }
      image = many.image();
      int fit = many.size() / (100 * 24);
      for (int i = 1; i < 10; i++) {
        image.putInt(many.inDomAt(i) + 4, 100).putLong(many.inDomAt(i) + 8, many.instanceAt(0));
      }
      MmvSchema schema = Images.read(image);
      assertEquals(fit, schema.inDoms().size());
      assertEquals(
          List.of(
              fault(
                      "indom[" + fit + "]",
                      many.inDomAt(fit),
                      "the instances of the file's instance domains overlap, left out")
                  + " (and "
                  + (9 - fit)
                  + " more like it)"),
          faults(schema).stream().filter(fault -> !fault.contains("\"same\"")).toList());
    }

    @Test
    void inDomWithHelpBeyondTheFileIsServedWithoutIt() throws Exception {
      int at = writer.inDomAt(0);
      image.putLong(at + 16, writer.size());
      MmvSchema schema =
          assertFault(
              fault(
                  "indom[0]",
                  at,
                  "help offset "
                      + writer.size()
                      + " is beyond the file's "
                      + writer.size()
                      + " bytes, help left out"),
              METRICS,
              INDOMS,
              2);
      assertEquals(null, schema.inDoms().getFirst().shortHelp());
      assertEquals("all numbers", schema.inDoms().getFirst().longHelp());
    }
  }

  @Nested
  class OfMetrics {
    @ParameterizedTest
    @CsvSource({
      "a-b, a-b",
      "a b, a b",
      "a/b, a/b",
      "a\\b, a\\x5cb",
      "a\u00e9, a\\xe9",
      "a\u0001b, a\\x01b",
      "a:, a:",
      "[, [",
      "@, @",
      "`, `",
      "{, {"
    })
    void metricWithABadNameIsLeftOut(String name, String shown) throws Exception {
      for (int version = 1; version <= 3; version++) {
        MmvWriter bad = new MmvWriter(version);
        bad.metric("before", 1, ValueType.I32).value(1);
        bad.metric(name, 2, ValueType.I32).value(2);
        bad.metric("after", 3, ValueType.I32).value(3);
        image = bad.image();
        assertFault(
            fault(
                "metric[1]",
                bad.metricAt(1),
                "the name \""
                    + shown
                    + "\" has characters other than letters, digits, \"_\" and \".\", left out"),
            "before=0 after=2",
            "",
            0);
      }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a..b", ".lead", "trail.", ".", "a.b..c"})
    void metricWithAnEmptyPartOfItsNameIsLeftOut(String name) throws Exception {
      MmvWriter other = new MmvWriter(2);
      other.metric("good.name", 1, ValueType.I32).value(1);
      other.metric(name, 2, ValueType.I32).value(2);
      image = other.image();
      assertFault(
          fault(
              "metric[1]",
              other.metricAt(1),
              "the name \""
                  + name
                  + "\" begins or ends with a dot or has two dots together,"
                  + " left out"),
          "good.name=0",
          "",
          0);
    }

    @Test
    void allOtherCharactersOfANameAreGood() throws Exception {
      MmvWriter good = new MmvWriter(2);
      good.metric("azAZ.09_", 1, ValueType.I32);
      assertEquals("azAZ.09_=", Images.metrics(Images.read(good.image())));
    }

    @Test
    void fileNameThatCannotBeInANameCostsItAllPrefixedMetrics() throws Exception {
      MmvSchema schema = Images.read(FileName.of("a-b"), Images.mapping(image));
      assertEquals(
          List.of(
              "a-b: the file's name can't be part of the metrics' names, because it has characters"
                  + " other than letters, digits, \"_\" and \".\"; all metrics (3) are left out"),
          faults(schema));
      assertEquals("", Images.metrics(schema));
      assertEquals(INDOMS, Images.inDoms(schema));

      schema =
          Images.read(FileName.of("a-b"), Images.mapping(writer.flags(MmvWriter.NOPREFIX).image()));
      assertEquals(List.of(), schema.faults());
      assertEquals(METRICS, Images.metrics(schema));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ends.", "a..b"})
    void fileNameWithAnEmptyPartCostsItAllPrefixedMetrics(String name) throws Exception {
      MmvSchema schema = Images.read(FileName.of(name), Images.mapping(image));
      assertEquals(
          List.of(
              name
                  + ": the file's name can't be part of the metrics' names, because it begins or"
                  + " ends with a dot or has two dots together; all metrics (3) are left out"),
          faults(schema));
      assertEquals("", Images.metrics(schema));
    }

    @Test
    void metricOfAnInstanceDomainThatIsLeftOutIsLeftOut() throws Exception {
      image.putInt(writer.inDomAt(0), -1);
      MmvSchema schema = Images.read(image);
      assertEquals("single=0 text=3", Images.metrics(schema));
      assertEquals(
          fault("metric[1]", writer.metricAt(1), "instance domain 3 is not in the file, left out"),
          faults(schema).getLast());
    }

    @ParameterizedTest
    @ValueSource(ints = {SHORT_HELP, LONG_HELP})
    void metricWithHelpBeyondTheFileIsServedWithoutIt(int field) throws Exception {
      for (long offset :
          new long[] {writer.size(), writer.size() + 1, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
        image.putLong(writer.metricItemAt(0) + field, offset);
        MmvMetric metric =
            assertFault(
                    fault(
                        "metric[0]",
                        writer.metricAt(0),
                        "help offset "
                            + Long.toUnsignedString(offset)
                            + " is beyond the file's "
                            + writer.size()
                            + " bytes, help left out"),
                    METRICS,
                    INDOMS,
                    2)
                .metrics()
                .getFirst();
        assertEquals(field == SHORT_HELP ? null : "short", metric.shortHelp());
        assertEquals(field == LONG_HELP ? null : "long", metric.longHelp());
      }
    }
  }

  @Nested
  class OfValues {
    @Test
    void overlappingRunsOfInstancesHideNoneOfThem() throws Exception {
      MmvWriter overlapping = new MmvWriter(2);
      MmvWriter.InDom all =
          overlapping.inDom(1).instance(0, "a").instance(1, "b").instance(2, "c").instance(3, "d");
      overlapping.inDom(2);
      overlapping.metric("m", 1, ValueType.I32).inDom(all).at(0, 0).at(1, 1).at(2, 2).at(3, 3);
      image = overlapping.image();
      int second = overlapping.inDomAt(1); // b and c
      image.putInt(second + 4, 2).putLong(second + 8, overlapping.instanceAt(1));
      MmvSchema schema = Images.read(image);
      assertEquals("1{0=a,1=b,2=c,3=d} 2{1=b,2=c}", Images.inDoms(schema));
      assertEquals("m=0:0,1:1,2:2,3:3", Images.metrics(schema));
      assertEquals(List.of(), schema.faults());
    }

    @Test
    void ofTwoRunsFromOneOffsetTheLongerIsKnown() throws Exception {
      MmvWriter same = new MmvWriter(2);
      same.inDom(1);
      MmvWriter.InDom all = same.inDom(2).instance(0, "a").instance(1, "b");
      same.metric("m", 1, ValueType.I32).inDom(all).at(0, 0).at(1, 1);
      image = same.image();
      image.putInt(same.inDomAt(0) + 4, 1).putLong(same.inDomAt(0) + 8, same.instanceAt(0));
      MmvSchema schema = Images.read(image);
      assertEquals("m=0:0,1:1", Images.metrics(schema));
      assertEquals(List.of(), schema.faults());
    }
  }

  @Nested
  class OfLabels {
    @Test
    void labelWithInvalidJsonIsLeftOut() throws Exception {
      MmvWriter bad = new MmvWriter(3);
      bad.metric("m", 1, ValueType.I32);
      bad.label(8, 0, 0, "{\"a\":1}").label(8, 0, 0, "{\"b\":1").label(8, 0, 0, "{\"c\":1}");
      image = bad.image();
      MmvSchema schema = Images.read(image);
      assertEquals(
          List.of(
              fault(
                  "label[1]",
                  bad.labelAt(1),
                  "',' or '}' expected at byte 6 of the JSON text, left out")),
          faults(schema));
      assertEquals(
          List.of("{\"a\":1}", "{\"c\":1}"),
          schema.labels().stream().map(label -> label.labels().json()).toList());
    }

    @Test
    void labelWithAnInvalidNameBesideOthersIsSkipped() throws Exception {
      MmvWriter bad = new MmvWriter(3);
      bad.label(8, 0, 0, "{\"a\":1}").label(8, 0, 0, "{\"a\":1,\"b-\":{\"x\":[1]},\"c\":2}");
      MmvSchema schema = Images.read(bad.image());
      assertEquals(
          List.of(
              fault(
                  "label[1]",
                  bad.labelAt(1),
                  "a label's name expected at byte 7 of the JSON text, label left out")),
          faults(schema));
      assertEquals(
          List.of("{\"a\":1} false", "{\"a\":1,\"c\":2} true"),
          schema.labels().stream()
              .map(label -> label.labels().json() + " " + label.isRelaxed())
              .toList());
    }

    @Test
    void labelWithAnInvalidNameIsLeftOut() throws Exception {
      image.put(writer.labelAt(0) + 12 + 2, (byte) '-');
      assertFault(
          fault(
              "label[0]",
              writer.labelAt(0),
              "a label's name expected at byte 1 of the JSON text, left out"),
          METRICS,
          INDOMS,
          1);
    }
  }

  @Nested
  class Many {
    @Test
    void ofFaultsOfAKindTheFirstIsToldAndTheOthersCounted() throws Exception {
      MmvWriter many = new MmvWriter(1);
      many.metric("good", 0, ValueType.I32);
      for (int i = 1; i < 30; i++) {
        many.metric("-" + i, i, ValueType.I32);
      }
      many.metric("high", 1024, ValueType.I32);
      MmvSchema schema = Images.read(many.image());
      assertEquals(
          List.of(
              "app: metric[1] at "
                  + many.metricAt(1)
                  + ": the name \"-1\" has characters other than letters, digits, \"_\" and \".\","
                  + " left out (and 28 more like it)",
              "app: metric[30] at "
                  + many.metricAt(30)
                  + ": item 1024 of high is over 1023, left out"),
          faults(schema));
      assertEquals(31, schema.metricEntries());
    }

    /** What lies beyond the end is reported once for sections, help texts and names. */
    @Test
    void truncatedFileHasFewFaults() throws Exception {
      image.limit(writer.sectionAt(MmvWriter.VALUES) + 8);
      MmvSchema schema = Images.read(image);
      int size = image.limit();
      assertEquals(
          List.of(
              "app: TOC[3] at 88: 4 VALUES entries of 32 bytes from "
                  + writer.sectionAt(MmvWriter.VALUES)
                  + " on are beyond the file's "
                  + size
                  + " bytes, section ignored (and 1 more like it)",
              "app: indom[0] at "
                  + writer.inDomAt(0)
                  + ": help offset "
                  + writer.stringAt("numbers")
                  + " is beyond the file's "
                  + size
                  + " bytes, help left out (and 1 more like it)",
              "app: instance[0] at "
                  + writer.instanceAt(0)
                  + ": name offset "
                  + writer.stringAt("one")
                  + " is beyond the file's "
                  + size
                  + " bytes, left out (and 5 more like it)"),
          faults(schema));
      assertEquals("", Images.metrics(schema));
      assertEquals(3, schema.metricEntries());
    }

    /** The number of entries is limited, and with it the work, whatever they point to. */
    @Test
    void entriesOfManySectionsAreLimitedTogether() throws Exception {
      ByteBuffer many = SectionedFile.image(5, 0, 1000, metrics(6000, "m"));
      MmvSchema schema = Images.read(many);
      assertEquals(5000, schema.metrics().size(), "enough to exceed the limit");
      assertEquals(
          List.of(
              fault(
                  "TOC[5]",
                  MmvWriter.HEADER_SIZE + 5 * 16,
                  "earlier METRICS sections have 5000 entries, no more are served, section"
                      + " ignored"),
              NO_VALUES),
          faults(schema));
    }

    /** Each name is escaped for the log, but only if the log shows it. */
    @Test
    void thousandsOfNamesThatAreNotPrintableAreReadQuickly() {
      String name = "\u00ff".repeat(255);
      ByteBuffer many = SectionedFile.image(5, 0, 1000, metrics(4_000, name));
      assertTimeoutPreemptively(
          Duration.ofSeconds(10),
          () -> {
            for (int i = 0; i < 100; i++) {
              Fault fault = Images.read(many).faults().getFirst();
              assertEquals(3_999, fault.more());
              assertEquals(
                  "the name \""
                      + "\\xff".repeat(75)
                      + "...\" has characters other than letters, digits, \"_\" and \".\"",
                  fault.problem());
            }
          });
    }

    @Test
    void inDomsOfManySectionsAreLimitedTogether() throws Exception {
      MmvWriter many = new MmvWriter(2);
      for (int serial = 1; serial <= 4000; serial++) {
        many.inDom(serial).instance(1, "x");
      }
      many.metric("a", 1, ValueType.I32).value(1);
      image = many.image();
      for (int section : new int[] {MmvWriter.INSTANCES, MmvWriter.STRINGS}) {
        image
            .putInt(many.tocAt(section), MmvWriter.INDOMS)
            .putInt(many.tocAt(section) + 4, 100)
            .putLong(many.tocAt(section) + 8, many.inDomAt(0));
      }
      MmvSchema schema = Images.read(image);
      assertEquals(4000, schema.inDoms().size());
      assertEquals(
          List.of(
              fault(
                  "TOC[4]",
                  many.tocAt(MmvWriter.STRINGS),
                  "earlier INDOMS sections have 4100 entries, no more are served, section"
                      + " ignored")),
          faults(schema));
    }
  }

  /** A string is a text that begins at its offset and ends with a NUL, wherever it lies. */
  @Nested
  class OfStrings {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void stringsRightBehindEachOtherAreRead(int version) throws Exception {
      MmvWriter apart = new MmvWriter(version);
      sound(apart);
      MmvWriter packed = new MmvWriter(version).packed();
      image = sound(packed);
      assertTrue(packed.size() < apart.size());
      MmvSchema schema = assertSound();
      assertEquals("numbers", schema.inDoms().getFirst().shortHelp());
      assertEquals("all numbers", schema.inDoms().getFirst().longHelp());
      assertEquals("short", schema.metrics().getFirst().shortHelp());
      assertEquals("long", schema.metrics().getFirst().longHelp());
    }

    private MmvSchema assertSound() throws MmvFormatException {
      MmvSchema schema = Images.read(image);
      assertEquals(List.of(), schema.faults());
      assertEquals(METRICS, Images.metrics(schema));
      assertEquals(INDOMS, Images.inDoms(schema));
      return schema;
    }

    @Test
    void sectionsOfStringsAndInstancesNeedNotBeRight() throws Exception {
      for (int section : new int[] {MmvWriter.STRINGS, MmvWriter.INSTANCES}) {
        image.putInt(writer.tocAt(section) + 4, -1).putLong(writer.tocAt(section) + 8, -1);
      }
      assertSound();
    }

    @Test
    void stringsMayOverlap() throws Exception {
      String text = "x".repeat(255);
      MmvWriter many = new MmvWriter(2);
      for (int i = 0; i < 255; i++) {
        many.metric(text, i, ValueType.I32).value(i);
      }
      image = many.image();
      int start = many.stringAt(text);
      for (int i = 0; i < 255; i++) {
        image.putLong(many.metricAt(i), start + i);
      }
      MmvSchema schema = Images.read(image);
      assertEquals(List.of(), schema.faults());
      for (int i = 0; i < 255; i++) {
        assertEquals(text.substring(i), schema.metrics().get(i).name());
      }
    }

    @Test
    void entriesThatPointToTheSameStringShareIt() throws Exception {
      image.putLong(writer.metricItemAt(0) + LONG_HELP, writer.stringAt("short"));
      MmvMetric metric = Images.read(image).metrics().getFirst();
      assertEquals("short", metric.shortHelp());
      assertSame(metric.shortHelp(), metric.longHelp());
    }

    @Test
    void stringMayEndWithTheFile() throws Exception {
      for (int length = 0; length <= 255; length++) {
        MmvWriter last = new MmvWriter(2);
        last.metric("m", 1, ValueType.I32).help("x".repeat(255), null);
        image = last.image();
        image.putLong(last.metricItemAt(0) + SHORT_HELP, last.size() - length - 1);
        MmvSchema schema = Images.read(image);
        assertEquals(List.of(), schema.faults());
        assertEquals("x".repeat(length), schema.metrics().getFirst().shortHelp());
      }
    }

    @Test
    void stringWithoutANulBeforeTheEndOfTheFileIsLeftOut() throws Exception {
      MmvWriter last = new MmvWriter(2);
      last.metric("m", 1, ValueType.I32).help("x".repeat(256), null);
      image = last.image();
      assertEquals("x".repeat(255), Images.read(image).metrics().getFirst().shortHelp());
      for (int length : new int[] {1, 2, 254, 255}) {
        int offset = last.size() - length;
        image.putLong(last.metricItemAt(0) + SHORT_HELP, offset);
        assertFault(
            fault(
                "metric[0]",
                last.metricAt(0),
                "help at offset "
                    + offset
                    + " has no NUL before the end of the file, help left out"),
            "m=",
            "",
            0);
      }
    }
  }
}
