package org.jmmv.qa;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;

/** Connects to Unix domain sockets as users that need not exist, which only root can do. */
@SuppressWarnings("restricted") // it calls C
final class OtherUser {
  private static final long SETRESUID = System.getProperty("os.arch").equals("amd64") ? 117 : 147;
  private static final long UNCHANGED = -1;

  /** Not the function of the C library, which would change the user of all threads: setuid(2). */
  private static final MethodHandle SYSCALL =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("syscall"),
              FunctionDescriptor.of(
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG),
              Linker.Option.firstVariadicArg(1));

  private OtherUser() {}

  /** Connects with a user ID, which the server sees (SO_PEERCRED of socket(7)). */
  static SocketChannel connect(long user, SocketAddress socket) throws IOException {
    setUser(user);
    try {
      return SocketChannel.open(socket);
    } finally {
      setUser(0);
    }
  }

  private static void setUser(long effective) {
    try {
      if ((long) SYSCALL.invokeExact(SETRESUID, UNCHANGED, effective, UNCHANGED) != 0) {
        throw new AssertionError("the user can't be changed");
      }
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
