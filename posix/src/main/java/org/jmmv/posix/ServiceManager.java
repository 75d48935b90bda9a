package org.jmmv.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The service manager that has started this process, such as systemd: sd_notify(3). */
public final class ServiceManager {
  private static final int AF_UNIX = 1;
  private static final int SOCK_DGRAM = 2;
  private static final int SOCK_CLOEXEC = 0x8_0000;
  private static final int MSG_NOSIGNAL = 0x4000;

  // struct sockaddr_un
  private static final int ADDRESS_SIZE = 110;
  private static final int ADDRESS_PATH = 2;

  private ServiceManager() {}

  /**
   * Reports the state of this process to the service manager.
   *
   * @param socket the path of the service manager's socket, {@code $NOTIFY_SOCKET}; with the prefix
   *     {@code @} it is an abstract name (unix(7))
   * @param state assignments such as {@code READY=1}, one per line
   * @throws IOException if there is no such socket, or its path is too long
   */
  public static void report(String socket, String state) throws IOException {
    byte[] path = socket.getBytes(CFunction.CHARSET);
    byte[] text = state.getBytes(CFunction.CHARSET);
    if (path.length >= ADDRESS_SIZE - ADDRESS_PATH) {
      throw new IOException("the path of the service manager's socket is too long");
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = arena.allocate(ADDRESS_SIZE, Short.BYTES);
      address.set(JAVA_SHORT, 0, (short) AF_UNIX);
      MemorySegment.copy(path, 0, address, JAVA_BYTE, ADDRESS_PATH, path.length);
      if (socket.startsWith("@")) {
        address.set(JAVA_BYTE, ADDRESS_PATH, (byte) 0);
      }
      int fd =
          (int) CFunction.check(CFunction.of("socket").call(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC));
      try {
        long message = arena.allocateFrom(JAVA_BYTE, text).address();
        int size = ADDRESS_PATH + path.length;
        CFunction.check(
            CFunction.of("sendto")
                .call(fd, message, text.length, MSG_NOSIGNAL, address.address(), size));
      } finally {
        PosixProcess.close(fd);
      }
    }
  }
}
