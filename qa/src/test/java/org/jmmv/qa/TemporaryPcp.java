package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/**
 * Directories in which agents, pmcds, applications and clients of one test meet, and nobody else.
 */
final class TemporaryPcp implements AutoCloseable {
  private final Path root;

  TemporaryPcp() {
    try {
      root = Files.createTempDirectory("jmmv-qa");
      // an agent that has become another user has to get in, and so have applications
      Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
      for (String directory : new String[] {"tmp/mmv", "var", "run", "log/pmcd"}) {
        Files.createDirectories(root.resolve(directory));
      }
      // a private pmcd's names: those that the agent has, below mmv
      Files.writeString(names(), "root {\n    mmv 70:*:*\n}\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What makes PCP's programs, agents and writers use these directories. */
  Map<String, String> environment() {
    return Map.of(
        "PCP_TMP_DIR", root.resolve("tmp").toString(),
        "PCP_VAR_DIR", root.resolve("var").toString(),
        "PCP_RUN_DIR", root.resolve("run").toString(),
        "PCP_LOG_DIR", root.resolve("log").toString());
  }

  /** Where the MMV files are. */
  Path mmv() {
    return root.resolve("tmp/mmv");
  }

  /** A namespace with the agent's names. */
  Path names() {
    return root.resolve("names");
  }

  /** Any file of this name, beside the directories. */
  Path file(String name) {
    return root.resolve(name);
  }

  /** What a file holds, one char per byte; nothing if it is not there. */
  static String text(Path file) {
    try {
      return Files.readString(file, ISO_8859_1);
    } catch (NoSuchFileException e) {
      return "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lets an MMV file appear that is complete at once, as a copy of this one. */
  void serveCopyOf(Path original) {
    try {
      Path copy = Files.copy(original, root.resolve("tmp/copy"));
      Files.move(copy, mmv().resolve(original.getFileName()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      Trees.delete(root);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
