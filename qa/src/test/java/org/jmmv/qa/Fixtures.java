package org.jmmv.qa;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** MMV files by real writers, in a folder beside the project that may be missing. */
final class Fixtures {
  private static final Path DIRECTORY =
      Path.of(System.getProperty("jmmv.shared")).resolve("fixtures/mmv").normalize();

  private Fixtures() {}

  /** All of them; none where the folder is missing, and standard output says so. */
  static List<Path> all(String test) {
    if (!Files.isDirectory(DIRECTORY)) {
      System.out.println("NOT RUN: " + test + ": there is no " + DIRECTORY);
      return List.of();
    }
    try (Stream<Path> files = Files.list(DIRECTORY)) {
      List<Path> all = files.sorted().toList();
      if (all.isEmpty()) {
        throw new AssertionError(DIRECTORY + " is empty");
      }
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
