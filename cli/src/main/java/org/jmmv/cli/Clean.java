package org.jmmv.cli;

import static org.jmmv.pcp.Printable.escaped;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jmmv.cli.command.Command;
import org.jmmv.config.Converters;
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
final class Clean extends Command {
  private static final String ASIDE = ".jmmv-clean-";

  private final Arg<Path> path = parameter("DIR", "the directory");
  private final Arg<Duration> stale =
      option(
          "TIME",
          "also remove files without that flag that no process has open for writing, and that were not"
              + " written for this time, such as 30m, 1h or 2d",
          Converters::duration,
          "--stale");
  private final Arg<Boolean> dryRun = flag("only print what would be removed", "-n --dry-run");

  // while it runs
  private PosixDirectory entries;
  private OpenDirectory directory;
  private Writer out;
  private int removed;
  private int failed;

  Clean() {
    super("remove the files whose process has ended (those with the PROCESS flag), only these");
  }

  @Override
  public int run(Map<String, String> environment, Writer writer) throws IOException {
    Path cleaned = path.value().orElseThrow();
    out = writer;
    entries = new PosixDirectory(cleaned);
    try (OpenDirectory open = OpenDirectory.open(cleaned)) {
      directory = open;
      entries.list(
          0,
          entry -> {
            if (!entry.isHidden() || isAside(entry.name())) {
              clean(entry.name());
            }
            return true;
          });
    } catch (PosixException e) {
      throw new IOException(cleaned + ": " + e.getMessage(), e);
    }
    String files = removed == 1 ? " file" : " files";
    out.write(removed + files + (dryRun.isGiven() ? " would be removed\n" : " removed\n"));
    return failed == 0 ? GOOD : FAULTY;
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
        out.write(escaped(name) + ": " + outcome + "\n");
      } catch (IOException e) {
        // nobody reads it; the last line fails, too
      }
    }
  }

  /**
   * A file that is not needed any more if no process can write to it.
   *
   * @param reason why
   * @param kept what is printed if a process can write to it; null: nothing
   */
  private record Unused(String reason, String kept) {}

  /** Removes a file that is not needed. Returns what was done, or null for other files. */
  private String outcome(String name) throws IOException {
    Unused unused = unused(name);
    if (unused == null) {
      return null;
    }
    if (isInUse(name)) {
      return unused.kept;
    }
    if (dryRun.isGiven()) {
      removed++;
      return "would be removed: " + unused.reason;
    }
    if (isAside(name)) {
      directory.delete(name);
    } else if (!remove(name)) {
      return "kept: it has been replaced";
    }
    removed++;
    return "removed: " + unused.reason;
  }

  /** Returns whether a name is one that a run which was killed has left. */
  private static boolean isAside(String name) {
    return name.startsWith(ASIDE);
  }

  /** Returns why a file is not needed if no process can write to it; null if it is. */
  private Unused unused(String name) throws IOException {
    FileStatus entry = directory.status(name);
    if (entry == null || !entry.isRegular()) {
      return null;
    }
    try (MmvFile file = MmvFile.open(entries, FileName.of(name))) {
      if (file.status().inode() != entry.inode() || file.status().device() != entry.device()) {
        return null;
      }
      if (file.schema().isProcessGone()) {
        int process = file.schema().header().pid();
        return new Unused(
            "process %d has ended".formatted(process),
            "kept: process %d is not found, but another process can write to the file"
                .formatted(process));
      }
      Instant written = entry.modifiedTime();
      return stale.isGiven() && written.isBefore(Instant.now().minus(stale.or(Duration.ZERO)))
          ? new Unused("no process has it open for writing, last written " + written, null)
          : null;
    } catch (IOException | MmvFormatException e) {
      return null; // not served for another reason
    }
  }

  private boolean isInUse(String name) throws IOException {
    try (OpenFile file = directory.openRegular(name, false)) {
      return file == null || file.isOpenForWriting();
    }
  }

  /** Removes a file unless another one has replaced it. */
  private boolean remove(String name) throws IOException {
    String aside = ASIDE + UUID.randomUUID();
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
