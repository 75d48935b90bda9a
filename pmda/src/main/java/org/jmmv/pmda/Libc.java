package org.jmmv.pmda;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.Charset;
import org.jmmv.reader.CFunction;

/** What a daemon needs of the C library, and Java has not. For 64-bit Linux. */
final class Libc {
  private static final Charset CHARSET = Charset.forName(System.getProperty("sun.jnu.encoding"));

  /** O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC. */
  static final int OPEN_TO_APPEND = 0x80501;

  /** O_CREAT | O_EXCL. */
  static final int OPEN_NEW = 0xc0;

  private static final int F_SETPIPE_SZ = 1031;

  // struct passwd
  private static final int PASSWD_SIZE = 48;
  private static final int PASSWD_UID = 16;
  private static final int PASSWD_GID = 20;

  /** A user, as getpwnam(3) knows it. */
  record User(String name, int uid, int gid) {}

  private Libc() {}

  /** The effective user's number. */
  static int userId() {
    return (int) CFunction.of("geteuid").call(new CFunction.Errno(), 0);
  }

  /** This process's number. */
  static int processId() {
    return (int) CFunction.of("getpid").call(new CFunction.Errno(), 0);
  }

  /** The user of a name, or null. */
  static User user(String name) {
    try (Arena arena = Arena.ofConfined()) {
      long entry =
          CFunction.of("getpwnam")
              .call(new CFunction.Errno(), arena.allocateFrom(name, CHARSET).address());
      if (entry == 0) {
        return null;
      }
      MemorySegment passwd = CFunction.memory(entry, PASSWD_SIZE);
      return new User(name, passwd.get(JAVA_INT, PASSWD_UID), passwd.get(JAVA_INT, PASSWD_GID));
    }
  }

  /**
   * Becomes a user, with all its groups and for good; all threads do.
   *
   * @throws IOException if that is not permitted
   */
  static void become(User user) throws IOException {
    CFunction.Errno errno = new CFunction.Errno();
    try (Arena arena = Arena.ofConfined()) {
      check(errno, CFunction.of("setgid").call(errno, user.gid));
      check(
          errno,
          CFunction.of("initgroups")
              .call(errno, arena.allocateFrom(user.name, CHARSET).address(), user.gid));
      check(errno, CFunction.of("setuid").call(errno, user.uid));
    }
  }

  /**
   * Opens a file and puts it in the place of standard output and standard error.
   *
   * @param flags of open(2)
   * @param mode the permissions of a new file
   * @throws IOException if the file can't be opened
   */
  static void redirectOutput(String path, int flags, int mode) throws IOException {
    CFunction.Errno errno = new CFunction.Errno();
    try (Arena arena = Arena.ofConfined()) {
      long fd =
          CFunction.of("open")
              .call(errno, arena.allocateFrom(path, CHARSET).address(), flags, mode);
      check(errno, fd);
      duplicate((int) fd, 1);
      duplicate((int) fd, 2);
      CFunction.of("close").call(errno, fd);
    }
  }

  /**
   * Makes one descriptor mean what another one does.
   *
   * @throws IOException if that one is not open
   */
  static void duplicate(int fd, int as) throws IOException {
    CFunction.Errno errno = new CFunction.Errno();
    check(errno, CFunction.of("dup2").call(errno, fd, as));
  }

  /** Sets which permissions new files do not get, and returns which they did not get before. */
  static int setUmask(int mask) {
    return (int) CFunction.of("umask").call(new CFunction.Errno(), mask);
  }

  /** Enlarges a pipe's buffer where the system allows it; without effect on what is no pipe. */
  static void setPipeSize(int fd, int bytes) {
    CFunction.of("fcntl").call(new CFunction.Errno(), fd, F_SETPIPE_SZ, bytes);
  }

  private static void check(CFunction.Errno errno, long result) throws IOException {
    if ((int) result < 0) {
      throw new IOException(errno.message());
    }
  }
}
