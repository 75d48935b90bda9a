package org.jmmv.writer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The directory in which agents look for MMV files. */
final class Directory {
  private static final String VARIABLE = "PCP_TMP_DIR";

  /** Applications of all users can write there, and none can delete what is another's. */
  private static final int OPEN_AND_STICKY = 01777;

  private Directory() {}

  /**
   * Returns {@code $PCP_TMP_DIR/mmv}, where the variable is in the environment or in pcp.conf(5).
   * Without PCP, it is the directory {@code mmv} among the temporary files.
   */
  static Path usual() {
    String path = System.getenv(VARIABLE);
    if (path == null) {
      path = configured();
    }
    return Path.of(path == null ? System.getProperty("java.io.tmpdir") : path, "mmv");
  }

  private static String configured() {
    String file = System.getenv().getOrDefault("PCP_CONF", "/etc/pcp.conf");
    try {
      return Files.readAllLines(Path.of(file), StandardCharsets.ISO_8859_1).stream()
          .filter(line -> line.startsWith(VARIABLE + "="))
          .map(line -> line.substring(VARIABLE.length() + 1).strip())
          .reduce((first, last) -> last)
          .orElse(null);
    } catch (IOException e) {
      return null; // there is no PCP
    }
  }

  /**
   * Makes a directory into which everybody may write, unless it exists.
   *
   * @throws IOException if it can't be made
   */
  static void make(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    try {
      Files.createDirectory(directory);
    } catch (FileAlreadyExistsException e) {
      if (Files.isDirectory(directory)) {
        return; // another application has been faster
      }
      throw new FileSystemException(directory.toString(), null, "it is not a directory");
    }
    if (directory.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      Files.setAttribute(directory, "unix:mode", OPEN_AND_STICKY);
    }
  }
}
