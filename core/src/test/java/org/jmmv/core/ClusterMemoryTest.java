package org.jmmv.core;

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
        Map.of("app", 1, "two words\nand \u00ff\u0080", 4095, "#a=b:c\\", 7, " ", 8);

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
        "garbage",
        "app=1",
        "app=1\n/count=2",
        "app=1\n/count=0",
        "app=0\n/count=1",
        "app=4096\n/count=1",
        "app=-1\n/count=1",
        "app=one\n/count=1",
        "app=\n/count=1",
        "app=1\nother=1\n/count=2",
        "app=1\n/count=one",
        "app=1\\u00\n/count=1",
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
