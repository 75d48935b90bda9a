package org.jmmv.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jmmv.testkit.MmvWriter;
import org.jmmv.testkit.SeedFiles;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Opens files as real writers write them. */
class RealFilesTest {
  @TempDir private Path directory;

  static Stream<Arguments> files() {
    return SeedFiles.all().entrySet().stream()
        .map(file -> arguments(file.getKey(), file.getValue()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("files")
  void fileOfARealWriterIsSound(String name, byte[] bytes) throws Exception {
    Path path = MmvWriter.write(ByteBuffer.wrap(bytes), directory, name);
    try (MmvFile file = MmvFile.open(path)) {
      assertEquals(name, file.name());
      assertEquals(List.of(), file.schema().faults());
      assertFalse(file.schema().metrics().isEmpty());
      file.read(() -> SchemaReaderMutationTest.assertSound(file, bytes.length));
    }
  }
}
