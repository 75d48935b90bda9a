package org.jmmv.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reading and comparing in turns, each of which ends as soon as it may. */
class MmvFileReaderTest {
  private static final int INSTANCES = 5_000;
  private static final int METRICS = 20;

  @TempDir private Path directory;

  /** A file of 100,000 values. */
  private static MmvWriter large() {
    return large(METRICS, INSTANCES);
  }

  private static MmvWriter large(int metrics, int instances) {
    MmvWriter writer = new MmvWriter(2).packed();
    MmvWriter.InDom inDom = writer.inDom(1);
    IntStream.range(0, instances).forEach(i -> inDom.instance(i, "i" + i));
    for (int m = 0; m < metrics; m++) {
      MmvWriter.Metric metric = writer.metric("m" + m, m, ValueType.U64).inDom(inDom);
      IntStream.range(0, instances).forEach(i -> metric.at(i, i));
    }
    return writer;
  }

  @Test
  void theSchemaIsTheSameInAnyNumberOfTurns() throws Exception {
    ByteBuffer image = large().image();
    MmvFileReader reader = reader(image);
    int turns = 0;
    MmvSchema schema;
    do {
      schema = reader.readOn(() -> false);
      turns++;
    } while (schema == null);
    assertTrue(turns > METRICS / 2, turns + " turns");
    assertEquals(Images.describe(Images.read(image)), Images.describe(schema));
  }

  /** To read the values alone takes seven turns. */
  @Test
  void theTablesOfValuesAreMadeInTurns() throws Exception {
    MmvFileReader reader = reader(large(1_000, 50).image());
    int turns = 1;
    while (reader.readOn(() -> false) == null) {
      turns++;
    }
    assertTrue(turns > 10, turns + " turns");
  }

  private static MmvFileReader reader(ByteBuffer image) throws MmvFormatException {
    return Images.reader(Images.FILE, Images.mapping(image));
  }

  @Test
  void anotherGenerationBetweenTwoTurnsIsNoticed() throws Exception {
    Path path = large().write(directory, "app");
    try (InspectedFile file = InspectedFile.open(path)) {
      MmvFileReader reader = Images.reader(Images.FILE, file.file().mapping());
      assertNull(reader.readOn(() -> false));
      assertFalse(reader.hasChanged());
      MmvWriter.settle(path, 7);
      assertTrue(reader.hasChanged());
      MmvFormatException e =
          assertThrows(MmvFormatException.class, () -> reader.readOn(() -> true));
      assertEquals(FaultKind.IN_FLUX, e.fault().kind());
    }
  }

  @Test
  void aComparisonHasTheSameResultInAnyNumberOfTurns() throws Exception {
    MmvWriter writer = large();
    ByteBuffer image = writer.image();
    Fingerprint fingerprint = Images.read(image).fingerprint();
    assertTrue(isSameInTurns(fingerprint, image));
    int instance = writer.valueAt(METRICS * INSTANCES - 1) + 24;
    image.putLong(instance, image.getLong(instance) + 1);
    assertFalse(isSameInTurns(fingerprint, image));
  }

  private static boolean isSameInTurns(Fingerprint fingerprint, ByteBuffer image) {
    MetadataComparison comparison = new MetadataComparison(Images.mapping(image), fingerprint);
    int turns = 1;
    while (!comparison.run(() -> false)) {
      turns++;
    }
    assertTrue(turns > 5, turns + " turns");
    return comparison.isSame();
  }
}
