package org.jmmv.cli;

import static org.jmmv.pcp.Printable.printable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jmmv.posix.FileStatus;
import org.jmmv.posix.OpenDirectory;
import org.jmmv.posix.OpenFile;
import org.jmmv.posix.PosixDirectory;
import org.jmmv.posix.PosixException;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvFormatException;
import org.jmmv.reader.fault.FileName;

/**
 * The command {@code jmmv clean}: removes the files with the PROCESS flag whose process has ended,
 * which the agent does not serve, and with {@code --stale} those of any kind that were not written
 * for a time.
 *
 * <p>Nothing else is removed. Symbolic links are left alone, and so are damaged files and files in
 * flux. The process may also run in another PID namespace, for example in a container that shares
 * the directory, where it has another number: therefore a file that any process can still write to
 * is kept. An application may replace the file at any time: therefore the file is given a hidden
 * name first, and judged again under that name, where no application finds it. Nobody can guess the
 * hidden name, and put a directory in its place.
 */
final class Clean {
  private final PosixDirectory entries;
  private final OpenDirectory directory;
  private final Optional<Duration> stale;
  private final boolean dryRun;
  private final Writer out;
  private int removed;
  private int failed;

  private Clean(
      PosixDirectory entries,
      OpenDirectory directory,
      Optional<Duration> stale,
      boolean dryRun,
      Writer out) {
    this.entries = entries;
    this.directory = directory;
    this.stale = stale;
    this.dryRun = dryRun;
    this.out = out;
  }

  /**
   * Cleans a directory.
   *
   * @param stale how long ago a file of any kind was last written that is removed; empty: such
   *     files are kept
   * @param dryRun whether files are only named, not removed
   * @return {@link ExitStatus#FAULTY} if a file could not be removed
   * @throws IOException if the directory can't be read, or if {@code out} can't be written
   */
  static int run(Path path, Optional<Duration> stale, boolean dryRun, Writer out)
      throws IOException {
    try (OpenDirectory directory = OpenDirectory.open(path)) {
      return new Clean(new PosixDirectory(path), directory, stale, dryRun, out).run();
    } catch (PosixException e) {
      throw new IOException(path + ": " + e.getMessage(), e);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private int run() throws IOException {
    entries.list(
        0,
        entry -> {
          if (!entry.isHidden()) {
            clean(entry.name());
          }
          return true;
        });
    String files = removed == 1 ? " file" : " files";
    out.write(removed + files + (dryRun ? " would be removed\n" : " removed\n"));
    return failed == 0 ? ExitStatus.GOOD : ExitStatus.FAULTY;
  }

  private void clean(String name) {
    String outcome;
    try {
      outcome = outcome(name);
    } catch (IOException e) {
      failed++;
      outcome = "kept: can't be removed: " + e.getMessage();
    }
    if (outcome != null) {
      try {
        out.write(printable(name) + ": " + outcome + "\n");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Why a file is not needed any more if no process can write to it. */
  private sealed interface Unused {
    record ProcessEnded(int process) implements Unused {}

    record NotWritten(Instant since) implements Unused {}
  }

  /** Removes a file that is not needed. Returns what was done, or null for other files. */
  private String outcome(String name) throws IOException {
    Unused unused = unused(name);
    if (unused == null) {
      return null;
    }
    if (isInUse(name)) {
      return switch (unused) {
        case Unused.ProcessEnded(int process) ->
            "kept: process %d is not found, but another process can write to the file"
                .formatted(process);
        case Unused.NotWritten _ -> null;
      };
    }
    if (!dryRun && !remove(name)) {
      return "kept: it was replaced meanwhile";
    }
    removed++;
    String done = dryRun ? "would be removed" : "removed";
    return switch (unused) {
      case Unused.ProcessEnded(int process) -> "%s: process %d has ended".formatted(done, process);
      case Unused.NotWritten(Instant since) ->
          "%s: no process has it open for writing, last written %s".formatted(done, since);
    };
  }

  /** Returns why a file is not needed if no process can write to it; null if it is. */
  private Unused unused(String name) throws IOException {
    FileStatus entry = directory.status(name);
    if (entry == null || !entry.isRegular()) {
      return null;
    }
    try (MmvFile file = MmvFile.open(entries, FileName.of(name))) {
      boolean isEntry =
          file.status().inode() == entry.inode() && file.status().device() == entry.device();
      if (isEntry && file.schema().isProcessGone()) {
        return new Unused.ProcessEnded(file.schema().pid());
      }
      boolean isStale =
          isEntry
              && stale.isPresent()
              && entry.modifiedTime().isBefore(Instant.now().minus(stale.get()));
      return isStale ? new Unused.NotWritten(entry.modifiedTime()) : null;
    } catch (IOException | MmvFormatException e) {
      return null; // not served for another reason
    }
  }

  private boolean isInUse(String name) throws IOException {
    try (OpenFile file = directory.openRegular(name, false)) {
      return file == null || file.isOpenForWriting();
    }
  }

  /** Removes a file unless another one has come into its place. */
  private boolean remove(String name) throws IOException {
    String aside = ".jmmv-clean-" + UUID.randomUUID();
    directory.rename(name, aside);
    if (unused(aside) != null && !isInUse(aside)) {
      directory.delete(aside);
      return true;
    }
    try {
      directory.link(aside, name);
      directory.delete(aside);
    } catch (PosixException e) {
      if (e.isTaken()) {
        directory.delete(aside); // by a still newer file, which would have replaced it
      } else {
        directory.rename(aside, name);
      }
    }
    return false;
  }
}
