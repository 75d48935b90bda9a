package org.jmmv.reader;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelEntry;
import org.jmmv.reader.fault.Fault;
import org.jmmv.testkit.MmvWriter;
import org.jmmv.testkit.SeedFiles;
import org.junit.jupiter.api.Test;

/** Whatever is done to a file, reading it ends with a schema whose every promise holds. */
class SchemaReaderMutationTest {
  private static final int ROUNDS = 6_000;
  private static final long[] NUMBERS = {
    0,
    1,
    -1,
    2,
    255,
    256,
    1023,
    1024,
    4096,
    0x7f,
    0x80,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    1L << 32,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    Long.MAX_VALUE - 255
  };

  @Test
  void mutatedFilesAreReadOrRefused() {
    int schemas = 0;
    int refused = 0;
    for (int seed = 0; seed < ROUNDS; seed++) {
      try {
        ByteBuffer image = mutate(seed);
        if (image.limit() < MmvWriter.HEADER_SIZE) {
          continue; // MmvFileReader refuses such a file
        }
        MmvFile file = open(image);
        if (file == null) {
          refused++;
        } else {
          schemas++;
          assertSound(file, image.limit());
        }
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + e, e);
      }
    }
    assertTrue(schemas > ROUNDS / 4, schemas + " schemas");
    assertTrue(refused > ROUNDS / 50, refused + " refused or in flux");
  }

  /**
   * Reads a file in memory.
   *
   * @return null if it is refused, as is right
   */
  static MmvFile open(ByteBuffer image) {
    MmvMapping mapping = Images.mapping(image);
    try {
      MmvSchema schema = Images.read(Images.FILE, mapping);
      return schema == null ? null : new MmvFile(schema, mapping);
    } catch (MmvFormatException e) {
      assertPrintable(e.fault());
      return null;
    }
  }

  private static ByteBuffer mutate(int seed) {
    Random random = new Random(seed);
    MmvWriter writer = SeedFiles.writer(1 + random.nextInt(3), "");
    ByteBuffer image = writer.image();
    int size = image.limit();
    int metadata = writer.sectionAt(MmvWriter.STRINGS);
    for (int changes = 1 + random.nextInt(6); changes > 0; changes--) {
      int end = random.nextInt(4) == 0 ? size : metadata;
      int at = random.nextInt(end - 8) & ~3;
      switch (random.nextInt(5)) {
        case 0 -> image.put(at + random.nextInt(4), (byte) random.nextInt());
        case 1 -> image.putInt(at, (int) number(random, size));
        case 2 -> image.putLong(at, number(random, size));
        case 3 -> {
          byte[] piece = new byte[8 * (1 + random.nextInt(8))];
          image.get(random.nextInt(size - piece.length), piece);
          image.put(Math.min(at, size - piece.length), piece);
        }
        default -> image.putInt(at, image.getInt(at) + random.nextInt(5) - 2);
      }
    }
    if (random.nextInt(8) == 0) {
      image.limit(random.nextInt(size));
    }
    return image;
  }

  private static long number(Random random, int size) {
    return switch (random.nextInt(3)) {
      case 0 -> NUMBERS[random.nextInt(NUMBERS.length)];
      case 1 -> size - 257L + random.nextInt(300);
      default -> random.nextInt(size);
    };
  }

  static void assertSound(MmvFile file, int size) {
    MmvSchema schema = file.schema();
    assertTrue(schema.header().version() >= 1 && schema.header().version() <= 3);
    assertTrue(schema.header().generation1() != 0);
    assertTrue(schema.header().cluster() >= 0 && schema.header().cluster() <= 4095);
    schema.faults().forEach(SchemaReaderMutationTest::assertPrintable);
    assertTrue(schema.faults().size() <= 21);
    byte[] text = new byte[256];
    for (MmvMetric metric : schema.metrics()) {
      assertTrue(metric.name().matches("[A-Za-z0-9_.]*"), metric.name());
      assertTrue(metric.item() >= 0 && metric.item() <= 1023);
      assertTrue(metric.offset() >= 0 && metric.offset() + 48 <= size);
      for (int i = 0; i < metric.valueCount(); i++) {
        if (!metric.isSingular()) {
          int ignored = metric.instance(i);
        }
        long value = file.value(metric.value(i));
        long extra = file.extra(metric.value(i));
        assertText(file, extra, text);
        assertText(file, value, text);
      }
    }
    BitSet serials = new BitSet();
    for (MmvInDom inDom : schema.inDoms()) {
      assertTrue(inDom.serial() >= 0 && inDom.serial() <= 4_194_303);
      assertTrue(!serials.get(inDom.serial()), "serial " + inDom.serial() + " twice");
      serials.set(inDom.serial());
      Set<Integer> numbers = new HashSet<>();
      for (Instance instance : inDom.instances()) {
        assertTrue(numbers.add(instance.number()), instance + " twice");
        assertTrue(instance.name().length() <= 255);
      }
    }
    for (MmvLabel label : schema.labels()) {
      int length = label.labels().json().length();
      for (LabelEntry entry : label.labels().entries()) {
        assertTrue(entry.nameOffset() + entry.nameLength() <= length);
        assertTrue(entry.valueOffset() + entry.valueLength() <= length);
      }
    }
  }

  private static void assertText(MmvFile file, long extra, byte[] into) {
    long[] lengths = new long[1];
    file.texts(new long[] {extra}, 1, into, lengths);
    long length = lengths[0];
    assertTrue(length >= -1 && length <= 255, "length " + length);
  }

  private static void assertPrintable(Fault fault) {
    assertTrue(fault.toString().matches("[ -~]+"), fault.toString());
  }
}
