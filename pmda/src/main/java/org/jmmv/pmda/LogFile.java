package org.jmmv.pmda;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.jmmv.reader.posix.PosixProcess;

/** The file that takes the place of standard output and standard error. */
final class LogFile {
  private static final int MODE = 0644;

  private LogFile() {}

  /**
   * Opens the log. An old regular file is replaced; anything else, a device or a link, is opened as
   * it is.
   *
   * @throws IOException if that can't be done; output goes where it went before
   */
  static void open(Path log) throws IOException {
    try {
      boolean regular = Files.isRegularFile(log, LinkOption.NOFOLLOW_LINKS);
      boolean isNew = regular || !Files.exists(log, LinkOption.NOFOLLOW_LINKS);
      if (regular) {
        Files.delete(log);
      }
      PosixProcess.redirectOutput(
          log.toString(),
          PosixProcess.OPEN_TO_APPEND | (isNew ? PosixProcess.OPEN_NEW : 0),
          isNew ? MODE : 0);
    } catch (IOException e) {
      throw new IOException("the log " + log + " can't be opened: " + e.getMessage(), e);
    }
  }
}
