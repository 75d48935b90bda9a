package org.jmmv.reader;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MmvFileTest {
  private static String text(MmvFile file, long extra) {
    return texts(file, extra).getFirst();
  }

  /** Reads several texts; null stands for one that can't be read. */
  private static List<String> texts(MmvFile file, long... extras) {
    byte[] into = new byte[extras.length * MmvFile.TEXT_SIZE];
    long[] lengths = new long[extras.length];
    file.texts(extras, extras.length, into, lengths);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < extras.length; i++) {
      int start = i * MmvFile.TEXT_SIZE;
      texts.add(lengths[i] < 0 ? null : new String(into, start, (int) lengths[i], ISO_8859_1));
    }
    return texts;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void valuesAreReadAtTheirIndexes(int version) throws Exception {
    MmvWriter writer = new MmvWriter(version);
    writer.metric("a", 1, ValueType.I64).raw(0x0123456789abcdefL, -1);
    writer.metric("b", 2, ValueType.U64).raw(Long.MIN_VALUE, Long.MAX_VALUE);
    MmvFile file = Images.open(writer.image());
    assertEquals(Images.FILE, file.id());
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
    for (long extra : new long[] {0, -1, -256, size, size + 1L, Long.MAX_VALUE, Long.MIN_VALUE}) {
      assertEquals(null, text(file, extra), "extra " + extra);
    }
  }

  @Test
  void textsAreReadWhetherTheyFollowOneAnotherOrNot() throws Exception {
    MmvWriter writer = new MmvWriter(1);
    List<String> all = List.of("one", "", "three", "last");
    for (int i = 0; i < all.size(); i++) {
      writer.metric("m" + i, i, ValueType.STRING).text(all.get(i));
    }
    MmvFile file = Images.open(writer.image());
    long first = writer.stringAt("one");
    long last = writer.stringAt("last");
    assertEquals(first + 3 * 256, last);
    assertEquals(
        Arrays.asList("one", "", "three", "last", null, null),
        texts(file, first, first + 256, first + 512, last, last + 256, last + 512));
    assertEquals(
        Arrays.asList("last", "three", "one", "", null, "one", "ne"),
        texts(file, last, last - 256, first, first + 256, first - 4096, first, first + 1));
    assertEquals(Arrays.asList(null, null, text(file, 256)), texts(file, -256, 0, 256));
    assertEquals(Arrays.asList(null, null), texts(file, Long.MAX_VALUE - 255, Long.MIN_VALUE));
  }

  @Test
  void textMayEndWithTheFile() throws Exception {
    MmvWriter writer = new MmvWriter(1);
    writer.metric("m", 1, ValueType.STRING).text("x".repeat(255));
    MmvFile file = Images.open(writer.image());
    for (int length = 0; length <= 255; length++) {
      assertEquals("x".repeat(length), text(file, writer.size() - length - 1));
    }
  }

  @Test
  void textWithoutNulBeforeTheEndOfTheFileIsNone() throws Exception {
    MmvWriter writer = new MmvWriter(1);
    writer.metric("m", 1, ValueType.STRING).text("x".repeat(256));
    MmvFile file = Images.open(writer.image());
    for (int length : new int[] {1, 8, 254, 255}) {
      assertEquals(null, text(file, writer.size() - length));
    }
    assertEquals("x".repeat(255), text(file, writer.size() - 256));
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

  @Nested
  class OpenedByItself {
    @TempDir Path directory;

    private Path write(byte[] bytes) throws IOException {
      return Files.write(directory.resolve("app"), bytes);
    }

    private static String refused(Path path) {
      return assertThrows(MmvFormatException.class, () -> MmvFile.open(path).close()).getMessage();
    }

    @Test
    void fileIsReadWithoutADirectory() throws Exception {
      MmvWriter writer = new MmvWriter(2);
      writer.metric("m", 1, ValueType.I64).value(42);
      try (MmvFile file = MmvFile.open(writer.write(directory, "app"))) {
        assertEquals("app", file.name());
        assertEquals("m", file.schema().metrics().getFirst().name());
        assertEquals(42, file.value(0));
      }
    }

    @Test
    void closedFileCannotBeRead() throws Exception {
      MmvWriter writer = new MmvWriter(2);
      writer.metric("m", 1, ValueType.I64).value(42);
      MmvFile file = MmvFile.open(writer.write(directory, "app"));
      file.close();
      assertThrows(IllegalStateException.class, () -> file.value(0));
    }

    @Test
    void fileInFluxIsRefused() throws Exception {
      Path path = new MmvWriter(2).write(directory, "app");
      MmvWriter.flux(path);
      assertEquals(
          "app: header at 8: in flux: its generations are 1763620000 and 0, but must be equal and"
              + " not 0",
          refused(path));
    }

    @Test
    void fileOfAnotherKindIsRefused() throws Exception {
      assertEquals(
          "app: not an MMV file: it has 39 bytes, a header has 40", refused(write(new byte[39])));
      assertEquals(
          "app: not an MMV file: it does not begin with \"MMV\" and a NUL byte",
          refused(write("z".repeat(40).getBytes(ISO_8859_1))));
    }

    @Test
    void fileThatCannotBeOpenedIsAnIoException() {
      assertEquals(
          "No such file or directory",
          assertThrows(IOException.class, () -> MmvFile.open(directory.resolve("b")).close())
              .getMessage());
      assertEquals(
          "not a regular file",
          assertThrows(IOException.class, () -> MmvFile.open(Path.of("/dev/zero")).close())
              .getMessage());
      for (int length : new int[] {256, 5000}) {
        Path tooLong = directory.resolve("n".repeat(length));
        assertEquals(
            "File name too long",
            assertThrows(IOException.class, () -> MmvFile.open(tooLong).close()).getMessage());
      }
    }
  }

  @Nested
  class CutOff {
    @TempDir Path directory;

    private Path path;
    private MmvFile opened;

    /** A file whose value is some pages behind its header, and is then cut off. */
    @BeforeEach
    void cutOff() throws Exception {
      MmvWriter writer = new MmvWriter(1);
      writer.metric("m", 1, ValueType.I64).value(42);
      ByteBuffer small = writer.image();
      ByteBuffer image = ByteBuffer.allocate(4 * 65_536).order(small.order());
      image.put(small).rewind();
      int at = 3 * 65_536;
      for (int i = 0; i < 32; i++) {
        image.put(at + i, image.get(writer.valueAt(0) + i));
      }
      image.putLong(writer.tocAt(MmvWriter.VALUES) + 8, at);
      path = MmvWriter.write(image, directory, "app");
      opened = MmvFile.open(path);
      assertEquals(42, opened.value(0));
      try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
        file.setLength(4096);
      }
    }

    @AfterEach
    void close() {
      opened.close();
    }

    /** Compiled code goes on with any number in the place of what it could not read. */
    @Test
    void nothingThatCouldNotBeReadGetsOut() throws Exception {
      MmvWriter writer = new MmvWriter(1);
      writer.metric("m", 1, ValueType.I64).value(42);
      long[] value = new long[1];
      try (MmvFile sound = MmvFile.open(writer.write(directory, "sound"))) {
        for (int i = 0; i < 200_000; i++) {
          read(sound, value);
        }
      }
      for (int i = 0; i < 1_000; i++) {
        assertThrows(MappingTruncated.class, () -> read(opened, value));
      }
    }

    /** One method for all, so that it is compiled into one piece without a safepoint. */
    private static void read(MmvFile file, long[] value) throws MappingTruncated {
      file.mapping().<Long, RuntimeException>read(() -> value[0] = file.value(0));
    }

    @Test
    void itIsNotReadAgain() throws Exception {
      assertFalse(opened.isTruncated());
      FileTruncated first =
          assertThrows(FileTruncated.class, () -> opened.read(() -> opened.value(0)));
      assertSame(opened, first.file());
      assertTrue(opened.isTruncated());
      try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
        file.setLength(4 * 65_536);
      }
      assertEquals(0, opened.value(0));
      FileTruncated again = assertThrows(FileTruncated.class, () -> opened.read(Assertions::fail));
      assertSame(opened, again.file());
    }

    @Test
    void otherExceptionsOfTheBodyPass() {
      assertThrows(
          IllegalStateException.class,
          () ->
              opened.read(() -> {
                throw new IllegalStateException();
              }));
    }
  }
}
