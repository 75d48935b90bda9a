package org.jmmv.pmda;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jmmv.config.Transport;
import org.jmmv.reader.posix.PosixProcess;

/**
 * The one connection that an agent serves in its life.
 *
 * @param in from pmcd
 * @param out to pmcd
 */
record Connection(ReadableByteChannel in, GatheringByteChannel out) {
  /** Where the launcher has put the pipe to pmcd, so that nothing the JVM prints gets there. */
  static final int REPLY_DESCRIPTOR = 3;

  /** Leaves a new file with mode 0660; set later, somebody might come in before. */
  private static final int NOT_FOR_OTHERS = 0117;

  private static final int PIPE_SIZE = 1 << 20;

  /**
   * The pipe that pmcd started us with. It has to be opened before the user changes.
   *
   * @throws IOException if the launcher has not put it where it should be
   */
  static Connection pipe() throws IOException {
    PosixProcess.setPipeSize(REPLY_DESCRIPTOR, PIPE_SIZE);
    return new Connection(new FileInputStream(FileDescriptor.in).getChannel(), openReplies());
  }

  private static GatheringByteChannel openReplies() throws IOException {
    try {
      return new FileOutputStream("/proc/self/fd/" + REPLY_DESCRIPTOR, true).getChannel();
    } catch (IOException e) {
      throw new IOException(
          "descriptor "
              + REPLY_DESCRIPTOR
              + " can't be written to, it should be pmdajmmv's standard output: "
              + e.getMessage(),
          e);
    }
  }

  /**
   * Waits for pmcd at a socket, and lets nobody else in afterwards.
   *
   * @param shutdown removes the file of a Unix domain socket in the end
   * @throws IOException if there can't be such a socket
   */
  static Connection accept(Transport transport, Shutdown shutdown) throws IOException {
    return switch (transport) {
      case Transport.Inet(int port) ->
          acceptAt(
              StandardProtocolFamily.INET,
              new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port));
      case Transport.Inet6(int port) ->
          acceptAt(
              StandardProtocolFamily.INET6,
              new InetSocketAddress(InetAddress.ofLiteral("::1"), port));
      case Transport.Unix(Path path) -> acceptAt(path, shutdown);
      case Transport.Pipe _ -> throw new IllegalArgumentException("a pipe needs no waiting");
    };
  }

  private static Connection acceptAt(StandardProtocolFamily family, SocketAddress address)
      throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open(family)) {
      server.bind(address, 1);
      SocketChannel client = server.accept();
      client.setOption(StandardSocketOptions.TCP_NODELAY, true);
      return new Connection(client, client);
    } catch (IOException e) {
      throw new IOException(address + ": " + e.getMessage(), e);
    }
  }

  /** A socket file that an agent left behind is replaced. */
  private static Connection acceptAt(Path path, Shutdown shutdown) throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      if (Files.exists(path) && isSocket(path)) {
        Files.delete(path);
      }
      int umask = PosixProcess.setUmask(NOT_FOR_OTHERS);
      try {
        server.bind(UnixDomainSocketAddress.of(path), 1);
      } finally {
        PosixProcess.setUmask(umask);
      }
      shutdown.removes(path);
      SocketChannel client = server.accept();
      return new Connection(client, client);
    } catch (IOException e) {
      throw new IOException(path + ": " + e.getMessage(), e);
    }
  }

  private static boolean isSocket(Path path) throws IOException {
    return Files.readAttributes(path, "unix:mode").get("mode") instanceof Integer mode
        && (mode & 0xf000) == 0xc000;
  }
}
