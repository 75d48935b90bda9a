package org.jmmv.pmda;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterMemoryTest {
  @TempDir Path directory;

  private Path file() {
    return directory.resolve("config/pmda/jmmv.clusters");
  }

  @Test
  void remembersClustersOfFilesWithAnyName() {
    Map<String, Integer> clusters =
        Map.of("app", 1, "two words\nand \u00ff\u0080", 4095, "+%41", 7);

    new ClusterMemory(file()).save(clusters);

    assertEquals(clusters, new ClusterMemory(file()).load());
  }

  @Test
  void forgetsWhatWasThereBefore() {
    ClusterMemory memory = new ClusterMemory(file());
    memory.save(Map.of("old", 1));
    memory.save(Map.of("new", 2));

    assertEquals(Map.of("new", 2), memory.load());
  }

  @Test
  void startsWithNothing() {
    assertEquals(Map.of(), new ClusterMemory(file()).load());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "garbage",
        "jmmv clusters 1\nend 1",
        "jmmv clusters 1\n1 app",
        "jmmv clusters 1\n1 app\nend 2",
        "jmmv clusters 1\n0 app\nend 1",
        "jmmv clusters 1\n4096 app\nend 1",
        "jmmv clusters 1\n1 app\n1 other\nend 2",
        "jmmv clusters 1\n1 app\n2 app\nend 2",
        "jmmv clusters 1\n1\nend 1",
        "jmmv clusters 1\n1 %zz\nend 1",
      })
  void ignoresADamagedFile(String damaged) throws IOException {
    Files.createDirectories(file().getParent());
    Files.write(file(), List.of(damaged));

    assertEquals(Map.of(), new ClusterMemory(file()).load());
  }

  @Test
  void goesOnWhereItCantWrite() throws IOException {
    Files.writeString(directory.resolve("config"), "a file in the directory's place");

    assertDoesNotThrow(() -> new ClusterMemory(file()).save(Map.of("app", 1)));
  }
}
