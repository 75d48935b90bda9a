package org.jmmv.posix;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * System calls for the files of one directory: status, mapping, listing.
 *
 * <p>Names of files are {@code String}s with one char per byte. The empty name stands for the
 * directory itself. The buffers for the system calls are allocated once, so {@link #hasStatus} and
 * {@link #list} allocate nothing per file. Not thread-safe.
 */
@SuppressWarnings("restricted") // addresses that C returns become memory segments
public final class PosixDirectory {
  private static final CFunction OPEN = CFunction.of("open");
  private static final CFunction LSEEK = CFunction.of("lseek");
  private static final CFunction MMAP = CFunction.of("mmap");
  private static final CFunction MUNMAP = CFunction.of("munmap");
  private static final CFunction SYSCALL =
      CFunction.of("syscall"); // for getdents64, which glibc has only since 2.30

  private static final int AT_FDCWD = -100;
  private static final int AT_SYMLINK_NOFOLLOW = 0x100;
  private static final int AT_EMPTY_PATH = 0x1000;
  private static final int OPEN_FLAGS = 0x80900; // O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
  private static final int PATH_FLAGS = 0x280000; // O_PATH | O_CLOEXEC
  private static final int GETDENTS64 = CFunction.ON_X86 ? 217 : 61;
  private static final int SEEK_SET = 0;
  private static final int PROT_READ = 1;
  private static final int MAP_SHARED = 1;
  private static final long MAP_FAILED = -1;

  // struct linux_dirent64, the same on every architecture
  private static final int DIRENT_INODE = 0;
  private static final int DIRENT_NEXT = 8;
  private static final int DIRENT_LENGTH = 16;
  private static final int DIRENT_TYPE = 18;
  private static final int DIRENT_NAME = 19;
  private static final int DT_REG = 8;
  private static final int DT_LNK = 10;
  private static final int NAME_SIZE = 256; // with the NUL

  /** The maximum length of a name in bytes: NAME_MAX of limits.h. */
  public static final int MAX_NAME = NAME_SIZE - 1;

  private static final int ENTRIES_SIZE = 32 << 10;

  private static final String OPEN_FILES = "/proc/self/fd/";

  private static final MemorySegment EMPTY = Arena.global().allocateFrom("");

  private final StatusBuffer status;
  private final long path; // address of the path of the directory, a slash, and room for a name
  private final ByteBuffer fileName; // that room
  private final long entriesAddress;
  private final ByteBuffer entries; // result of the last getdents64

  /**
   * Creates an object for a directory, which need not exist.
   *
   * @param directory the path, which is encoded with the character set {@code sun.jnu.encoding}
   */
  public PosixDirectory(Path directory) {
    byte[] bytes = bytes(directory);
    Arena arena = Arena.ofAuto();
    status = new StatusBuffer(arena);
    MemorySegment found = arena.allocate(ENTRIES_SIZE, 8);
    entriesAddress = found.address();
    entries = found.asByteBuffer().order(ByteOrder.nativeOrder());
    MemorySegment file = arena.allocate(bytes.length + 1L + NAME_SIZE);
    path = file.address();
    fileName = file.asByteBuffer().put(bytes).put((byte) '/').slice();
  }

  /**
   * Returns the last name of a path in the form that the methods of this class require, one char
   * per byte.
   */
  public static String nameOf(Path file) {
    return new String(bytes(file.getFileName()), ISO_8859_1);
  }

  /** Returns the bytes of a path. */
  public static byte[] bytes(Path path) {
    return path.toString().getBytes(CFunction.CHARSET);
  }

  /**
   * Returns the status of a file, or null if it can't be read. Symbolic links are followed.
   *
   * @param name the file's name, at most 255 chars
   */
  public FileStatus status(String name) {
    return status.read(AT_FDCWD, pathOf(name), 0) ? status.get() : null;
  }

  /**
   * Returns the status of a directory entry, which may be a symbolic link, or null if it can't be
   * read.
   *
   * @param name the entry's name, at most 255 chars
   */
  public FileStatus entryStatus(String name) {
    return status.read(AT_FDCWD, pathOf(name), AT_SYMLINK_NOFOLLOW) ? status.get() : null;
  }

  /**
   * Returns whether {@link #status} would return an equal status. It compares without allocating an
   * object.
   *
   * @param name the file's name, at most 255 chars
   * @param expected the status, or null for a file whose status can't be read
   */
  public boolean hasStatus(String name, FileStatus expected) {
    return status.read(AT_FDCWD, pathOf(name), 0) ? status.is(expected) : expected == null;
  }

  /**
   * Opens a regular file for reading. It is found before it is opened: to open a device may have
   * effects, and a user who can write to the directory may put a link to one there at any time.
   */
  private int open(String name) throws IOException {
    int found = (int) CFunction.check(OPEN.call(pathOf(name), PATH_FLAGS));
    try (Arena arena = Arena.ofConfined()) {
      if (!status(found).isRegular()) {
        throw new IOException("not a regular file");
      }
      long path = arena.allocateFrom(OPEN_FILES + found).address();
      return (int) CFunction.check(OPEN.call(path, OPEN_FLAGS));
    } finally {
      PosixProcess.close(found);
    }
  }

  /**
   * Maps a whole file read-only. Never blocks: FIFOs and devices are rejected.
   *
   * @param name the file's name
   * @param maxSize the maximum size of the file in bytes
   * @return the mapping, which has no bytes if the file is empty; the caller closes it
   * @throws PosixException if the file can't be opened or mapped
   * @throws IOException if the file is not a regular file, or is larger than {@code maxSize}
   */
  public MappedFile map(String name, int maxSize) throws IOException {
    if (name.length() >= NAME_SIZE) {
      throw new IOException("File name too long");
    }
    int fd = open(name);
    try {
      FileStatus opened = status(fd);
      if (opened.size() > maxSize) {
        throw new IOException(
            "it has %d bytes, the limit is %d (--max-file-size)".formatted(opened.size(), maxSize));
      }
      if (opened.size() == 0) {
        return new MappedFile(opened, false, ByteBuffer.allocate(0), Arena.ofConfined());
      }
      boolean isLayered = OpenFile.isLayered(fd);
      long start = MMAP.call(0, opened.size(), PROT_READ, MAP_SHARED, fd, 0);
      if (start == MAP_FAILED) {
        throw CFunction.error();
      }
      Arena arena = Arena.ofConfined();
      MemorySegment mapped =
          MemorySegment.ofAddress(start)
              .reinterpret(opened.size(), arena, PosixDirectory::unmap)
              .asReadOnly();
      return new MappedFile(
          opened, isLayered, mapped.asByteBuffer().order(ByteOrder.nativeOrder()), arena);
    } finally {
      PosixProcess.close(fd);
    }
  }

  /**
   * Returns whether any process has a file open for writing, as {@link OpenFile#isOpenForWriting}
   * does.
   *
   * @param name the file's name
   * @param expected a status of the file
   * @throws IOException if the file can't be opened now, for example because no descriptor is left,
   *     because another process has a lease, or because it was replaced by what is no file
   */
  public OpenForWriting openForWriting(String name, FileStatus expected) throws IOException {
    int fd = open(name);
    try {
      FileStatus opened = status(fd);
      if (opened.inode() != expected.inode() || opened.device() != expected.device()) {
        return OpenForWriting.UNKNOWN; // it was replaced, which the next scan finds
      }
      return OpenFile.isOpenForWriting(fd) ? OpenForWriting.YES : OpenForWriting.NO;
    } catch (PosixException e) {
      return OpenForWriting.UNKNOWN;
    } finally {
      PosixProcess.close(fd);
    }
  }

  private static void unmap(MemorySegment mapped) {
    MUNMAP.call(mapped.address(), mapped.byteSize());
  }

  /** The current entry of {@link #list}. The same object is used for all entries. */
  public final class DirectoryEntry {
    private final int directory; // file descriptor of the directory
    private final byte[] name = new byte[NAME_SIZE]; // for hasName
    private int entry; // the entry's offset in the buffer

    private DirectoryEntry(int directory) {
      this.directory = directory;
    }

    /** Returns the name, one char per byte. */
    public String name() {
      int length = 0;
      while (byteOfName(length) != 0) {
        length++;
      }
      byte[] name = new byte[length];
      entries.get(entry + DIRENT_NAME, name);
      return new String(name, ISO_8859_1);
    }

    /**
     * Returns whether the name equals these bytes. It compares without allocating an object, and
     * copies the name first: C1 compiles a look at each byte of the buffer badly.
     */
    public boolean hasName(byte[] other) {
      int length = other.length;
      if (length + 1 > Math.min(length() - DIRENT_NAME, name.length)) {
        return false;
      }
      entries.get(entry + DIRENT_NAME, name, 0, length + 1);
      return name[length] == 0 && Arrays.equals(name, 0, length, other, 0, length);
    }

    /**
     * Returns the inode number. For a symbolic link it is that of the link; for a mount point that
     * of the covered directory.
     */
    public long inode() {
      return entries.getLong(entry + DIRENT_INODE);
    }

    /**
     * Returns whether the entry is known to be a regular file. Some file systems do not provide the
     * type.
     */
    public boolean isRegular() {
      return entries.get(entry + DIRENT_TYPE) == DT_REG;
    }

    /** Returns whether the entry is known to be a symbolic link. */
    public boolean isLink() {
      return entries.get(entry + DIRENT_TYPE) == DT_LNK;
    }

    /** Returns whether the name begins with a dot. */
    public boolean isHidden() {
      return byteOfName(0) == '.';
    }

    /** Returns whether this is the directory itself, or the one above. */
    private boolean isDots() {
      return isHidden() && (byteOfName(1) == 0 || (byteOfName(1) == '.' && byteOfName(2) == 0));
    }

    private byte byteOfName(int index) {
      return entries.get(entry + DIRENT_NAME + index);
    }

    /** Returns the status, or null if it can't be read. Symbolic links are followed. */
    public FileStatus status() {
      return status.read(directory, entriesAddress + entry + DIRENT_NAME, 0) ? status.get() : null;
    }

    private int length() {
      return entries.getShort(entry + DIRENT_LENGTH);
    }
  }

  /**
   * Visits entries of the directory, in the order of the file system. The entries "." and ".." are
   * skipped.
   *
   * @param from the position of the first entry: 0, or a result of this method. Entries that were
   *     there all the time are visited exactly once if the positions are followed from 0 to the end
   * @param visitor receives each entry, and returns whether to go on; it must not call this method
   * @return the position of the next entry, or -1 if there are no more entries
   * @throws PosixException if the directory can't be read
   */
  public long list(long from, Predicate<DirectoryEntry> visitor) throws PosixException {
    int directory = (int) OPEN.call(pathOf(""), OPEN_FLAGS);
    if (directory < 0) {
      throw CFunction.error();
    }
    try {
      return list(directory, from, visitor);
    } finally {
      PosixProcess.close(directory);
    }
  }

  private long list(int directory, long from, Predicate<DirectoryEntry> visitor)
      throws PosixException {
    if (from != 0 && LSEEK.call(directory, from, SEEK_SET) < 0) {
      throw CFunction.error();
    }
    DirectoryEntry found = new DirectoryEntry(directory);
    while (true) {
      long size = SYSCALL.call(GETDENTS64, directory, entriesAddress, ENTRIES_SIZE, 0, 0);
      if (size < 0) {
        throw CFunction.errno() == PosixException.ENOENT ? deleted() : CFunction.error();
      }
      if (size == 0) {
        return -1;
      }
      for (found.entry = 0; found.entry < size; found.entry += found.length()) {
        if (!found.isDots() && !visitor.test(found)) {
          return entries.getLong(found.entry + DIRENT_NEXT);
        }
      }
    }
  }

  /** A directory that was deleted can be opened where it is mounted, but not read. */
  private static PosixException deleted() {
    return new PosixException(
        PosixException.ENOENT,
        "it was deleted; a mount does not show a directory that was made anew in its place");
  }

  /** Returns the address of a file's path, which is valid until the next call. */
  private long pathOf(String name) {
    for (int i = 0; i < name.length(); i++) {
      fileName.put(i, (byte) name.charAt(i));
    }
    fileName.put(name.length(), (byte) 0);
    return path;
  }

  /** Returns the status of the open file of a descriptor, also of one opened with O_PATH. */
  static FileStatus status(int fd) throws PosixException {
    StatusBuffer status = StatusBuffer.ofThread();
    if (!status.read(fd, EMPTY.address(), AT_EMPTY_PATH)) {
      throw CFunction.error();
    }
    return status.get();
  }
}
