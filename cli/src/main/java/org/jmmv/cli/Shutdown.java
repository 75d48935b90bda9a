package org.jmmv.cli;

import java.nio.file.Path;

/**
 * The shutdown hook. It ends the process with the status that was passed to {@link #exit}, or with
 * 0 after SIGTERM and SIGINT, for which the JVM's own status would be 143 and 130.
 */
final class Shutdown extends Thread {
  private volatile int status;
  private volatile Path socket;

  /** Makes the hook delete the file of a Unix domain socket. */
  void deletes(Path socket) {
    this.socket = socket.toAbsolutePath();
  }

  /** Ends the process with an exit status. */
  void exit(int status) {
    this.status = status;
    System.exit(status);
  }

  @Override
  public void run() {
    if (socket != null) {
      socket.toFile().delete();
    }
    Runtime.getRuntime().halt(status);
  }
}
