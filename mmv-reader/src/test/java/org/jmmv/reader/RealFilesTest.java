package org.jmmv.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files by real writers, in a folder beside the project; skipped where that folder is missing. */
class RealFilesTest {
  private static final Path FIXTURES = Path.of("../../shared/fixtures/mmv");

  static List<Path> files() throws IOException {
    assumeTrue(Files.isDirectory(FIXTURES), "there are no files in " + FIXTURES);
    try (Stream<Path> files = Files.list(FIXTURES)) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void fileOfARealWriterIsSound(Path path) throws Exception {
    try (MmvFile file = MmvFile.open(path)) {
      assertEquals(path.getFileName().toString(), file.name());
      assertEquals(List.of(), file.schema().faults());
      assertFalse(file.schema().metrics().isEmpty());
      file.read(() -> SchemaReaderMutationTest.assertSound(file, (int) path.toFile().length()));
    }
  }
}
