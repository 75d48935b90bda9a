package org.jmmv.reader;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
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

  /** Returns the text at an offset of a file by the rule, null if there is none. */
  private static String byTheRule(byte[] file, long offset) {
    if (offset <= 0 || offset >= file.length) {
      return null;
    }
    int start = (int) offset;
    int end = start;
    while (end < file.length && end < start + 256 && file[end] != 0) {
      end++;
    }
    if (end == file.length && end < start + 256) {
      return null; // it has no NUL before the end of the file
    }
    return new String(file, start, Math.min(end - start, 255), ISO_8859_1);
  }

  private static long offset(Random random, long before, int size) {
    long[] odd = {
      0, -1, -256, size, size + 1L, Long.MAX_VALUE, Long.MAX_VALUE - 255, Long.MIN_VALUE
    };
    return switch (random.nextInt(8)) {
      case 0 -> odd[random.nextInt(odd.length)];
      case 1 -> size - random.nextInt(300);
      case 2, 3 -> random.nextInt(size);
      default -> before + 256; // texts that follow one another are read together
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void textsAreReadWhereverTheyAre(int seed) throws Exception {
    Random random = new Random(seed);
    MmvWriter writer = new MmvWriter(1);
    writer.metric("m", 1, ValueType.STRING).raw(0, 1);
    byte[] file = Arrays.copyOf(writer.image().array(), 4_000 + random.nextInt(300));
    for (int i = writer.size(); i < file.length; i++) {
      file[i] = (byte) (random.nextInt(200) == 0 ? 0 : 1 + random.nextInt(255));
    }
    if (seed % 2 == 0) {
      file[file.length - 1] = 0;
    }
    MmvFile read = Images.open(ByteBuffer.wrap(file));
    for (int round = 0; round < 2_000; round++) {
      long[] extras = new long[1 + random.nextInt(8)];
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < extras.length; i++) {
        extras[i] = offset(random, i == 0 ? 1 : extras[i - 1], file.length);
        expected.add(byTheRule(file, extras[i]));
      }
      assertEquals(expected, texts(read, extras), () -> Arrays.toString(extras));
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
      path = MmvWriter.write(writer.imageOfPages(), directory, "app");
      opened = MmvFile.open(path);
      assertEquals(42, opened.value(0));
      MmvWriter.resize(path, 4096);
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
      MmvWriter.resize(path, 4 * MmvWriter.LARGEST_PAGE);
      assertEquals(0, opened.value(0));
      FileTruncated again = assertThrows(FileTruncated.class, () -> opened.read(Assertions::fail));
      assertSame(opened, again.file());
    }

    /** What was at the offsets of the former metadata may be anything by now. */
    @Test
    void valuesOfARewrittenFileAreNotUsed() throws Exception {
      MmvWriter writer = new MmvWriter(1).generation(5);
      writer.metric("m", 1, ValueType.I64).value(42);
      Path file = writer.write(directory, "rewritten");
      try (MmvFile rewritten = MmvFile.open(file)) {
        rewritten.read(() -> assertEquals(42, rewritten.value(0)));
        assertThrows(
            FileTruncated.class, () -> rewritten.read(() -> writer.generation(6).rewrite(file)));
        assertThrows(FileTruncated.class, () -> rewritten.read(Assertions::fail));
      }
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
