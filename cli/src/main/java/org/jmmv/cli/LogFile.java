package org.jmmv.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import org.jmmv.config.PcpConfig;
import org.jmmv.reader.posix.PosixProcess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log file. It is opened as standard output and standard error, so that it also receives the
 * JVM's own messages, for example those about a crash or exhausted memory.
 */
final class LogFile {
  private static final Logger LOG = LoggerFactory.getLogger(LogFile.class);
  private static final Path STANDARD_ERROR = Path.of("-");
  private static final int MODE = 0644;

  private LogFile() {}

  /**
   * Opens the log. If that fails, a warning is logged to standard error, which remains the log.
   *
   * @param log the file, or {@code -} for standard error; if empty, {@code
   *     $PCP_LOG_DIR/pmcd/mmv.log}, or standard error if {@code PCP_LOG_DIR} has no value
   */
  static void open(Optional<Path> log, PcpConfig config) {
    Path file =
        log.or(() -> config.path("PCP_LOG_DIR").map(dir -> dir.resolve("pmcd/mmv.log")))
            .orElse(STANDARD_ERROR);
    try {
      if (!file.equals(STANDARD_ERROR)) {
        redirectTo(file);
      }
    } catch (IOException e) {
      LOG.warn("{}; logging to standard error", e.getMessage());
    }
  }

  /**
   * Opens a new file if there is none or a regular one, which is deleted. Opens an existing device
   * or symbolic link without replacing it.
   */
  private static void redirectTo(Path log) throws IOException {
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
