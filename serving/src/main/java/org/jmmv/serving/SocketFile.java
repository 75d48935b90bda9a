package org.jmmv.serving;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The users who may connect to a Unix domain socket, and the sockets that it may replace. */
public enum SocketFile {
  /** For the user and the group. It replaces any socket, as an agent's does. */
  OF_GROUP("rw-rw----"),

  /** For everyone, as pmcd's. It replaces only a socket on which no process listens any more. */
  OF_EVERYONE("rw-rw-rw-");

  /**
   * The umask with which the socket is bound, so that nobody else can connect to it before it has
   * its permissions.
   */
  static final int UMASK = 0177;

  private static final int FILE_TYPE = 0xf000; // bits of st_mode: stat(2)
  private static final int SOCKET = 0xc000;

  private final String permissions;

  SocketFile(String permissions) {
    this.permissions = permissions;
  }

  /**
   * Removes the file of another socket.
   *
   * @throws IOException if the path is not that of a socket, or if it may not be removed
   */
  void deleteOther(UnixDomainSocketAddress address) throws IOException {
    Path path = address.getPath();
    if (!Files.exists(path)) {
      return;
    }
    if (!(Files.readAttributes(path, "unix:mode").get("mode") instanceof Integer mode)
        || (mode & FILE_TYPE) != SOCKET) {
      throw new IOException(
          Files.isDirectory(path)
              ? "this is a directory, not the file of a socket"
              : "another file has this name");
    }
    if (this == OF_EVERYONE) {
      checkUnused(address);
    }
    Files.delete(path);
  }

  private static void checkUnused(UnixDomainSocketAddress address) throws IOException {
    try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      probe.configureBlocking(false); // the other process may be stopped
      boolean _ = probe.connect(address);
    } catch (ConnectException e) {
      return; // it is refused
    } catch (IOException e) { // for example permission denied, or too many wait already
      throw new IOException("another process may listen on this socket: " + e.getMessage(), e);
    }
    throw new IOException("another process listens on this socket");
  }

  /** Sets the permissions of a socket that has been bound. */
  void setPermissions(UnixDomainSocketAddress address) throws IOException {
    Files.setPosixFilePermissions(address.getPath(), PosixFilePermissions.fromString(permissions));
  }
}
