package org.jmmv.reader;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;

/**
 * The system calls that a directory of files needs, which {@code java.nio} has not, or not so that
 * it can be trusted with hostile files: names are bytes, opening never waits (a FIFO put in the
 * place of a file would hold {@code FileChannel.open} for ever), a mapping needs no descriptor. For
 * 64-bit Linux.
 */
@SuppressWarnings("restricted") // calling C is what this class is for
final class Posix {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final MethodHandle KILL = function("kill", JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle STATX =
      function("statx", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS);
  private static final MethodHandle OPEN = function("open", JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle CLOSE = function("close", JAVA_INT, JAVA_INT);
  private static final MethodHandle MMAP =
      function("mmap", ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
  private static final MethodHandle MUNMAP = function("munmap", JAVA_INT, ADDRESS, JAVA_LONG);
  private static final MethodHandle OPENDIR = function("opendir", ADDRESS, ADDRESS);
  private static final MethodHandle DIRFD = function("dirfd", JAVA_INT, ADDRESS);
  private static final MethodHandle READDIR = function("readdir", ADDRESS, ADDRESS);
  private static final MethodHandle CLOSEDIR = function("closedir", JAVA_INT, ADDRESS);
  private static final MethodHandle STRERROR = function("strerror", ADDRESS, JAVA_INT);

  private static final int EPERM = 1;
  private static final int AT_FDCWD = -100;
  private static final int AT_EMPTY_PATH = 0x1000;
  private static final int STATX_BASIC_STATS = 0x7ff;
  private static final int OPEN_FLAGS = 0x80900; // O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
  private static final int PROT_READ = 1;
  private static final int MAP_SHARED = 1;
  private static final long MAP_FAILED = -1;

  // struct statx, the same on every architecture
  private static final int STATX_SIZE = 256;
  private static final int STATX_MODE = 28;
  private static final int STATX_INODE = 32;
  private static final int STATX_BYTES = 40;
  private static final int STATX_CHANGED = 96;
  private static final int STATX_MODIFIED = 112;
  private static final int STATX_DEVICE = 136;

  // struct dirent, the same on every 64-bit Linux
  private static final int DIRENT_INODE = 0;
  private static final int DIRENT_TYPE = 18;
  private static final int DIRENT_NAME = 19;
  private static final int DT_REG = 8;
  private static final int MAX_NAME = 256; // with its NUL

  private static final int MAX_PATH = 4096;

  private final MemorySegment state;
  private final MemorySegment status;
  private final MemorySegment path;

  Posix() {
    Arena arena = Arena.ofAuto();
    state = arena.allocate(STATE);
    status = arena.allocate(STATX_SIZE, 8);
    path = arena.allocate(MAX_PATH);
  }

  private static MethodHandle function(String name, MemoryLayout result, MemoryLayout... args) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name),
        FunctionDescriptor.of(result, args),
        Linker.Option.captureCallState("errno"));
  }

  /** Whether a process of this number runs; one of another user does, too. */
  boolean processExists(int pid) {
    try {
      return (int) KILL.invokeExact(state, pid, 0) == 0 || errno() == EPERM;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** The status of a file, symbolic links followed, or null if there is none that can be seen. */
  FileStatus status(byte[] file) {
    return setPath(file) ? statx(AT_FDCWD, path, 0) : null;
  }

  /**
   * Maps a whole file read-only, without waiting for anything.
   *
   * @param maxSize of the file, in bytes
   * @return the mapping, which lasts until it is closed; one of no bytes for an empty file
   * @throws IOException if the file can't be opened or mapped, or is is too large or not a regular
   *     one
   */
  MmvMapping map(byte[] file, long maxSize) throws IOException {
    if (!setPath(file)) {
      throw new IOException("the path is too long");
    }
    try {
      int fd = (int) OPEN.invokeExact(state, path, OPEN_FLAGS);
      if (fd < 0) {
        throw new IOException(message());
      }
      try {
        setPath(new byte[0]);
        FileStatus opened = statx(fd, path, AT_EMPTY_PATH);
        if (opened == null || !opened.isRegular()) {
          throw new IOException("not a regular file any more");
        }
        if (opened.size() > maxSize) {
          throw new IOException("it has " + opened.size() + " bytes, the limit is " + maxSize);
        }
        if (opened.size() == 0) {
          return new MmvMapping(opened, MemorySegment.NULL, Arena.ofConfined());
        }
        MemorySegment start =
            (MemorySegment)
                MMAP.invokeExact(
                    state, MemorySegment.NULL, opened.size(), PROT_READ, MAP_SHARED, fd, 0L);
        if (start.address() == MAP_FAILED) {
          throw new IOException(message());
        }
        Arena arena = Arena.ofConfined();
        MemorySegment mapped = start.reinterpret(opened.size(), arena, this::unmap);
        return new MmvMapping(opened, mapped.asReadOnly(), arena);
      } finally {
        int ignored = (int) CLOSE.invokeExact(state, fd);
      }
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** An entry of a directory, while {@link #list} is at it. */
  final class DirectoryEntry {
    private MemorySegment entry;
    private int directory;

    /** Its bytes, a char each. */
    String name() {
      return entry.getString(DIRENT_NAME, ISO_8859_1);
    }

    /** The number of what it stands for, unless that is a symbolic link or mounted there. */
    long inode() {
      return entry.get(JAVA_LONG, DIRENT_INODE);
    }

    /** Whether it is certainly a regular file; some file systems do not say. */
    boolean isRegular() {
      return entry.get(JAVA_BYTE, DIRENT_TYPE) == DT_REG;
    }

    /** Of what it stands for, symbolic links followed, or null if that can't be seen. */
    FileStatus status() {
      return statx(directory, entry.asSlice(DIRENT_NAME), 0);
    }
  }

  /**
   * Goes through a directory, in no order; names that begin with a dot are skipped.
   *
   * @throws IOException if the directory can't be read
   */
  void list(byte[] directory, Consumer<DirectoryEntry> visitor) throws IOException {
    if (!setPath(directory)) {
      throw new IOException("the path is too long");
    }
    try {
      MemorySegment dir = (MemorySegment) OPENDIR.invokeExact(state, path);
      if (dir.address() == 0) {
        throw new IOException(message());
      }
      try {
        DirectoryEntry found = new DirectoryEntry();
        found.directory = (int) DIRFD.invokeExact(state, dir);
        while (true) {
          MemorySegment next = (MemorySegment) READDIR.invokeExact(state, dir);
          if (next.address() == 0) {
            return;
          }
          found.entry = next.reinterpret(DIRENT_NAME + MAX_NAME);
          if (found.entry.get(JAVA_BYTE, DIRENT_NAME) != '.') {
            visitor.accept(found);
          }
        }
      } finally {
        int ignored = (int) CLOSEDIR.invokeExact(state, dir);
      }
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private void unmap(MemorySegment mapped) {
    try {
      int ignored = (int) MUNMAP.invokeExact(state, mapped, mapped.byteSize());
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private boolean setPath(byte[] bytes) {
    if (bytes.length >= MAX_PATH) {
      return false;
    }
    MemorySegment.copy(bytes, 0, path, JAVA_BYTE, 0, bytes.length);
    path.set(JAVA_BYTE, bytes.length, (byte) 0);
    return true;
  }

  private FileStatus statx(int directory, MemorySegment name, int flags) {
    try {
      if ((int) STATX.invokeExact(state, directory, name, flags, STATX_BASIC_STATS, status) != 0) {
        return null;
      }
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    return new FileStatus(
        status.get(JAVA_LONG, STATX_DEVICE),
        status.get(JAVA_LONG, STATX_INODE),
        status.get(JAVA_LONG, STATX_BYTES),
        nanos(STATX_MODIFIED),
        nanos(STATX_CHANGED),
        status.get(JAVA_SHORT, STATX_MODE));
  }

  private long nanos(int timestamp) {
    return status.get(JAVA_LONG, timestamp) * 1_000_000_000 + status.get(JAVA_INT, timestamp + 8);
  }

  private int errno() {
    return (int) ERRNO.get(state, 0L);
  }

  /** What the last call's error number means, "Permission denied". */
  private String message() throws Throwable {
    int errno = errno();
    MemorySegment text = (MemorySegment) STRERROR.invokeExact(state, errno);
    return text.reinterpret(MAX_PATH).getString(0);
  }
}
