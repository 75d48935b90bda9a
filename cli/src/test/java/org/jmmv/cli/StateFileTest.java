package org.jmmv.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFileTest {
  @TempDir Path state;

  private Path fileOf(String directory) {
    return StateFile.of(Optional.of(state), Path.of(directory), Map.of()).orElseThrow();
  }

  @Test
  void isNamedAfterTheDirectory() {
    assertEquals(state.resolve("%2Fvar%2Ftmp%2Fmmv.clusters"), fileOf("/var/tmp/mmv"));
  }

  /** Each byte of Cyrillic takes three when it is encoded, and a name of a file has 255. */
  @Test
  void canBeWrittenForALongPath() throws IOException {
    String common = "/" + "каталог/".repeat(100);
    Path first = fileOf(common + "1");
    assertNotEquals(first, fileOf(common + "2"));
    Files.createFile(first.resolveSibling("." + first.getFileName() + ".new")); // as it is written
    Files.createFile(first.resolveSibling(first.getFileName() + ".lock"));
  }
}
