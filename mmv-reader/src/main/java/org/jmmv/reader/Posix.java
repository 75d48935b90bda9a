package org.jmmv.reader;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * The system calls that a directory of files needs, which {@code java.nio} has not, or not so that
 * it can be trusted with hostile files: names are bytes, opening never waits (a FIFO put in the
 * place of a file would hold {@code FileChannel.open} for ever), a mapping needs no descriptor. For
 * Linux on x86-64 and AArch64.
 */
@SuppressWarnings("restricted") // memory that C gives us has no bounds
final class Posix {
  private static final CFunction KILL = CFunction.of("kill");
  private static final CFunction STATX = CFunction.of("statx");
  private static final CFunction OPEN = CFunction.of("open");
  private static final CFunction CLOSE = CFunction.of("close");
  private static final CFunction MMAP = CFunction.of("mmap");
  private static final CFunction MUNMAP = CFunction.of("munmap");
  private static final CFunction SYSCALL = CFunction.of("syscall"); // older C has no getdents64

  private static final int EPERM = 1;
  private static final int AT_FDCWD = -100;
  private static final int AT_EMPTY_PATH = 0x1000;
  private static final int STATX_BASIC_STATS = 0x7ff;
  private static final int OPEN_FLAGS = 0x80900; // O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
  private static final boolean ON_X86 = System.getProperty("os.arch").equals("amd64");
  private static final int GETDENTS64 = ON_X86 ? 217 : 61;
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

  // struct linux_dirent64, the same on every architecture
  private static final int DIRENT_INODE = 0;
  private static final int DIRENT_LENGTH = 16;
  private static final int DIRENT_TYPE = 18;
  private static final int DIRENT_NAME = 19;
  private static final int DT_REG = 8;
  private static final int MAX_NAME = 256; // with its NUL
  private static final int ENTRIES_SIZE = 32 << 10; // of entries, at once

  private static final MemorySegment EMPTY = Arena.global().allocateFrom("");

  private final CFunction.Errno errno = new CFunction.Errno();
  private final MemorySegment status;
  private final MemorySegment path; // the directory's, a slash, and room for a name
  private final long nameOffset;
  private final MemorySegment entries; // of the directory, some at a time

  /** For the files of a directory, which need not exist. */
  Posix(byte[] directory) {
    Arena arena = Arena.ofAuto();
    status = arena.allocate(STATX_SIZE, 8);
    entries = arena.allocate(ENTRIES_SIZE, 8);
    nameOffset = directory.length + 1L;
    path = arena.allocate(nameOffset + MAX_NAME);
    MemorySegment.copy(directory, 0, path, JAVA_BYTE, 0, directory.length);
    path.set(JAVA_BYTE, directory.length, (byte) '/');
  }

  /** Whether a process of this number runs; one of another user does, too. */
  boolean processExists(int pid) {
    return (int) KILL.call(errno, pid, 0) == 0 || errno.number() == EPERM;
  }

  /**
   * The status of a file, symbolic links followed, or null if there is none that can be seen.
   *
   * @param name of the file, a char for each byte; empty for the directory itself
   */
  FileStatus status(String name) {
    return statx(AT_FDCWD, pathOf(name), 0) ? readStatus() : null;
  }

  /** Whether {@link #status} would return this; nothing is allocated. */
  boolean hasStatus(String name, FileStatus expected) {
    return statx(AT_FDCWD, pathOf(name), 0)
        ? expected != null
            && expected.changed() == nanos(STATX_CHANGED)
            && expected.modified() == nanos(STATX_MODIFIED)
            && expected.inode() == status.get(JAVA_LONG, STATX_INODE)
            && expected.device() == status.get(JAVA_LONG, STATX_DEVICE)
            && expected.size() == status.get(JAVA_LONG, STATX_BYTES)
            && expected.mode() == status.get(JAVA_SHORT, STATX_MODE)
        : expected == null;
  }

  /**
   * Maps a whole file read-only, without waiting for anything.
   *
   * @param maxSize of the file, in bytes
   * @return the mapping, which lasts until it is closed; one of no bytes for an empty file
   * @throws IOException if the file can't be opened or mapped, or is too large or not a regular one
   */
  MmvMapping map(String name, long maxSize) throws IOException {
    int fd = (int) OPEN.call(errno, pathOf(name), OPEN_FLAGS);
    if (fd < 0) {
      throw new IOException(errno.message());
    }
    try {
      FileStatus opened = statx(fd, EMPTY.address(), AT_EMPTY_PATH) ? readStatus() : null;
      if (opened == null || !opened.isRegular()) {
        throw new IOException("not a regular file any more");
      }
      if (opened.size() > maxSize) {
        throw new IOException("it has " + opened.size() + " bytes, the limit is " + maxSize);
      }
      if (opened.size() == 0) {
        return new MmvMapping(opened, MemorySegment.NULL, Arena.ofConfined());
      }
      long start = MMAP.call(errno, 0, opened.size(), PROT_READ, MAP_SHARED, fd, 0);
      if (start == MAP_FAILED) {
        throw new IOException(errno.message());
      }
      Arena arena = Arena.ofConfined();
      MemorySegment mapped =
          MemorySegment.ofAddress(start).reinterpret(opened.size(), arena, this::unmap);
      return new MmvMapping(opened, mapped.asReadOnly(), arena);
    } finally {
      CLOSE.call(errno, fd);
    }
  }

  private void unmap(MemorySegment mapped) {
    MUNMAP.call(errno, mapped.address(), mapped.byteSize());
  }

  /** An entry of a directory, while {@link #list} is at it. */
  final class DirectoryEntry {
    private long entry; // its offset
    private int directory;

    /** Its bytes, a char each. */
    String name() {
      return entries.getString(entry + DIRENT_NAME, ISO_8859_1);
    }

    /** Whether that is its name. */
    boolean hasName(byte[] name) {
      long start = entry + DIRENT_NAME;
      for (int i = 0; i < name.length; i++) {
        if (entries.get(JAVA_BYTE, start + i) != name[i]) {
          return false;
        }
      }
      return entries.get(JAVA_BYTE, start + name.length) == 0;
    }

    /** The number of what it stands for, unless that is a symbolic link or mounted there. */
    long inode() {
      return entries.get(JAVA_LONG, entry + DIRENT_INODE);
    }

    /** Whether it is certainly a regular file; some file systems do not say. */
    boolean isRegular() {
      return entries.get(JAVA_BYTE, entry + DIRENT_TYPE) == DT_REG;
    }

    private int length() {
      return entries.get(JAVA_SHORT, entry + DIRENT_LENGTH);
    }

    /** Of what it stands for, symbolic links followed, or null if that can't be seen. */
    FileStatus status() {
      return statx(directory, entries.address() + entry + DIRENT_NAME, 0) ? readStatus() : null;
    }
  }

  /**
   * Goes through the directory, in no order; names that begin with a dot are skipped.
   *
   * @throws IOException if the directory can't be read
   */
  void list(Consumer<DirectoryEntry> visitor) throws IOException {
    int fd = (int) OPEN.call(errno, pathOf(""), OPEN_FLAGS);
    if (fd < 0) {
      throw new IOException(errno.message());
    }
    try {
      DirectoryEntry found = new DirectoryEntry();
      found.directory = fd;
      while (true) {
        long size = SYSCALL.call(errno, GETDENTS64, fd, entries.address(), ENTRIES_SIZE, 0, 0);
        if (size < 0) {
          throw new IOException(errno.message());
        }
        if (size == 0) {
          return;
        }
        for (found.entry = 0; found.entry < size; ) {
          visit(found, visitor);
        }
      }
    } finally {
      CLOSE.call(errno, fd);
    }
  }

  /** By itself, because it is compiled long before the loop around it is. */
  private void visit(DirectoryEntry found, Consumer<DirectoryEntry> visitor) {
    if (entries.get(JAVA_BYTE, found.entry + DIRENT_NAME) != '.') {
      visitor.accept(found);
    }
    found.entry += found.length();
  }

  /** The address of a path, until the next one is asked for. */
  private long pathOf(String name) {
    for (int i = 0; i < name.length(); i++) {
      path.set(JAVA_BYTE, nameOffset + i, (byte) name.charAt(i));
    }
    path.set(JAVA_BYTE, nameOffset + name.length(), (byte) 0);
    return path.address();
  }

  /** Whether there is a status to read. */
  private boolean statx(int directory, long name, int flags) {
    return (int) STATX.call(errno, directory, name, flags, STATX_BASIC_STATS, status.address(), 0)
        == 0;
  }

  private FileStatus readStatus() {
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
}
