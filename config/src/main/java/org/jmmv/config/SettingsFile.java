package org.jmmv.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.jmmv.pcp.Printable.printable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.jmmv.posix.FileStatus;
import org.jmmv.posix.OpenDirectory;
import org.jmmv.posix.OpenFile;
import org.jmmv.posix.PosixDirectory;
import org.jmmv.posix.PosixException;

/**
 * The settings file, jmmv.toml(5). It is opened as root at a start, and later as the agent's user.
 * Therefore symbolic links are followed only in directories that other users can't write to, and
 * only a regular file of at most 64 KiB is read. Not thread-safe.
 */
public final class SettingsFile {
  /** A link to a larger file would fill the heap. */
  private static final int MAX_SIZE = 64 << 10;

  private static final Path WITHOUT_PCP = Path.of("/etc");

  /**
   * How often the file is looked at, and the age from which on it is read: an editor may still be
   * writing a younger one.
   */
  public static final long LOOK_NANOS = 1_000_000_000;

  private final Path path;
  private final PosixDirectory directory;
  private final InstantSource clock;
  private FileStatus seen; // at the last look; null: no file
  private FileStatus read; // when the file was read
  private boolean hadContent; // when it was last read without an error

  /**
   * Creates an object for a file, which need not exist. Nothing is read.
   *
   * @param path the path, which has a name
   */
  public SettingsFile(Path path) {
    this(path, InstantSource.system());
  }

  /** As the public constructor, with another clock, for tests. */
  SettingsFile(Path path, InstantSource clock) {
    this.clock = clock;
    this.path = path.toAbsolutePath();
    directory = new PosixDirectory(this.path.getParent());
  }

  /**
   * Returns an object for the file of an agent: in {@code $PCP_SYSCONF_DIR}, or in {@code /etc} if
   * PCP is not installed. Nothing is read.
   *
   * @param agent the agent's name; that of the tools' agent is {@link AgentCommand#DEFAULT_NAME}
   */
  public static SettingsFile of(PcpConfig config, String agent) {
    Path directory = config.path("PCP_SYSCONF_DIR").orElse(WITHOUT_PCP);
    return new SettingsFile(directory.resolve("jmmv/" + AgentCommand.fileName(agent) + ".toml"));
  }

  public Path path() {
    return path;
  }

  /** Returns whether the file existed when it was read. */
  public boolean exists() {
    return read != null;
  }

  /**
   * Returns whether the file has another status than when it was read, and has had it for a second
   * or already at the last call. So a file is not read while an editor is writing it, if the calls
   * are a second apart.
   */
  public boolean hasChanged() {
    FileStatus now = directory.status(PosixDirectory.nameOf(path));
    boolean isStable = Objects.equals(now, seen) || (now != null && age(now) >= LOOK_NANOS);
    seen = now;
    return isStable && !Objects.equals(now, read);
  }

  /** Returns the time since the last change, in nanoseconds. */
  private long age(FileStatus status) {
    return clock.millis() * 1_000_000 - status.changed();
  }

  /**
   * Reads the file.
   *
   * @return the settings; {@link Settings#DEFAULT} if there is no file, or nothing in it
   * @throws SettingsException if the file is invalid or can't be read, or if there was something in
   *     it before: a file may be lost by accident, and passwords are not given up for that
   */
  public Settings read() throws SettingsException {
    FileStatus before = read;
    read = directory.status(PosixDirectory.nameOf(path));
    seen = read;
    byte[] bytes;
    try {
      bytes = bytes(path, 0);
    } catch (IOException e) {
      if (e instanceof PosixException error && error.isPassing()) {
        read = before; // so that hasChanged returns true again
      }
      throw new SettingsException(
          List.of("%s: can't be read: %s".formatted(printable(path.toString()), e.getMessage())));
    }
    boolean isEmpty = bytes == null || new String(bytes, ISO_8859_1).isBlank();
    if (isEmpty && hadContent) {
      throw new SettingsException(
          List.of(
              "%s: the file is %s, and had settings before"
                  .formatted(printable(path.toString()), bytes == null ? "missing" : "empty")));
    }
    Settings settings = isEmpty ? Settings.DEFAULT : SettingsParser.parse(path, bytes);
    hadContent = !isEmpty;
    return settings;
  }

  /**
   * Returns the content of a file, or null if it does not exist.
   *
   * @param links the number of symbolic links that have led to the file
   */
  private static byte[] bytes(Path file, int links) throws IOException {
    String name = PosixDirectory.nameOf(file);
    try (OpenDirectory open = OpenDirectory.open(file.getParent())) {
      FileStatus status = open.status(name);
      if (status != null && status.isLink()) {
        if (links == OpenDirectory.MAX_LINKS) {
          throw new IOException("too many symbolic links");
        }
        return bytes(file.resolveSibling(open.target(name)), links + 1);
      }
      try (OpenFile in = open.openRegular(name, false)) {
        if (in != null) {
          return in.read(MAX_SIZE);
        }
      }
    } catch (PosixException e) {
      if (!e.isMissing()) { // the directory
        throw e;
      }
    }
    if (links > 0) {
      throw new IOException("a link to a file that is missing");
    }
    return null;
  }
}
