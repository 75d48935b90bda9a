package org.jmmv.cli;

import java.io.IOException;
import java.util.Optional;
import org.jmmv.config.PcpConfig;
import org.jmmv.reader.posix.PosixProcess;

/** The user that the process runs as. */
final class Rights {
  private Rights() {}

  /**
   * Becomes another user for good: the given one, or {@code $PCP_USER} if the process runs as root.
   * Only {@code root}, given by name, keeps the rights of root.
   *
   * @throws IOException if there is no such user, or if the process may not become that user
   */
  static void drop(Optional<String> username, PcpConfig config) throws IOException {
    int self = PosixProcess.userId();
    if (self != 0 && username.isEmpty()) {
      return;
    }
    String name = username.orElseGet(() -> config.get("PCP_USER"));
    PosixProcess.User user = PosixProcess.user(name);
    if (user == null) {
      throw new IOException("there is no user \"" + name + '"');
    }
    if (user.uid() == self) {
      return;
    }
    try {
      PosixProcess.become(user);
    } catch (IOException e) {
      throw new IOException("can't become user " + name + ": " + e.getMessage(), e);
    }
  }
}
