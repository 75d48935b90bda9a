package org.jmmv.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * MMV files that real writers wrote: libpcp_mmv, Parfait, Speed and Hornet. They are test data of
 * other projects, so they lie in a folder beside this project, which may be missing. Tests that
 * need them carry {@link NeedsFixtures}.
 */
public final class Fixtures {
  /** Relative to a module's folder, in which Maven runs its tests. */
  private static final Path DIRECTORY =
      Path.of("../../shared/fixtures/mmv").toAbsolutePath().normalize();

  private Fixtures() {}

  /** Returns whether the folder is there. */
  public static boolean exist() {
    return Files.isDirectory(DIRECTORY);
  }

  /**
   * Returns all of them, in the order of their names; never none.
   *
   * @throws UncheckedIOException if the folder is missing
   */
  public static List<Path> files() {
    try (Stream<Path> entries = Files.list(DIRECTORY)) {
      List<Path> files = entries.sorted().toList();
      if (files.isEmpty()) {
        throw new AssertionError(DIRECTORY + " is empty");
      }
      return files;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns what {@link #files} hold. */
  public static List<byte[]> images() {
    return files().stream().map(Fixtures::read).toList();
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
