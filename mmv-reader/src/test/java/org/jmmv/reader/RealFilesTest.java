package org.jmmv.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Path;
import java.util.List;
import org.jmmv.testkit.NeedsFixtures;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Opens files that real writers wrote. */
class RealFilesTest {
  @ParameterizedTest
  @MethodSource("org.jmmv.testkit.Fixtures#files")
  @NeedsFixtures
  void fileOfARealWriterIsSound(Path path) throws Exception {
    try (MmvFile file = MmvFile.open(path)) {
      assertEquals(path.getFileName().toString(), file.name());
      assertEquals(List.of(), file.schema().faults());
      assertFalse(file.schema().metrics().isEmpty());
      file.read(() -> SchemaReaderMutationTest.assertSound(file, (int) path.toFile().length()));
    }
  }
}
