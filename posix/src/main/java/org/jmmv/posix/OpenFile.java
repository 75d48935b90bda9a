package org.jmmv.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** A file that {@link OpenDirectory} has opened, read and written through its descriptor. */
public final class OpenFile implements AutoCloseable {
  private static final CFunction PREAD = CFunction.of("pread");
  private static final CFunction WRITE = CFunction.of("write");
  private static final CFunction FSYNC = CFunction.of("fsync");
  private static final CFunction FCNTL = CFunction.of("fcntl");
  private static final CFunction FCHOWN = CFunction.of("fchown");
  private static final CFunction FSTATFS = CFunction.of("fstatfs");

  private static final int SAME_GROUP = -1;
  private static final int F_SETFL = 4;
  private static final int F_SETSIG = 10;
  private static final int F_OFD_SETLK = 37;
  private static final int F_SETLEASE = 1024;
  private static final int F_RDLCK = 0;
  private static final int F_UNLCK = 2;
  private static final int SIGURG = 23; // ignored by default

  // struct flock, the same on every 64-bit architecture; zeros stand for the whole file
  private static final int FLOCK_SIZE = 32;
  private static final int FLOCK_TYPE = 0;
  private static final short F_WRLCK = 1;

  // struct statfs, whose first field is the type of the file system
  private static final int STATFS_SIZE = 120;
  private static final ThreadLocal<MemorySegment> STATFS =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(STATFS_SIZE, Long.BYTES));

  /**
   * The local file systems that know all writers of a file: ext2 to ext4, XFS, Btrfs, tmpfs, ramfs,
   * F2FS, ZFS and bcachefs. Others know only those of this machine, or, like overlayfs, forget a
   * mapping whose descriptor has been closed.
   */
  private static final Set<Long> KNOW_WRITERS =
      Set.of(
          0xef53L,
          0x58465342L,
          0x9123683eL,
          0x01021994L,
          0x858458f6L,
          0xf2f52010L,
          0x2fc12fc1L,
          0xca451a4eL);

  private static final long OVERLAYFS = 0x794c7630L;

  private final int fd;

  OpenFile(int fd) {
    this.fd = fd;
  }

  int descriptor() {
    return fd;
  }

  void setFlags(int flags) throws PosixException {
    CFunction.check(FCNTL.call(fd, F_SETFL, flags));
  }

  public FileStatus status() throws PosixException {
    return PosixDirectory.status(fd);
  }

  /**
   * Returns the bytes of the file.
   *
   * @param max the maximum number of bytes
   * @throws IOException if the file can't be read or is larger
   */
  public byte[] read(int max) throws IOException {
    long size = status().size();
    if (size > max) {
      throw new IOException("it has %d bytes, at most %d are read".formatted(size, max));
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(Math.max(1, size));
      long count = 0;
      while (count < size) {
        long more =
            CFunction.check(PREAD.call(fd, bytes.address() + count, size - count, count, 0, 0));
        if (more == 0) {
          break; // the file was truncated
        }
        count += more;
      }
      return bytes.asSlice(0, count).toArray(JAVA_BYTE);
    }
  }

  /** Writes bytes at the end of the file. */
  public void write(byte[] bytes) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      long from = arena.allocateFrom(JAVA_BYTE, bytes).address();
      for (long left = bytes.length; left > 0; ) {
        long written = CFunction.check(WRITE.call(fd, from, left));
        from += written;
        left -= written;
      }
    }
  }

  /** Waits until what was written is on the disk: fsync(2). */
  public void force() throws IOException {
    CFunction.check(FSYNC.call(fd));
  }

  /** Makes a user the owner. */
  public void setOwner(int user) throws IOException {
    CFunction.check(FCHOWN.call(fd, user, SAME_GROUP));
  }

  /**
   * Locks the file until it is closed, against other processes and against other openings of the
   * file in this process.
   *
   * @return false if it is locked
   */
  public boolean tryLock() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment flock = arena.allocate(FLOCK_SIZE, 8);
      flock.set(JAVA_SHORT, FLOCK_TYPE, F_WRLCK);
      CFunction.check(FCNTL.call(fd, F_OFD_SETLK, flock.address()));
      return true;
    } catch (PosixException e) {
      if (e.isLocked()) {
        return false;
      }
      throw e;
    }
  }

  /**
   * Returns whether any process has the file open for writing, or mapped so that it can write: also
   * a process of another PID namespace or of another user, which this process can't see. The file
   * must have been opened for reading, by its owner or with CAP_LEASE. This sets a lease, see
   * fcntl(2), and removes it at once; a process that opens the file waits until then.
   *
   * @throws IOException if the file system does not know, or the user may not set a lease
   */
  public boolean isOpenForWriting() throws IOException {
    return isOpenForWriting(fd);
  }

  /** As {@link #isOpenForWriting()}, for a descriptor. */
  static boolean isOpenForWriting(int fd) throws PosixException {
    if (!KNOW_WRITERS.contains(fileSystem(fd))) {
      throw new PosixException(
          PosixException.EOPNOTSUPP, "the file system does not tell whether a file is open");
    }
    CFunction.check(
        FCNTL.call(fd, F_SETSIG, SIGURG)); // a process that opens the file must not end this one
    try {
      CFunction.check(FCNTL.call(fd, F_SETLEASE, F_RDLCK));
      CFunction.check(FCNTL.call(fd, F_SETLEASE, F_UNLCK));
      return false;
    } catch (PosixException e) {
      if (e.errno() == PosixException.EAGAIN) {
        return true;
      }
      throw e;
    }
  }

  /** Returns whether a file is on overlayfs, as far as its file system can tell. */
  static boolean isLayered(int fd) {
    try {
      return fileSystem(fd) == OVERLAYFS;
    } catch (PosixException e) {
      return false; // overlayfs does not fail
    }
  }

  private static long fileSystem(int fd) throws PosixException {
    MemorySegment status = STATFS.get();
    CFunction.check(FSTATFS.call(fd, status.address()));
    return status.get(JAVA_LONG, 0);
  }

  @Override
  public void close() {
    PosixProcess.close(fd);
  }
}
