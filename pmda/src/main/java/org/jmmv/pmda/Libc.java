package org.jmmv.pmda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.Charset;

/** What a daemon needs of the C library, and Java has not. For 64-bit Linux. */
@SuppressWarnings("restricted") // calling C is what this class is for
final class Libc {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
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

  private static MethodHandle function(
      String name, int variadicFrom, MemoryLayout result, MemoryLayout... args) {
    MemorySegment address = LINKER.defaultLookup().findOrThrow(name);
    FunctionDescriptor type = FunctionDescriptor.of(result, args);
    Linker.Option errno = Linker.Option.captureCallState("errno");
    return variadicFrom < 0
        ? LINKER.downcallHandle(address, type, errno)
        : LINKER.downcallHandle(address, type, errno, Linker.Option.firstVariadicArg(variadicFrom));
  }

  /** The effective user's number. */
  static int userId() {
    try (Arena arena = Arena.ofConfined()) {
      return (int) function("geteuid", -1, JAVA_INT).invokeExact(arena.allocate(STATE));
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** The user of a name, or null. */
  static User user(String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment entry =
          (MemorySegment)
              function("getpwnam", -1, ADDRESS, ADDRESS)
                  .invokeExact(arena.allocate(STATE), arena.allocateFrom(name));
      if (entry.address() == 0) {
        return null;
      }
      MemorySegment passwd = entry.reinterpret(PASSWD_SIZE);
      return new User(name, passwd.get(JAVA_INT, PASSWD_UID), passwd.get(JAVA_INT, PASSWD_GID));
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Becomes a user, with all its groups and for good; all threads do.
   *
   * @throws IOException if that is not permitted
   */
  static void become(User user) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      check(state, (int) function("setgid", -1, JAVA_INT, JAVA_INT).invokeExact(state, user.gid));
      check(
          state,
          (int)
              function("initgroups", -1, JAVA_INT, ADDRESS, JAVA_INT)
                  .invokeExact(state, arena.allocateFrom(user.name), user.gid));
      check(state, (int) function("setuid", -1, JAVA_INT, JAVA_INT).invokeExact(state, user.uid));
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
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
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      int fd =
          (int)
              function("open", 2, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT)
                  .invokeExact(state, arena.allocateFrom(path, CHARSET), flags, mode);
      check(state, fd);
      duplicate(fd, 1);
      duplicate(fd, 2);
      int ignored = (int) function("close", -1, JAVA_INT, JAVA_INT).invokeExact(state, fd);
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Makes one descriptor mean what another one does.
   *
   * @throws IOException if that one is not open
   */
  static void duplicate(int fd, int as) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      check(
          state,
          (int) function("dup2", -1, JAVA_INT, JAVA_INT, JAVA_INT).invokeExact(state, fd, as));
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Enlarges a pipe's buffer where the system allows it; without effect on what is no pipe. */
  static void setPipeSize(int fd, int bytes) {
    try (Arena arena = Arena.ofConfined()) {
      int ignored =
          (int)
              function("fcntl", 2, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT)
                  .invokeExact(arena.allocate(STATE), fd, F_SETPIPE_SZ, bytes);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static void check(MemorySegment state, int result) throws Throwable {
    if (result < 0) {
      int errno = (int) ERRNO.get(state, 0L);
      MethodHandle strerror =
          LINKER.downcallHandle(
              LINKER.defaultLookup().findOrThrow("strerror"),
              FunctionDescriptor.of(ADDRESS, JAVA_INT));
      throw new IOException(
          ((MemorySegment) strerror.invokeExact(errno)).reinterpret(256).getString(0));
    }
  }
}
