package org.jmmv.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelParser;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is in a sound file is read as it stands there. */
class SchemaReaderTest {
  private static final int CLUSTER_LABEL = 8;
  private static final int INSTANCE_LABEL = 32;

  /** A file with some of everything, no two numbers alike. */
  private static MmvWriter full(int version) {
    MmvWriter writer =
        new MmvWriter(version)
            .flags(MmvWriter.NOPREFIX | MmvWriter.SENTINEL)
            .pid(4711)
            .cluster(4095)
            .generation(0xfedcba9876543210L);
    MmvWriter.InDom disks =
        writer
            .inDom(5)
            .help("disks", "all disks")
            .instance(0, "sda")
            .instance(7, "sd b")
            .instance(-3, "\u00ff");
    MmvWriter.InDom cpus = writer.inDom(4_194_303).instance(1, "cpu1");
    writer
        .metric("disk.reads", 1023, ValueType.U64)
        .semantics(Semantics.COUNTER)
        .units(0x12345621)
        .inDom(disks)
        .help("reads", "reads of disks")
        .at(-3, 30)
        .at(0, 10);
    writer
        .metric("up_Time2", 0, MmvWriter.ELAPSED)
        .semantics(Semantics.DISCRETE)
        .units(0x81000000)
        .serial(-1)
        .help(null, "since the start")
        .value(12);
    writer.metric("Z", 17, 42).semantics(-9).inDom(cpus).help("z", null).rawAt(1, 1, 2);
    writer.metric("9", 18, ValueType.NOSUPPORT).serial(0);
    writer.label(CLUSTER_LABEL | 128, 4095, 0, "{\"a\":1}");
    writer.label(INSTANCE_LABEL, 5, -3, "{\"b\":\"x\"}");
    return writer;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void headerIsRead(int version) throws Exception {
    MmvSchema schema = Images.read(full(version).image());
    assertEquals(Images.FILE, schema.name());
    assertEquals(version, schema.header().version());
    assertEquals(0xfedcba9876543210L, schema.header().generation1());
    assertEquals(4711, schema.header().pid());
    assertEquals(4095, schema.header().cluster());
    assertEquals(5, schema.header().flags());
    assertTrue(schema.has(MmvSchema.FLAG_NOPREFIX));
    assertFalse(schema.has(MmvSchema.FLAG_PROCESS));
    assertTrue(schema.has(MmvSchema.FLAG_SENTINEL));
    assertEquals(List.of(), schema.faults());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void metricsAreRead(int version) throws Exception {
    MmvWriter writer = full(version);
    List<MmvMetric> metrics = Images.read(writer.image()).metrics();
    assertEquals(
        List.of("disk.reads", "up_Time2", "Z", "9"),
        metrics.stream().map(MmvMetric::name).toList());
    MmvMetric reads = metrics.get(0);
    assertEquals(0, reads.index());
    assertEquals(writer.metricAt(0), reads.offset());
    assertEquals(1023, reads.item());
    assertEquals(ValueType.U64, reads.type());
    assertEquals(1, reads.semantics());
    assertEquals(0x12345621, reads.units());
    assertEquals(5, reads.serial());
    assertFalse(reads.isSingular());
    assertEquals("reads", reads.shortHelp());
    assertEquals("reads of disks", reads.longHelp());

    MmvMetric upTime = metrics.get(1);
    assertEquals(1, upTime.index());
    assertEquals(writer.metricAt(1), upTime.offset());
    assertEquals(0, upTime.item());
    assertEquals(MmvMetric.ELAPSED, upTime.type());
    assertEquals(4, upTime.semantics());
    assertEquals(0x81000000, upTime.units());
    assertEquals(-1, upTime.serial());
    assertTrue(upTime.isSingular());
    assertNull(upTime.shortHelp());
    assertEquals("since the start", upTime.longHelp());

    assertEquals(42, metrics.get(2).type());
    assertEquals(-9, metrics.get(2).semantics());
    assertEquals("z", metrics.get(2).shortHelp());
    assertNull(metrics.get(2).longHelp());
    assertEquals(ValueType.NOSUPPORT, metrics.get(3).type());
    assertTrue(metrics.get(3).isSingular());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void instanceDomainsAreRead(int version) throws Exception {
    List<MmvInDom> inDoms = Images.read(full(version).image()).inDoms();
    assertEquals(2, inDoms.size());
    assertEquals(
        List.of(new Instance(0, "sda"), new Instance(7, "sd b"), new Instance(-3, "\u00ff")),
        inDoms.get(0).instances().list());
    assertEquals(5, inDoms.get(0).serial());
    assertEquals("disks", inDoms.get(0).shortHelp());
    assertEquals("all disks", inDoms.get(0).longHelp());
    assertEquals(List.of(new Instance(1, "cpu1")), inDoms.get(1).instances().list());
    assertEquals(4_194_303, inDoms.get(1).serial());
    assertNull(inDoms.get(1).shortHelp());
    assertNull(inDoms.get(1).longHelp());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void valuesAreFoundInTheOrderOfTheirSection(int version) throws Exception {
    MmvWriter writer = full(version);
    MmvSchema schema = Images.read(writer.image());
    assertEquals(writer.sectionAt(MmvWriter.VALUES), schema.valuesOffset());
    assertEquals("disk.reads=-3:0,0:1 up_Time2=2 Z=1:3 9=", Images.metrics(schema));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void labelsAreReadInFilesOfAnyVersion(int version) throws Exception {
    assertEquals(
        List.of(
            new MmvLabel(136, 4095, 0, LabelParser.parse("{\"a\":1}", 136), false),
            new MmvLabel(32, 5, -3, LabelParser.parse("{\"b\":\"x\"}", 32), false)),
        Images.read(full(version).image()).labels());
  }

  @Test
  void textMayFillItsEntry() throws Exception {
    String longest = "n".repeat(255);
    MmvWriter v2 = new MmvWriter(2);
    v2.inDom(1).help("s".repeat(255), "l".repeat(255)).instance(1, longest);
    v2.metric(longest, 1, ValueType.I32).help("S".repeat(255), "L".repeat(255));
    v2.label(CLUSTER_LABEL, 0, 0, "{\"a\":\"" + "x".repeat(236) + "\"}");
    MmvSchema schema = Images.read(v2.image());
    assertEquals(List.of(), schema.faults());
    assertEquals(longest, schema.metrics().getFirst().name());
    assertEquals("S".repeat(255), schema.metrics().getFirst().shortHelp());
    assertEquals("L".repeat(255), schema.metrics().getFirst().longHelp());
    MmvInDom inDom = schema.inDoms().getFirst();
    assertEquals(List.of(new Instance(1, longest)), inDom.instances().list());
    assertEquals("s".repeat(255), inDom.shortHelp());
    assertEquals("l".repeat(255), inDom.longHelp());
    assertEquals(244, schema.labels().getFirst().labels().json().length());
  }

  @Test
  void textWithoutNulEndsWithItsEntry() throws Exception {
    MmvWriter v2 = new MmvWriter(2);
    v2.metric("m".repeat(256), 1, ValueType.I32).help("h".repeat(256), null);
    MmvSchema schema = Images.read(v2.image());
    assertEquals("m".repeat(255), schema.metrics().getFirst().name());
    assertEquals("h".repeat(255), schema.metrics().getFirst().shortHelp());

    MmvWriter v1 = new MmvWriter(1);
    v1.inDom(1).instance(1, "i".repeat(64)).instance(2, "j".repeat(63));
    v1.metric("m".repeat(64), 1, ValueType.I32);
    v1.metric("n".repeat(63), 2, ValueType.I32);
    schema = Images.read(v1.image());
    assertEquals(List.of(), schema.faults());
    assertEquals("m".repeat(64), schema.metrics().get(0).name());
    assertEquals("n".repeat(63), schema.metrics().get(1).name());
    assertEquals(
        List.of(new Instance(1, "i".repeat(64)), new Instance(2, "j".repeat(63))),
        schema.inDoms().getFirst().instances().list());
  }

  @Test
  void limitsThemselvesAreServed() throws Exception {
    MmvWriter writer = new MmvWriter(2);
    for (int i = 0; i < 1023; i++) {
      writer.metric("m" + i, i + 1, ValueType.I32).value(i);
    }
    for (int i = 0; i < 255; i++) {
      writer.label(CLUSTER_LABEL, 0, 0, "{\"l" + i + "\":1}");
    }
    MmvSchema schema = Images.read(writer.image());
    assertEquals(List.of(), schema.faults());
    assertEquals(
        IntStream.range(0, 1023).mapToObj(i -> "m" + i).toList(),
        schema.metrics().stream().map(MmvMetric::name).toList());
    assertEquals(255, schema.labels().size());
  }

  @Test
  void fileWithNothingInItsSectionsIsSound() throws Exception {
    MmvSchema schema = Images.read(new MmvWriter(1).image());
    assertEquals(List.of(), schema.faults());
    assertEquals(List.of(), schema.metrics());
    assertEquals(List.of(), schema.inDoms());
    assertEquals(List.of(), schema.labels());
  }

  @Test
  void instanceNumberGivenTwiceCountsOnce() throws Exception {
    MmvWriter writer = new MmvWriter(2);
    writer.inDom(1).instance(4, "first").instance(5, "other").instance(4, "second");
    writer.inDom(1).instance(5, "again").instance(6, "more");
    assertEquals("1{4=first,5=other,6=more}", Images.inDoms(Images.read(writer.image())));
  }

  @Test
  void instanceDomainsOfSeveralSectionsAddUp() throws Exception {
    MmvWriter writer = new MmvWriter(2);
    writer.inDom(1).instance(0, "a");
    writer.inDom(2).instance(0, "b");
    ByteBuffer image = writer.image();
    // the INSTANCES entry, which nothing depends on, becomes INDOMS with the second domain
    int first = writer.tocAt(MmvWriter.INDOMS);
    int second = writer.tocAt(MmvWriter.INSTANCES);
    image.putInt(first + 4, 1);
    image.putInt(second, MmvWriter.INDOMS).putInt(second + 4, 1);
    image.putLong(second + 8, writer.inDomAt(1));
    MmvSchema schema = Images.read(image);
    assertEquals("1{0=a} 2{0=b}", Images.inDoms(schema));
    assertEquals(List.of(), schema.faults());
  }

  /**
   * Makes two sections of one with two entries; the first has the place of INSTANCES in the TOC.
   */
  private static ByteBuffer split(MmvWriter writer, int section) {
    ByteBuffer image = writer.image();
    int first = writer.tocAt(MmvWriter.INSTANCES);
    int last = writer.tocAt(section);
    long at = image.getLong(last + 8);
    int size = (writer.sectionAt(section + 1) - writer.sectionAt(section)) / 2;
    image.putInt(first, section).putInt(first + 4, 1).putLong(first + 8, at);
    return image.putInt(last + 4, 1).putLong(last + 8, at + size);
  }

  @Test
  void ofTwoMetricsSectionsAllNamesShowAndTheLastHasValues() throws Exception {
    MmvWriter writer = new MmvWriter(1);
    writer.inDom(1).instance(0, "a"); // only for its two TOC entries
    writer.metric("first", 1, ValueType.I32).value(11);
    writer.metric("second", 1, ValueType.I32).value(22);
    ByteBuffer image = split(writer, MmvWriter.METRICS);
    MmvSchema schema = Images.read(image);
    assertEquals("first= second=1", Images.metrics(schema));
    assertEquals(1, schema.metrics().get(0).item());
    assertEquals(1, schema.metrics().get(1).item());
  }

  @Test
  void ofTwoValuesSectionsTheLastCounts() throws Exception {
    MmvWriter writer = new MmvWriter(1);
    writer.inDom(1).instance(0, "a"); // only for its two TOC entries
    writer.metric("m", 1, ValueType.I32).value(11);
    writer.metric("n", 2, ValueType.I32).value(22);
    ByteBuffer image = split(writer, MmvWriter.VALUES);
    MmvSchema schema = Images.read(image);
    assertEquals(writer.valueAt(1), schema.valuesOffset());
    assertEquals("m= n=0", Images.metrics(schema));
  }

  @Test
  void ofTwoLabelsSectionsTheLastCounts() throws Exception {
    MmvWriter writer = new MmvWriter(1);
    writer.inDom(1).instance(0, "a"); // only for its two TOC entries
    writer.metric("m", 1, ValueType.I32);
    writer.label(CLUSTER_LABEL, 0, 0, "{\"a\":1}").label(CLUSTER_LABEL, 0, 0, "{\"b\":1}");
    ByteBuffer image = split(writer, MmvWriter.LABELS);
    List<MmvLabel> labels = Images.read(image).labels();
    assertEquals(1, labels.size());
    assertEquals("{\"b\":1}", labels.getFirst().labels().json());
  }

  @Test
  void sectionsMayComeInAnyOrder() throws Exception {
    MmvWriter writer = full(2);
    ByteBuffer image = writer.image();
    byte[] metrics = new byte[16];
    byte[] values = new byte[16];
    image.get(writer.tocAt(MmvWriter.METRICS), metrics);
    image.get(writer.tocAt(MmvWriter.VALUES), values);
    image.put(writer.tocAt(MmvWriter.METRICS), values);
    image.put(writer.tocAt(MmvWriter.VALUES), metrics);
    assertEquals(
        Images.describe(Images.read(full(2).image())), Images.describe(Images.read(image)));
  }

  @Test
  void severalDomainsMayShareInstanceEntries() throws Exception {
    MmvWriter writer = new MmvWriter(2);
    MmvWriter.InDom first = writer.inDom(1).instance(3, "a").instance(4, "b");
    MmvWriter.InDom second = writer.inDom(2).instance(5, "c");
    writer.metric("m", 1, ValueType.I32).inDom(first).at(3, 1).at(4, 2);
    writer.metric("n", 2, ValueType.I32).inDom(second).at(5, 3);
    ByteBuffer image = writer.image();
    int inDom = writer.inDomAt(1);
    image.putInt(inDom + 4, 2).putLong(inDom + 8, writer.instanceAt(0));
    image.putLong(writer.valueAt(2) + 24, writer.instanceAt(1));
    MmvSchema schema = Images.read(image);
    assertEquals("1{3=a,4=b} 2{3=a,4=b}", Images.inDoms(schema));
    assertEquals("m=3:0,4:1 n=4:2", Images.metrics(schema));
  }

  @Test
  void ofSeveralValuesForASingularMetricTheFirstCounts() throws Exception {
    MmvWriter writer = new MmvWriter(2);
    writer.metric("m", 1, ValueType.I32).value(1).value(2);
    writer.metric("n", 2, ValueType.I32).value(3);
    assertEquals("m=0 n=2", Images.metrics(Images.read(writer.image())));
  }

  @Test
  void singularMetricNeedsNoInstance() throws Exception {
    MmvWriter writer = new MmvWriter(2);
    writer.metric("m", 1, ValueType.I32).value(1);
    ByteBuffer image = writer.image();
    image.putLong(writer.valueAt(0) + 24, 12345);
    MmvSchema schema = Images.read(image);
    assertEquals("m=0", Images.metrics(schema));
    assertEquals(List.of(), schema.faults());
  }

  @Test
  void fileInFluxHasNoSchema() throws Exception {
    MmvWriter writer = full(2);
    assertNull(Images.read(writer.image().putLong(MmvWriter.GENERATION1, 1)));
    assertNull(Images.read(writer.image().putLong(MmvWriter.GENERATION2, 1)));
    assertNull(Images.read(writer.image().putLong(MmvWriter.GENERATION1, 0)));
    assertNull(Images.read(writer.image().putLong(MmvWriter.GENERATION2, 0)));
    assertNull(Images.read(writer.generation(0).image()));
  }

  @ParameterizedTest
  @ValueSource(ints = {MmvWriter.HEADER_SIZE, 4096})
  void fileOfZerosIsUnfinished(int size) {
    MmvFormatException e =
        assertThrows(MmvFormatException.class, () -> Images.read(ByteBuffer.allocate(size)));
    assertEquals(FaultKind.UNWRITTEN, e.fault().kind());
    assertTrue(e.fault().kind().isUnfinished());
  }

  private static boolean isOf(Fingerprint fingerprint, ByteBuffer image) {
    MetadataComparison comparison = new MetadataComparison(Images.mapping(image), fingerprint);
    assertTrue(comparison.run(() -> true));
    return comparison.isSame();
  }

  @Test
  void fingerprintIsOfTheMetadataAlone() throws Exception {
    MmvWriter writer = full(2);
    Fingerprint fingerprint = Images.read(writer.image()).fingerprint();
    assertTrue(isOf(fingerprint, full(2).image()));
    for (int i = 0; i < 4; i++) {
      ByteBuffer image = writer.image();
      image.putLong(writer.valueAt(i), 99).putLong(writer.valueAt(i) + 8, -99);
      assertTrue(isOf(fingerprint, image));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void fingerprintChangesWithTheMetadata(int version) throws Exception {
    ByteBuffer image = full(version).image();
    MmvSchema sound = Images.read(image);
    int changed = 0;
    for (int at = 0; at < image.limit(); at++) {
      byte before = image.get(at);
      image.put(at, (byte) (before ^ 1));
      MmvSchema other;
      try {
        other = Images.read(image);
      } catch (MmvFormatException refused) {
        other = null;
      }
      if (other != null && !Images.describe(other).equals(Images.describe(sound))) {
        assertFalse(isOf(sound.fingerprint(), image), "byte " + at);
        changed++;
      }
      image.put(at, before);
    }
    assertTrue(changed > 200, changed + " bytes make a difference");
  }

  @Test
  void fingerprintKeepsNeighboursApart() throws Exception {
    MmvWriter one = new MmvWriter(1);
    one.inDom(1).instance(0, "xa");
    MmvWriter other = new MmvWriter(1);
    other.inDom(1).instance(1, "xB"); // 'B' is 31 less than 'a'
    Fingerprint fingerprint = Images.read(one.image()).fingerprint();
    assertFalse(isOf(fingerprint, other.image()));
  }

  /** Values are hashed in blocks, and strings by their lengths. */
  @Test
  void fingerprintOfManyValuesAndOddTexts() throws Exception {
    MmvWriter writer = new MmvWriter(2).packed();
    MmvWriter.InDom inDom = writer.inDom(1);
    for (int i = 0; i < 700; i++) {
      inDom.instance(i, "i".repeat(1 + i % 20) + i);
    }
    MmvWriter.Metric metric = writer.metric("m", 1, ValueType.I32).inDom(inDom);
    for (int i = 0; i < 700; i++) {
      metric.at(i, i);
    }
    Fingerprint fingerprint = Images.read(writer.image()).fingerprint();
    assertTrue(isOf(fingerprint, writer.image()));
    for (int i : new int[] {0, 63, 64, 511, 512, 699}) {
      ByteBuffer image = writer.image();
      int instance = writer.valueAt(i) + 24;
      image.putLong(instance, image.getLong(instance) + 24);
      assertFalse(isOf(fingerprint, image), "value " + i);
    }
  }

  @Test
  void schemaCannotBeChanged() throws Exception {
    MmvSchema schema = Images.read(full(2).image());
    assertThrows(UnsupportedOperationException.class, () -> schema.metrics().clear());
    assertThrows(UnsupportedOperationException.class, () -> schema.inDoms().clear());
    assertThrows(UnsupportedOperationException.class, () -> schema.labels().clear());
    assertThrows(UnsupportedOperationException.class, () -> schema.faults().clear());
  }

  /** Sections of no entries take no bytes, so a small file can have many. */
  @Test
  void theMetricsOfManySectionsAreReadOnce() throws Exception {
    MmvWriter writer = new MmvWriter(1);
    writer.metric("only", 1, ValueType.I64).value(42);
    ByteBuffer sound = writer.image();
    int sections = 40;
    int metricAt = MmvWriter.HEADER_SIZE + 16 * sections;
    ByteBuffer image = ByteBuffer.allocate(metricAt + 104).order(sound.order());
    image.put(0, sound, 0, MmvWriter.HEADER_SIZE).putInt(MmvWriter.TOC_COUNT, sections);
    for (int i = 0; i < sections; i++) {
      int at = MmvWriter.HEADER_SIZE + 16 * i;
      image.putInt(at, MmvWriter.METRICS).putInt(at + 4, i == 0 ? 1 : 0).putLong(at + 8, metricAt);
    }
    image.put(metricAt, sound, writer.metricAt(0), 104);

    assertEquals("only=", Images.metrics(Images.read(image)));
  }
}
