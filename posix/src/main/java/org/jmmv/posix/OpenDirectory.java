package org.jmmv.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A directory that is held open by a descriptor, for files that are written or removed. Another
 * user may own the directory, or one above it, and put symbolic links into it at any time, while
 * this process has the privileges of root. Therefore links are followed only where no other user
 * can have placed them: in a directory that belongs to root or to the user of this process, and
 * that neither its group nor others can write to. All files are opened relative to the descriptor,
 * so that renaming or replacing a directory of the path has no effect.
 *
 * <p>Names of files are {@code String}s with one char per byte, as {@link PosixDirectory#nameOf}
 * returns them.
 */
public final class OpenDirectory implements AutoCloseable {
  /** The maximum number of links in a path, as in path_resolution(7). */
  public static final int MAX_LINKS = 40;

  private static final CFunction OPENAT = CFunction.of("openat");
  private static final CFunction READLINKAT = CFunction.of("readlinkat");
  private static final CFunction UNLINKAT = CFunction.of("unlinkat");
  private static final CFunction MKDIRAT = CFunction.of("mkdirat");
  private static final CFunction LINKAT = CFunction.of("linkat");
  private static final CFunction RENAMEAT = CFunction.of("renameat");

  private static final int AT_FDCWD = -100;
  private static final int ROOT = 0;
  private static final int WRITABLE_BY_OTHERS = 0022;
  private static final int DIRECTORY_MODE = 0777;
  private static final int MAX_TARGET = 4096; // PATH_MAX

  private static final int O_WRONLY = 1;
  private static final int O_CREAT_EXCL = 0xc0;
  private static final int O_APPEND = 0x400;
  private static final int O_NONBLOCK = 0x800;
  private static final int O_PATH = 0x200000;

  /** O_NOFOLLOW | O_CLOEXEC | O_NOCTTY. The first of them depends on the architecture. */
  private static final int SAFELY = (CFunction.ON_X86 ? 0x20000 : 0x8000) | 0x80100;

  private int fd;

  private OpenDirectory(int fd) {
    this.fd = fd;
  }

  /**
   * Opens an existing directory.
   *
   * @throws IOException if it does not exist, or if the path has a link that is not followed
   */
  public static OpenDirectory open(Path directory) throws IOException {
    return walk(directory, false);
  }

  /** As {@link #open}, but creates the missing directories of the path. */
  public static OpenDirectory create(Path directory) throws IOException {
    return walk(directory, true);
  }

  private static OpenDirectory walk(Path path, boolean creates) throws IOException {
    OpenDirectory reached = new OpenDirectory(openAt(AT_FDCWD, "/", O_PATH, 0));
    try {
      Deque<Path> names = new ArrayDeque<>();
      path.toAbsolutePath().forEach(names::add);
      for (int links = 0; !names.isEmpty(); ) {
        String name = PosixDirectory.nameOf(names.pop());
        if (creates) {
          reached.makeDirectory(name);
        }
        FileStatus status = reached.status(name);
        if (status != null && status.isLink()) {
          if (links++ == MAX_LINKS) {
            throw new IOException("too many symbolic links");
          }
          Path target = reached.target(name);
          for (int i = target.getNameCount(); i > 0; i--) {
            names.push(target.getName(i - 1));
          }
          if (target.isAbsolute()) {
            reached.moveTo(openAt(AT_FDCWD, "/", O_PATH, 0));
          }
        } else {
          reached.moveTo(openAt(reached.fd, name, O_PATH, 0));
        }
      }
      return reached;
    } catch (IOException e) {
      reached.close();
      throw e;
    }
  }

  private void moveTo(int next) {
    close();
    fd = next;
  }

  private void makeDirectory(String name) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      if ((int) MKDIRAT.call(fd, string(arena, name), DIRECTORY_MODE) < 0
          && CFunction.errno() != PosixException.EEXIST) {
        throw CFunction.error();
      }
    }
  }

  /** Returns whether only root and the user of this process can add, replace and remove files. */
  public boolean isPrivate() throws IOException {
    FileStatus status = PosixDirectory.status(fd);
    return (status.owner() == ROOT || status.owner() == PosixProcess.userId())
        && (status.mode() & WRITABLE_BY_OTHERS) == 0;
  }

  /**
   * Returns the status of a file, or null if there is none. It is that of the link if the file is a
   * symbolic link.
   */
  public FileStatus status(String name) throws IOException {
    int file;
    try {
      file = openAt(fd, name, O_PATH, 0);
    } catch (PosixException e) {
      if (e.errno() == PosixException.ENOENT) {
        return null;
      }
      throw e;
    }
    try {
      return PosixDirectory.status(file);
    } finally {
      PosixProcess.close(file);
    }
  }

  /**
   * Returns the target of a symbolic link.
   *
   * @throws IOException if another user can have placed the link
   */
  public Path target(String link) throws IOException {
    if (!isPrivate()) {
      throw new IOException(
          link + " is a symbolic link in a directory that other users can write to");
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(MAX_TARGET);
      long length =
          CFunction.check(
              READLINKAT.call(fd, string(arena, link), target.address(), MAX_TARGET, 0, 0));
      byte[] bytes = target.asSlice(0, length).toArray(JAVA_BYTE);
      return Path.of(new String(bytes, CFunction.CHARSET));
    }
  }

  /** Returns the user ID of the directory's owner. */
  public int owner() throws IOException {
    return PosixDirectory.status(fd).owner();
  }

  /**
   * Creates a file, for writing at its end.
   *
   * @param mode the permissions, less those of the umask
   * @throws IOException if the file can't be created, for example because there is one
   */
  public OpenFile createFile(String name, int mode) throws IOException {
    return new OpenFile(openAt(fd, name, O_WRONLY | O_APPEND | O_CREAT_EXCL, mode));
  }

  /**
   * Opens a file of any type for writing at its end.
   *
   * @throws IOException if the file is a symbolic link, or a FIFO without a reader
   */
  public OpenFile openToAppend(String name) throws IOException {
    OpenFile file = new OpenFile(openAt(fd, name, O_WRONLY | O_APPEND | O_NONBLOCK, 0));
    file.setFlags(O_APPEND); // opening a FIFO must not wait, but writing to it may
    return file;
  }

  /**
   * Opens a regular file, or returns null if there is no file of that name.
   *
   * @param writes whether to open the file for writing instead of reading
   * @throws IOException if the file can't be opened, or is not a regular one
   */
  public OpenFile openRegular(String name, boolean writes) throws IOException {
    FileStatus status = status(name);
    if (status == null) {
      return null;
    }
    if (status.isRegular()) { // otherwise opening may have effects
      OpenFile file = new OpenFile(openAt(fd, name, (writes ? O_WRONLY : 0) | O_NONBLOCK, 0));
      if (file.status().isRegular()) { // another file may have replaced it
        return file;
      }
      file.close();
    }
    throw new IOException("not a regular file");
  }

  /** Deletes a file that is not a directory, if it exists. */
  public void delete(String name) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      if ((int) UNLINKAT.call(fd, string(arena, name), 0) < 0
          && CFunction.errno() != PosixException.ENOENT) {
        throw CFunction.error();
      }
    }
  }

  /** Gives a file another name, and replaces the file that has it: rename(2). */
  public void rename(String from, String to) throws IOException {
    call(RENAMEAT, from, to);
  }

  /**
   * Gives a file a second name: link(2). A symbolic link is not followed.
   *
   * @throws PosixException if the name is {@linkplain PosixException#isTaken taken}, or for another
   *     reason
   */
  public void link(String from, String to) throws PosixException {
    call(LINKAT, from, to);
  }

  private void call(CFunction function, String from, String to) throws PosixException {
    try (Arena arena = Arena.ofConfined()) {
      long source = string(arena, from);
      long target = string(arena, to);
      CFunction.check(function.call(fd, source, fd, target, 0, 0));
    }
  }

  private static long string(Arena arena, String name) {
    return arena.allocateFrom(name, ISO_8859_1).address();
  }

  private static int openAt(int directory, String name, int flags, int mode) throws PosixException {
    try (Arena arena = Arena.ofConfined()) {
      long path = string(arena, name);
      return (int) CFunction.check(OPENAT.call(directory, path, flags | SAFELY, mode, 0, 0));
    }
  }

  @Override
  public void close() {
    PosixProcess.close(fd);
  }
}
