package org.jmmv.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.function.IntPredicate;

/** System calls for this process, and look-ups in the system's databases of users and services. */
public final class PosixProcess {
  private static final CFunction KILL = CFunction.of("kill");
  private static final CFunction GETPRIORITY = CFunction.of("getpriority");
  private static final CFunction CLOSE = CFunction.of("close");
  private static final CFunction POLL = CFunction.of("poll");
  private static final CFunction CTIME_R = CFunction.of("ctime_r");
  private static final int CTIME_SIZE = 64;
  private static final int CTIME_YEAR = "Fri Nov 20 15:19:27".length(); // where it begins
  private static final int PRIO_PROCESS = 0;
  private static final int ESRCH = 3;
  private static final int SIGTSTP = 20;

  /** The signal reaches another thread first; this one runs on until it is stopped, too. */
  private static final int STOP_MILLIS = 100;

  private static final int F_SETPIPE_SZ = 1031;
  private static final int PR_SET_KEEPCAPS = 8;
  private static final int CAPABILITY_VERSION = 0x20080522; // 3: two sets of 32 bits each
  private static final int CAP_LEASE = 28;
  private static final Path MAX_MAP_COUNT = Path.of("/proc/sys/vm/max_map_count");
  private static final int DEFAULT_MAX_MAP_COUNT = 65_530;

  // struct pollfd
  private static final int POLLFD_SIZE = 8;
  private static final int POLLFD_EVENTS = 4;
  private static final short POLLIN = 1;
  private static final short POLLOUT = 4;

  // struct passwd
  private static final int PASSWD_SIZE = 48;
  private static final int PASSWD_NAME = 0;
  private static final int PASSWD_UID = 16;
  private static final int PASSWD_GID = 20;

  // struct group
  private static final int GROUP_SIZE = 32;
  private static final int GROUP_GID = 16;

  // struct servent
  private static final int SERVENT_SIZE = 32;
  private static final int SERVENT_PORT = 16;

  /**
   * A user of the system.
   *
   * @param name the login name
   * @param uid the user ID
   * @param gid the group ID of the user's primary group
   */
  public record User(String name, int uid, int gid) {}

  private PosixProcess() {}

  /** Returns the ID of this process. */
  public static int processId() {
    return (int) CFunction.of("getpid").call();
  }

  /** Returns the ID of the effective user. */
  public static int userId() {
    return (int) CFunction.of("geteuid").call();
  }

  /**
   * Returns a time in the form of ctime(3) without the year, {@code Fri Nov 20 15:19:27}. The C
   * library reads the time zone at the first call and keeps it.
   *
   * @param seconds the seconds since the epoch
   */
  public static String localTime(long seconds) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(CTIME_SIZE);
      long time = arena.allocateFrom(JAVA_LONG, seconds).address();
      return CTIME_R.call(time, text.address()) == 0
          ? ""
          : text.getString(0).substring(0, CTIME_YEAR);
    }
  }

  /** Returns the user with a login name, or null if there is none: getpwnam(3). */
  public static User user(String name) {
    try (Arena arena = Arena.ofConfined()) {
      long entry = CFunction.of("getpwnam").call(CFunction.string(arena, name));
      if (entry == 0) {
        return null;
      }
      MemorySegment passwd = CFunction.memory(entry, PASSWD_SIZE);
      return new User(name, passwd.get(JAVA_INT, PASSWD_UID), passwd.get(JAVA_INT, PASSWD_GID));
    }
  }

  /** Returns the login name of the effective user, or the user ID if it has none. */
  public static String userName() {
    return userName(userId());
  }

  /** Returns the login name of a user, or the user ID if it has none: getpwuid(3). */
  public static String userName(int uid) {
    long entry = CFunction.of("getpwuid").call(uid);
    if (entry == 0) {
      return Integer.toUnsignedString(uid);
    }
    long name = CFunction.memory(entry, PASSWD_SIZE).get(JAVA_LONG, PASSWD_NAME);
    return CFunction.memory(name, Long.MAX_VALUE).getString(0, CFunction.CHARSET);
  }

  /**
   * Changes the user, the group and the supplementary groups of all threads of this process. The
   * change is irrevocable if the process runs as root: setuid(2).
   *
   * @param user the new user
   * @throws IOException if the process is not permitted to do so; the groups may have changed
   *     already
   */
  public static void become(User user) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      CFunction.check(CFunction.of("setgid").call(user.gid));
      CFunction.check(
          CFunction.of("initgroups").call(CFunction.string(arena, user.name), user.gid));
      CFunction.check(CFunction.of("setuid").call(user.uid));
    }
  }

  /**
   * As {@link #become(User)}, but this thread, and those that it starts from now on, keep CAP_LEASE
   * if the process runs as root: they may ask {@linkplain OpenFile#isOpenForWriting whether a file
   * is open for writing}, also a file of another user. They keep no other capability, and none if
   * the process has not got CAP_LEASE: capabilities(7).
   */
  public static void becomeWithLeases(User user) throws IOException {
    CFunction.check(CFunction.of("prctl").call(PR_SET_KEEPCAPS, 1));
    become(user);
    CFunction.check(CFunction.of("prctl").call(PR_SET_KEEPCAPS, 0));
    if ((int) setCapabilities(1 << CAP_LEASE)
        != 0) { // it never had this one, for example in a container
      CFunction.check(setCapabilities(0));
    }
  }

  /** Sets the capabilities of this thread, permitted and effective ones: capset(2). */
  private static long setCapabilities(int set) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment header = arena.allocateFrom(JAVA_INT, CAPABILITY_VERSION, 0);
      MemorySegment sets = arena.allocateFrom(JAVA_INT, set, set, 0, 0, 0, 0);
      return CFunction.of("capset").call(header.address(), sets.address());
    }
  }

  /** Makes standard output and standard error refer to an open file. */
  public static void redirectOutput(OpenFile file) throws IOException {
    duplicate(file.descriptor(), 1);
    duplicate(file.descriptor(), 2);
  }

  /** Closes a descriptor: close(2). */
  static void close(int fd) {
    CLOSE.call(fd);
  }

  /**
   * Makes descriptor {@code as} refer to the open file of descriptor {@code fd}, as dup2(2) does.
   *
   * @param fd an open descriptor
   * @param as the descriptor to replace
   * @throws IOException if {@code fd} is not open
   */
  public static void duplicate(int fd, int as) throws IOException {
    CFunction.check(CFunction.of("dup2").call(fd, as));
  }

  /**
   * Sets the permissions that new files do not get: umask(2).
   *
   * @param mask the permissions to withhold
   * @return the previous mask
   */
  public static int setUmask(int mask) {
    return (int) CFunction.of("umask").call(mask);
  }

  /**
   * Sets the size of a pipe's buffer: F_SETPIPE_SZ of fcntl(2). Has no effect if the system does
   * not permit the size, or if the descriptor is not that of a pipe.
   *
   * @param fd a descriptor
   * @param bytes the size in bytes
   */
  public static void setPipeSize(int fd, int bytes) {
    CFunction.of("fcntl").call(fd, F_SETPIPE_SZ, bytes);
  }

  /**
   * Returns a function that waits until a descriptor can be read without waiting, because there is
   * input, the end of the input or an error: poll(2). Its argument is the maximum time to wait in
   * milliseconds, its result whether the descriptor can be read. It allocates nothing.
   */
  public static IntPredicate awaitingInput(int fd) {
    return awaiting(fd, POLLIN);
  }

  /**
   * The same for output. A file can always be written; a pipe and a socket that can be written take
   * at least 4,096 bytes, or fail at once if nobody will read them.
   */
  public static IntPredicate awaitingOutput(int fd) {
    return awaiting(fd, POLLOUT);
  }

  private static IntPredicate awaiting(int fd, short event) {
    MemorySegment pollfd = Arena.ofAuto().allocate(POLLFD_SIZE, Integer.BYTES);
    pollfd.set(JAVA_INT, 0, fd);
    pollfd.set(JAVA_SHORT, POLLFD_EVENTS, event);
    return milliseconds -> (int) POLL.call(pollfd.address(), 1, milliseconds) != 0;
  }

  /** Returns whether a descriptor is that of a terminal: isatty(3). */
  public static boolean isTerminal(int fd) {
    return (int) CFunction.of("isatty").call(fd) == 1;
  }

  /**
   * Returns the maximum number of mappings of a process, vm.max_map_count of proc(5), or the
   * kernel's default if it can't be read.
   */
  public static int maxMappings() {
    // the kernel gives the number only to a single read(2), and Files.readString makes several
    try (BufferedReader line = Files.newBufferedReader(MAX_MAP_COUNT)) {
      return Integer.parseInt(line.readLine());
    } catch (IOException | NumberFormatException e) {
      return DEFAULT_MAX_MAP_COUNT;
    }
  }

  /**
   * Returns whether a process with an ID exists, whatever its user. Allocates nothing. For
   * getpriority(2), no permission is needed. SELinux denies kill(2), and logs each denial.
   */
  public static boolean processExists(int pid) {
    return (int) GETPRIORITY.call(PRIO_PROCESS, pid) != -1 // which is also a nice value
        || (int) KILL.call(pid, 0) == 0
        || CFunction.errno() != ESRCH;
  }

  /**
   * Stops all processes of this group, as Ctrl-Z on a terminal does, until the shell continues
   * them: kill(2) with SIGTSTP.
   */
  public static void stopGroup() throws IOException {
    CFunction.check(KILL.call(0, SIGTSTP));
    try {
      Thread.sleep(STOP_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the ID of a group, or empty if the group is unknown: getgrnam(3). */
  public static OptionalInt groupId(String name) {
    try (Arena arena = Arena.ofConfined()) {
      long entry = CFunction.of("getgrnam").call(CFunction.string(arena, name));
      return entry == 0
          ? OptionalInt.empty()
          : OptionalInt.of(CFunction.memory(entry, GROUP_SIZE).get(JAVA_INT, GROUP_GID));
    }
  }

  /**
   * Returns the TCP port of a service, or empty if the service is unknown: getservbyname(3).
   *
   * @param name the name or an alias of the service, see services(5)
   */
  public static OptionalInt servicePort(String name) {
    try (Arena arena = Arena.ofConfined()) {
      long entry =
          CFunction.of("getservbyname")
              .call(CFunction.string(arena, name), CFunction.string(arena, "tcp"));
      if (entry == 0) {
        return OptionalInt.empty();
      }
      short port =
          CFunction.memory(entry, SERVENT_SIZE)
              .get(JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN), SERVENT_PORT);
      return OptionalInt.of(Short.toUnsignedInt(port));
    }
  }
}
