package org.jmmv.reader;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MmvFileTest {
  private static final int TEXT_SIZE = 256;

  private static String text(MmvFile file, long extra) {
    byte[] into = new byte[TEXT_SIZE];
    int length = file.text(extra, into, 0);
    return length < 0 ? null : new String(into, 0, length, ISO_8859_1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void valuesAreReadAtTheirIndexes(int version) throws Exception {
    MmvWriter writer = new MmvWriter(version);
    writer.metric("a", 1, ValueType.I64).raw(0x0123456789abcdefL, -1);
    writer.metric("b", 2, ValueType.U64).raw(Long.MIN_VALUE, Long.MAX_VALUE);
    MmvFile file = Images.open(writer.image());
    assertEquals(Images.FILE, file.name());
    assertEquals(0x0123456789abcdefL, file.value(0));
    assertEquals(-1, file.extra(0));
    assertEquals(Long.MIN_VALUE, file.value(1));
    assertEquals(Long.MAX_VALUE, file.extra(1));
  }

  @Test
  void valuesNeedNotBeAligned() throws Exception {
    MmvWriter writer = new MmvWriter(2);
    writer.metric("a", 1, ValueType.I64).value(0x1122334455667788L);
    ByteBuffer sound = writer.image();
    ByteBuffer image = ByteBuffer.allocate(sound.limit() + 33).order(sound.order());
    image.put(sound);
    int moved = sound.limit() + 1;
    for (int i = 0; i < 32; i++) {
      image.put(moved + i, sound.get(writer.valueAt(0) + i));
    }
    image.putLong(writer.tocAt(MmvWriter.VALUES) + 8, moved);
    assertEquals(0x1122334455667788L, Images.open(image).value(0));
  }

  @Test
  void textsOfAllLengthsAreRead() throws Exception {
    for (int length = 0; length <= 255; length++) {
      String text = "t".repeat(length);
      MmvWriter writer = new MmvWriter(1);
      writer.metric("m", 1, ValueType.STRING).text(text);
      MmvFile file = Images.open(writer.image());
      assertEquals(writer.stringAt(text), file.extra(0));
      assertEquals(text, text(file, file.extra(0)));
    }
  }

  @Test
  void textWithoutNulIsCutTo255Bytes() throws Exception {
    MmvWriter writer = new MmvWriter(1);
    writer.metric("m", 1, ValueType.STRING).text("\u00fe".repeat(256));
    MmvFile file = Images.open(writer.image());
    assertEquals("\u00fe".repeat(255), text(file, file.extra(0)));
  }

  @Test
  void textOutsideTheFileIsNone() throws Exception {
    MmvWriter writer = new MmvWriter(1);
    writer.metric("m", 1, ValueType.STRING).text("last");
    MmvFile file = Images.open(writer.image());
    int size = writer.size();
    assertEquals("last", text(file, size - 256));
    for (long extra :
        new long[] {0, -1, -256, size - 255, size, size + 1L, Long.MAX_VALUE, Long.MIN_VALUE}) {
      assertEquals(null, text(file, extra), "extra " + extra);
    }
  }

  @Test
  void fileIsCurrentWhileBothGenerationsAreThoseOfItsSchema() throws Exception {
    MmvWriter writer = new MmvWriter(1).generation(7);
    writer.metric("m", 1, ValueType.I32);
    MmvSchema schema = Images.read(writer.image());
    assertEquals(true, isCurrent(schema, writer.image()));
    assertEquals(false, isCurrent(schema, writer.image().putLong(MmvWriter.GENERATION1, 8)));
    assertEquals(false, isCurrent(schema, writer.image().putLong(MmvWriter.GENERATION2, 8)));
    assertEquals(false, isCurrent(schema, writer.generation(8).image()));
    assertEquals(false, isCurrent(schema, writer.generation(0).image()));
  }

  private static boolean isCurrent(MmvSchema schema, ByteBuffer now) {
    return new MmvFile(schema, Images.mapping(now)).isCurrent();
  }
}
