package org.jmmv.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.jmmv.config.PcpConfig;
import org.jmmv.posix.FileStatus;
import org.jmmv.posix.OpenDirectory;
import org.jmmv.posix.OpenFile;
import org.jmmv.posix.PosixDirectory;
import org.jmmv.posix.PosixProcess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log file. It is opened as standard output and standard error, so that it also receives the
 * JVM's own messages, for example those about a crash or exhausted memory.
 */
final class LogFile {
  private static final Logger LOG = LoggerFactory.getLogger(LogFile.class);
  private static final Path STANDARD_ERROR = Path.of("-");

  /** The same: the launcher has made standard output a copy of standard error. */
  private static final Set<Path> OPEN_ALREADY =
      Set.of(STANDARD_ERROR, Path.of("/dev/stderr"), Path.of("/dev/stdout"));

  /** What is added to the name of the previous log. */
  private static final String PREVIOUS = ".prev";

  private static final int MODE = 0644;

  private LogFile() {}

  /**
   * Opens the log. If that fails, a warning is logged to standard error, which remains the log.
   *
   * @param log the file, or {@code -} for standard error; if empty, {@code
   *     $PCP_LOG_DIR/pmcd/NAME.log}, or standard error if {@code PCP_LOG_DIR} has no value
   * @param agent the agent's name
   * @return whether the log is another file than standard error was
   */
  static boolean open(Optional<Path> log, String agent, PcpConfig config) {
    Path file =
        log.or(() -> config.path("PCP_LOG_DIR").map(dir -> dir.resolve("pmcd/" + agent + ".log")))
            .orElse(STANDARD_ERROR);
    try {
      if (!OPEN_ALREADY.contains(file)) {
        redirectTo(file);
        return true;
      }
    } catch (IOException e) {
      LOG.warn("{}; logging to standard error", e.getMessage());
    }
    return false;
  }

  private static void redirectTo(Path log) throws IOException {
    try (OpenFile file = open(log.toAbsolutePath(), 0)) {
      PosixProcess.redirectOutput(file);
    } catch (IOException e) {
      throw new IOException("the log " + log + " can't be opened: " + e.getMessage(), e);
    }
  }

  /**
   * Opens the log, often with the privileges of root and in a directory that belongs to another
   * user. A regular file gets the suffix {@value #PREVIOUS}, and a new one is created. A device, a
   * FIFO and the target of a symbolic link are opened as they are, but only if no other user can
   * have put them there.
   *
   * @param links the number of links that have led to the log
   */
  private static OpenFile open(Path log, int links) throws IOException {
    if (log.getFileName() == null) {
      throw new IOException("Is a directory");
    }
    String name = PosixDirectory.nameOf(log);
    try (OpenDirectory directory = OpenDirectory.open(log.getParent())) {
      FileStatus status = directory.status(name);
      if (status != null && status.isRegular() && links == 0) {
        keep(directory, name);
        status = null;
      }
      if (status == null) {
        return directory.createFile(name, MODE);
      }
      if (!directory.isPrivate()) {
        throw new IOException(
            "in a directory that other users can write to, only regular files are replaced;"
                + " links, devices and FIFOs are not opened");
      }
      if (!status.isLink()) {
        return directory.openToAppend(name);
      }
      if (links == OpenDirectory.MAX_LINKS) {
        throw new IOException("too many symbolic links");
      }
      return open(log.resolveSibling(directory.target(name)), links + 1);
    }
  }

  /**
   * Keeps a regular file as the previous log, which replaces an older one. It is deleted if that is
   * not possible, for example because a directory has that name.
   */
  private static void keep(OpenDirectory directory, String name) throws IOException {
    try {
      directory.rename(name, name + PREVIOUS);
    } catch (IOException e) {
      directory.delete(name);
    }
  }
}
