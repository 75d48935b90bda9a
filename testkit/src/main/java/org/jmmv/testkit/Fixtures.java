package org.jmmv.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.stream.Stream;

/**
 * MMV files that libpcp_mmv, Parfait, Speed and Hornet wrote. They are test data of other projects,
 * so they are in a directory beside this project. Tests have cases of their own, and more with
 * these files if the directory exists.
 */
public final class Fixtures {
  /** Relative to the directory of a module, in which Maven runs its tests. */
  private static final Path DIRECTORY =
      Path.of("../../shared/fixtures/mmv").toAbsolutePath().normalize();

  private Fixtures() {}

  /** Returns the bytes of all files by name, in the order of their names. */
  public static SequencedMap<String, byte[]> images() {
    SequencedMap<String, byte[]> images = new LinkedHashMap<>();
    if (!Files.isDirectory(DIRECTORY)) {
      return images;
    }
    try (Stream<Path> entries = Files.list(DIRECTORY)) {
      for (Path file : entries.sorted().toList()) {
        images.put(file.getFileName().toString(), Files.readAllBytes(file));
      }
      return images;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
